// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Listeners.

import (
	"io/fs"
	"net"

	"fount/internal/unixsocket"
)

// Listen listens on "unix!/run/fount.sock", with mode 0600, or on "tcp!127.0.0.1!5640". It takes only loopback
// addresses, because 9P neither encrypts nor authenticates; the error for another address says what to do. It replaces a
// socket that a killed server left, on which nobody answers; one that is answered, and a file of another kind, are
// errors. Close removes the socket.
func Listen(addr string) (net.Listener, error) { return ListenMode(addr, 0o600) }

// ListenMode is Listen with another mode for the unix socket: users who may write to it may connect.
func ListenMode(addr string, mode fs.FileMode) (net.Listener, error) {
	a, err := parse(addr)
	if err != nil {
		return nil, err
	}
	if a.network == "tcp" {
		return net.Listen("tcp", a.String())
	}
	return unixsocket.Listen(a.path, mode)
}
