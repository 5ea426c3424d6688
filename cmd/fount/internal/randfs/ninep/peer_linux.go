// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// credentials says who is at the other end of a unix socket: "pid4711.uid1000", as they were when it connected.
func credentials(c net.Conn) string {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return ""
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return ""
	}
	var cred *unix.Ucred
	raw.Control(func(fd uintptr) { cred, _ = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if cred == nil {
		return ""
	}
	return fmt.Sprintf("pid%d.uid%d", cred.Pid, cred.Uid)
}
