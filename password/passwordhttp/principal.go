// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"fount/password"
)

// parse returns the address, and the zero Addr if there is none.
func parse(hostport string) netip.Addr {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil { // there is no port
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	addr, _ := netip.ParseAddr(host)
	return addr.Unmap().WithZone("")
}

// principal is password.PrincipalOf, but for g.Network.
func (g *Gate) principal(addr netip.Addr) string {
	if g.Network > 0 && addr.Is6() {
		if network, err := addr.Prefix(g.Network); err == nil {
			return network.String()
		}
	}
	return password.PrincipalOf(addr.String())
}

// Principal returns the Login.Principal of a request: password.PrincipalOf its RemoteAddr, or "" if
// it came by a Unix socket; unless it is from a proxy of g.Proxies, or came by a Unix socket and
// g.UnixProxy is set.
//
// Then the header g.Header is read from its end, where the last proxy wrote, back to the first
// address that is not a proxy's: what stands before it was written by the client. What is no
// address ("unknown", "_secret") ends the search: the proxy that says so is the principal, with all
// its clients.
func (g *Gate) Principal(r *http.Request) string {
	_, unix := r.Context().Value(http.LocalAddrContextKey).(*net.UnixAddr)
	var addr netip.Addr
	if !unix { // RemoteAddr is a name that the client may have chosen
		addr = parse(r.RemoteAddr)
	}
	if !g.trusted(addr) && !(g.UnixProxy && unix) {
		return g.principal(addr)
	}
	lines := r.Header.Values(cmp.Or(g.Header, "X-Forwarded-For"))
	hops := strings.Split(strings.Join(lines, ","), ",")
	for i := len(hops) - 1; i >= 0 && len(lines) > 0; i-- {
		next := parse(strings.TrimSpace(hops[i]))
		if !next.IsValid() {
			break
		}
		if addr = next; !g.trusted(addr) {
			break
		}
	}
	return g.principal(addr)
}

// trusted reports whether the address is a proxy's.
func (g *Gate) trusted(addr netip.Addr) bool {
	for _, p := range g.Proxies {
		if a := p.Addr(); a.Is4In6() && p.Bits() >= 96 { // "::ffff:10.0.0.0/104" is 10.0.0.0/8
			p = netip.PrefixFrom(a.Unmap(), p.Bits()-96)
		}
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
