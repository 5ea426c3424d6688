// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Reading without asking in vain.
//
// net.Conn.Read tries first and waits then. Of a client that sends a request when it has its answer, the try finds
// nothing each time. A RawConn's Read waits whenever its function returns false, and remembers what became ready
// since it was called. So all reads of a connection are made within one call of it, each after it was told that there
// is something, and until a read gave less than it could: the next bytes will be announced (epoll(7), question 9).
// That saves one of three system calls for a request: 0.5 of the 6.2 µs that a client waits for 16 bytes.
//
// A descriptor sent along makes a read end short. A client that sends one may wait for bytes that are there; no other
// client does.

import (
	"io"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// serveAll answers all messages that come.
func (c *conn) serveAll() error {
	socket, ok := c.rw.(interface {
		net.Conn
		syscall.Conn
	})
	if !ok {
		return c.serveReads()
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	var end error
	err = raw.Read(func(fd uintptr) bool {
		end = c.serveReady(int(fd))
		return end != nil
	})
	if end != nil {
		return end
	}
	return err
}

// serveReady answers what can be read now.
func (c *conn) serveReady(fd int) error {
	for {
		room := c.room()
		n, err := unix.Read(fd, room)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN:
			return nil
		case err != nil:
			return err
		case n == 0:
			return c.cut(io.EOF)
		}
		if err := c.took(n); err != nil || n < len(room) {
			return err
		}
	}
}
