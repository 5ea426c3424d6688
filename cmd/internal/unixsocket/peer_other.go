// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package unixsocket

import "net"

// Peer returns false: only Linux is supported.
func Peer(net.Conn) (pid, uid int, ok bool) { return 0, 0, false }
