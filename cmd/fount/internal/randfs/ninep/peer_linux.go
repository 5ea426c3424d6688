// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"net"

	"golang.org/x/sys/unix"
)

// credentials are those of the other end of a unix socket when it connected.
func credentials(c net.Conn) (pid, uid int, ok bool) {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return 0, 0, false
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return 0, 0, false
	}
	var cred *unix.Ucred
	raw.Control(func(fd uintptr) { cred, _ = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if cred == nil {
		return 0, 0, false
	}
	return int(cred.Pid), int(cred.Uid), true
}

// sendBuffer is SO_SNDBUF of a unix socket; the kernel doubles it. An answer of 128 KiB fits.
const sendBuffer = 100 << 10

// boundBuffer bounds what the kernel keeps for a client that does not read: 200 KiB and the last
// piece, up to 100 KiB, of the server's memory, whatever net.core.wmem_default is.
func boundBuffer(c net.Conn) error {
	if u, ok := c.(*net.UnixConn); ok {
		return u.SetWriteBuffer(sendBuffer)
	}
	return nil
}
