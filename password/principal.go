// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"net"
	"net/netip"
	"strings"
)

// PrincipalOf returns the Login.Principal for an address in the form of
// [net/http.Request.RemoteAddr]: the host without its port, which changes with each connection and
// may be missing.
//
// Each IPv4 address is a principal, even if written as an IPv6 one. Each /56 of IPv6 is one,
// because a home usually has that, 256 networks (RFC 6177); zones are dropped. passwordhttp.Gate
// takes networks of another size. Everything that is not an address, such as "@" of a Unix socket,
// is one principal, "": otherwise its writer could be a new one each time.
//
// Behind a proxy, RemoteAddr is the proxy's, and of a Unix socket a name that the client may have
// chosen to look like an address: package passwordhttp knows both.
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
	network, err := addr.Prefix(56)
	if err != nil {
		return ""
	}
	return network.String()
}
