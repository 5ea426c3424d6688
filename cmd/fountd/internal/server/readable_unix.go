// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package server

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// canPark reports whether readable can wait for a connection.
func canPark(raw net.Conn) bool {
	_, ok := raw.(syscall.Conn)
	return ok
}

// readable waits until a read would not wait, or for the read deadline. It holds no buffer.
func readable(raw net.Conn) error {
	c, err := raw.(syscall.Conn).SyscallConn()
	if err != nil {
		return err
	}
	return c.Read(func(fd uintptr) bool {
		poll := [1]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(poll[:], 0)
		return n > 0 || err != nil
	})
}
