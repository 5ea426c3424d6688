// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"net/netip"
	"strings"
	"testing"
)

func TestPrincipalOf(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.1:1234":              "192.0.2.1",
		"192.0.2.1":                   "192.0.2.1",
		"[2001:db8:1:2:3:4:5:6]:1234": "2001:db8:1::/56",
		"[2001:db8:1:2:ffff::1]:1234": "2001:db8:1::/56",
		"[2001:db8:1:2::7]":           "2001:db8:1::/56",
		"[2001:db8:1:ff::7]:80":       "2001:db8:1::/56",
		"[2001:db8:1:100::7]:80":      "2001:db8:1:100::/56",
		"[::1]:80":                    "::/56",
		"[fe80::1%eth0]:80":           "fe80::/56",
		"fe80::1%eth1":                "fe80::/56",
		"[::ffff:192.0.2.1]:80":       "192.0.2.1",
		"::ffff:192.0.2.1":            "192.0.2.1",
		"[::ffff:192.0.2.1%eth0]:80":  "192.0.2.1",
		"[64:ff9b::192.0.2.1]:80":     "192.0.2.1",
		"64:ff9b::c000:202":           "192.0.2.2",
		"[64:ff9b::1:c000:201]:80":    "64:ff9b::/56",
		"[64:ff9b:1::c000:201]:80":    "64:ff9b:1::/56",
		"":                            "",
		"@":                           "",
		":80":                         "",
		"/run/app.sock":               "",
		"localhost:80":                "",
		"192.0.2.1, 198.51.100.7":     "",
		"192.0.2.01:80":               "",
		" 192.0.2.1":                  "",
		"192.0.2.1:1:2":               "",
		"[192.0.2.1:80":               "",
		strings.Repeat("1", 1<<20):    "",
	} {
		if got := PrincipalOf(addr); got != want {
			t.Errorf("%.60q: %q, want %q", addr, got, want)
		}
	}
}

// What a principal is stays one when it is given again; and one client does not become
// two, whatever address of its network it takes.
func FuzzPrincipalOf(f *testing.F) {
	for _, s := range []string{"192.0.2.1:1", "[2001:db8::1%x]:1", "::ffff:1.2.3.4", "@", "[::]:0"} {
		f.Add(s, uint64(1))
	}

	f.Fuzz(func(t *testing.T, s string, host uint64) {
		got := PrincipalOf(s)
		if got == "" {
			return
		}

		if p, err := netip.ParsePrefix(got); err == nil {
			if p.Bits() != 56 || p != p.Masked() || p.Addr().Is4() || p.Addr().Zone() != "" {
				t.Fatalf("%q: %q", s, got)
			}

			a := p.Addr().As16()
			for i := range 8 {
				a[15-i] = byte(host >> (8 * i))
			}
			a[7] = byte(host >> 7)
			other := netip.AddrFrom16(a)

			again := PrincipalOf(netip.AddrPortFrom(other, uint16(host)).String())
			if again != got && strings.Contains(again, "/") {
				t.Errorf("%q is %q, and %v of its network %q", s, got, other, again)
			}
			return
		}

		if a, err := netip.ParseAddr(got); err != nil || !a.Is4() || PrincipalOf(got) != got {
			t.Errorf("%q: %q", s, got)
		}
	})
}
