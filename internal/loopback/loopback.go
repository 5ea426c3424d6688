// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package loopback tells which addresses are this machine's alone: what is sent there in clear,
// nobody else reads.
package loopback

import "net/netip"

// Is reports whether a host is this machine alone. Of names only localhost is taken for it.
func Is(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
