// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import "net"

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
