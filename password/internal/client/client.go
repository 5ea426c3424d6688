// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package client tells clients apart by their addresses.
package client

import (
	"net"
	"net/netip"
	"strings"
)

// Network is the default length of an IPv6 client's network, in bits. A home usually has a /56 (RFC
// 6177).
const Network = 56

// Parse returns the address in hostport, which may have no port. If there is no address, it returns
// the zero Addr.
func Parse(hostport string) netip.Addr {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil { // there is no port
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	addr, _ := netip.ParseAddr(host)
	return addr.Unmap().WithZone("")
}

var translated = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052, section 2.1

// Principal returns an IPv4 address, the network of an IPv6 address with a length of bits, or ""
// for the zero Addr.
func Principal(addr netip.Addr, bits int) string {
	if translated.Contains(addr) {
		b := addr.As16()
		addr = netip.AddrFrom4([4]byte(b[12:]))
	}

	switch network, err := addr.Prefix(bits); {
	case !addr.IsValid():
		return ""
	case addr.Is4() || err != nil:
		return addr.String()
	default:
		return network.String()
	}
}
