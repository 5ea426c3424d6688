// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package unixsocket

import (
	"fmt"
	"io/fs"
	"net"
)

// Listen returns an error.
func Listen(path string, _ fs.FileMode) (net.Listener, error) {
	return nil, fmt.Errorf("%s: Plan 9 has no unix sockets; listen on loopback", path)
}
