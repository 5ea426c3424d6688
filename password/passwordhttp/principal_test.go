// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"fount/password"
)

// A gate finds the client behind the proxies that it knows, by what they wrote, and believes nobody
// else.
func TestPrincipal(t *testing.T) {
	gate := &Gate{Proxies: []netip.Prefix{
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48"), netip.MustParsePrefix("fe80::/10"),
		netip.MustParsePrefix("::ffff:172.16.0.0/108"),
	}}
	check := func(t *testing.T, remote, want string, forwarded ...string) {
		r := httptest.NewRequest("POST", "/", nil)
		r.RemoteAddr = remote
		r.Header["X-Forwarded-For"] = forwarded
		if got := gate.Principal(r); got != want {
			t.Errorf("from %s, forwarded for %q: %q, want %q", remote, forwarded, got, want)
		}
		if got, want := new(Gate).Principal(r), password.PrincipalOf(remote); got != want {
			t.Errorf("without proxies, from %s: %q, want %q", remote, got, want)
		}
	}

	t.Run("who may forward", func(t *testing.T) {
		for remote, want := range map[string]string{
			"10.0.0.1:80":            "203.0.113.7",
			"[2001:db8:ffff::1]:80":  "203.0.113.7",
			"[::ffff:10.0.0.1]:80":   "203.0.113.7",
			"[fe80::1%eth0]:80":      "203.0.113.7",
			"172.16.0.1:80":          "203.0.113.7",
			"172.32.0.1:80":          "172.32.0.1",
			"203.0.113.9:80":         "203.0.113.9",
			"[64:ff9b::10.0.0.1]:80": "10.0.0.1", // a translator's clients are not its proxies
			"@":                      "",
		} {
			check(t, remote, want, "203.0.113.7")
		}
	})
	t.Run("what a proxy wrote", func(t *testing.T) {
		for line, want := range map[string]string{
			"198.51.100.1, 203.0.113.7":       "203.0.113.7", // the client wrote the first
			"203.0.113.7, 10.1.1.1":           "203.0.113.7",
			"10.3.3.3, 203.0.113.7, 10.1.1.1": "203.0.113.7", // it claims to be a proxy
			"10.3.3.3, 10.1.1.1":              "10.3.3.3",    // it is in the proxies' network
			"203.0.113.7:4711":                "203.0.113.7",
			"2001:db8:1:2::7":                 "2001:db8:1::/56",
			"[2001:db8:1:2::7]:4711":          "2001:db8:1::/56",
			"64:ff9b::203.0.113.7":            "203.0.113.7",
			"203.0.113.7, unknown":            "10.0.0.1",
			"203.0.113.7, unknown, 10.1.1.1":  "10.1.1.1",
			"":                                "10.0.0.1",
			"203.0.113.7,":                    "10.0.0.1",
		} {
			check(t, "10.0.0.1:80", want, line)
		}
		check(t, "10.0.0.1:80", "203.0.113.7", "198.51.100.1", "203.0.113.7")
		check(t, "10.0.0.1:80", "203.0.113.7", "6.6.6.6,203.0.113.7", "10.1.1.1 ,10.2.2.2")
	})

	// Nothing is forwarded.
	check(t, "10.0.0.1:80", "10.0.0.1")
	check(t, "[64:ff9b::203.0.113.7]:80", "203.0.113.7")
}

// A client of a Unix socket may give its own end the name of an address: it is not believed, as a
// proxy or as a client.
func TestPrincipalOfNamedSocket(t *testing.T) {
	for unixProxy, want := range map[bool]string{false: "", true: "203.0.113.7"} {
		g := &Gate{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, UnixProxy: unixProxy}
		ctx := context.WithValue(t.Context(), http.LocalAddrContextKey, &net.UnixAddr{Name: "socket", Net: "unix"})
		r := httptest.NewRequest("GET", "/", nil).WithContext(ctx)
		r.Header.Set("X-Forwarded-For", "203.0.113.7")
		for _, r.RemoteAddr = range []string{"10.0.0.1:80", "198.51.100.1:80", "@"} {
			if got := g.Principal(r); got != want {
				t.Errorf("UnixProxy %v: from %q the principal %q; want %q", unixProxy, r.RemoteAddr, got, want)
			}
		}
	}
}

// A service says how large its clients' networks are, of IPv6.
func TestNetwork(t *testing.T) {
	for network, want := range map[int]string{0: "2001:db8:1:200::/56", 48: "2001:db8:1::/48", 128: "2001:db8:1:203::7/128"} {
		r := httptest.NewRequest("POST", "/", nil)
		r.RemoteAddr = "[2001:db8:1:203::7]:80"
		if got := (&Gate{Network: network}).Principal(r); got != want {
			t.Errorf("of %d bits: %s, want %s", network, got, want)
		}
	}
}

// Whatever a client writes into the header, the address that the proxy then appends is its
// principal.
func FuzzPrincipal(f *testing.F) {
	for _, s := range []string{"", "6.6.6.6", `"`, ",,", "unknown"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g := &Gate{Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
		r := httptest.NewRequest("POST", "/", nil)
		r.RemoteAddr = "10.0.0.1:80"
		for _, lines := range [][]string{{s + ",203.0.113.7"}, {s, "203.0.113.7"}} {
			r.Header["X-Forwarded-For"] = lines
			if got := g.Principal(r); got != "203.0.113.7" {
				t.Errorf("%q: %q", lines, got)
			}
		}
	})
}
