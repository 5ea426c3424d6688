// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package unixsocket

import (
	"fmt"
	"io/fs"
	"net"
	"runtime"
)

// Listen returns an error.
func Listen(path string, _ fs.FileMode) (net.Listener, error) {
	return nil, fmt.Errorf("%s: on %s nothing keeps other users from a unix socket; listen on loopback", path, runtime.GOOS)
}
