// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package config

// Addresses of TCP.

import (
	"fmt"
	"net"
	"net/netip"
)

// checkAddress refuses an address beyond loopback on which passwords would travel in clear, or from anybody.
func checkAddress(address string, tls bool) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return fmt.Errorf("%q is not an address; want HOST:PORT, as 127.0.0.1:8080", address)
	}
	if tls || Loopback(host) {
		return nil
	}
	return fmt.Errorf("%q is beyond loopback, where passwords would travel in clear: "+
		"give --tls-cert, --tls-key and --tls-client-ca, or listen on 127.0.0.1:%s", address, port)
}

// Loopback reports whether a host is this machine alone. A name is, if it is localhost: others may become another address.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
