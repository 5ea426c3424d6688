// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package client tells clients apart by their addresses.
package client

import (
	"net"
	"net/netip"
	"strings"
)

// Parse returns the address of a host, behind which a port may be. It is the zero Addr if there is
// none.
func Parse(hostport string) netip.Addr {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil { // there is no port
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	addr, _ := netip.ParseAddr(host)
	return addr.Unmap().WithZone("")
}

var translated = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052, section 2.1

// Principal returns the IPv4 address, or the /56 of an IPv6 one, and "" for the zero Addr.
func Principal(addr netip.Addr) string {
	if translated.Contains(addr) {
		b := addr.As16()
		addr = netip.AddrFrom4([4]byte(b[12:]))
	}
	switch network, err := addr.Prefix(56); {
	case !addr.IsValid():
		return ""
	case addr.Is4() || err != nil:
		return addr.String()
	default:
		return network.String()
	}
}
