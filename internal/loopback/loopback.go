// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package loopback recognises addresses that only this machine can reach, so that plaintext is
// safe.
package loopback

import "net/netip"

// Is reports whether host is a loopback address or the name localhost.
func Is(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
