// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package unixsocket

import "net"

// abandon ends a listener as a kill does: its socket stays.
func abandon(l net.Listener) {
	if u, ok := l.(interface{ SetUnlinkOnClose(bool) }); ok { // not on Plan 9
		u.SetUnlinkOnClose(false)
	}
	l.Close()
}
