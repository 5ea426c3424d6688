// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"fmt"
	"io/fs"
	"net"
)

func listenUnix(path string, _ fs.FileMode) (net.Listener, error) {
	return nil, fmt.Errorf("unix!%s: Plan 9 has no unix sockets: post to /srv, or listen on 'tcp!127.0.0.1!5640'", path)
}
