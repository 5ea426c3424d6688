// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package unixsocket

import (
	"net"

	"golang.org/x/sys/unix"
)

// Peer returns the process and the user that connected to a Unix socket. The last result reports
// whether the system knows them.
func Peer(c net.Conn) (pid, uid int, ok bool) {
	var cred *unix.Ucred
	if u, isUnix := c.(*net.UnixConn); isUnix {
		raw, err := u.SyscallConn()
		if err == nil {
			raw.Control(func(fd uintptr) { cred, _ = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
		}
	}

	if cred == nil {
		return 0, 0, false
	}
	return int(cred.Pid), int(cred.Uid), true
}
