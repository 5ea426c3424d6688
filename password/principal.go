// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"net"
	"net/netip"
	"strings"
)

// PrincipalOf returns the Login.Principal for an address as [net/http] has it in
// Request.RemoteAddr: the host without its port, which a client has a new one of
// for each connection.
//
// An IPv4 address is a principal, also if it is written as an IPv6 one. IPv6
// addresses are one for each /64, as a customer has all of it or more (RFC 6177);
// zones are dropped. All that is no address, such as "@" of a Unix socket, is one
// principal, "": else who writes it could be a new one each time.
//
// Behind a proxy RemoteAddr is the proxy's: pass the address that your own proxy
// added to X-Forwarded-For, which is the last one, and none that a client wrote.
// With or without a port is the same.
func PrincipalOf(remoteAddr string) string {
	host, _, err := net.SplitHostPort(remoteAddr)
	if err != nil { // there is no port
		host = strings.TrimSuffix(strings.TrimPrefix(remoteAddr, "["), "]")
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return ""
	}
	addr = addr.Unmap().WithZone("")
	if addr.Is4() {
		return addr.String()
	}
	network, err := addr.Prefix(64)
	if err != nil {
		return ""
	}
	return network.String()
}
