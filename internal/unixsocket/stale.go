// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9

package unixsocket

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"syscall"
	"time"
)

// dialTimeout is more than a connection within the machine ever takes, unless the server's backlog is full.
const dialTimeout = 10 * time.Second

// errServed is the error at a socket that is in use.
func errServed(path string) error {
	return fmt.Errorf("%s is served by another process: stop it or listen elsewhere", path)
}

// stale is an error unless what stands at path is the socket of a server that is gone.
func stale(path string, isSocket bool) error {
	if !isSocket {
		return fmt.Errorf("%s is not a socket: move it away or listen elsewhere", path)
	}
	c, err := net.DialTimeout("unix", path, dialTimeout)
	if err == nil {
		c.Close()
		return errServed(path)
	}
	if !refused(err) {
		return fmt.Errorf("can't tell whether somebody serves %s: %w", path, err)
	}
	return nil
}

// refused reports whether nobody listens. (Windows has a number of its own for that, WSAECONNREFUSED.)
func refused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || runtime.GOOS == "windows" && errors.Is(err, syscall.Errno(10061))
}
