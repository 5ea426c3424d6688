// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// The user at the other end.

import (
	"fmt"
	"net"
	"os"

	"fount/cmd/internal/unixsocket"
)

// unknown is the user of a client that the system does not name, as of tcp.
const unknown = -1

// A peer is a client by its name, for the log, and by its user.
type peer struct {
	name string
	uid  int
}

// peerOf names a connection by what the system knows of a unix socket, or else by its address.
func peerOf(c net.Conn) peer {
	if pid, uid, ok := unixsocket.Peer(c); ok {
		return peer{fmt.Sprintf("pid%d.uid%d", pid, uid), uid}
	}
	if name := c.RemoteAddr().String(); name != "" && name != "@" {
		return peer{name, unknown}
	}
	return peer{"a client at " + c.LocalAddr().String(), unknown}
}

// share is how many connections a user may have: root and the server's own user all there are,
// those unknown half of them together.
func (l *Limits) share(uid int) int {
	switch uid {
	case unknown:
		return max(1, l.Conns/2)
	case 0, os.Geteuid():
		return l.Conns
	}
	return max(1, l.Conns/8)
}

// userName is a user in words.
func userName(uid int) string {
	if uid == unknown {
		return "users whom the system does not name"
	}
	return fmt.Sprint("user ", uid)
}
