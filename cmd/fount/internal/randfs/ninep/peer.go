// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// The user at the other end.

import (
	"fmt"
	"net"
	"os"

	"fount/cmd/fount/internal/randfs"
)

// A peer is a client by its name, for stats and the log, and by its user: randfs.Unknown where the system does not say,
// as of tcp.
type peer struct {
	name string
	uid  int
}

// peerOf names a connection by what the system knows of a unix socket, or else by its address.
func peerOf(c net.Conn, number uint64) peer {
	if pid, uid, ok := credentials(c); ok {
		return peer{fmt.Sprintf("pid%d.uid%d", pid, uid), uid}
	}
	if name := c.RemoteAddr().String(); name != "" && name != "@" {
		return peer{name, randfs.Unknown}
	}
	return peer{fmt.Sprintf("%s#%d", c.LocalAddr().Network(), number), randfs.Unknown}
}

// share is how many connections a user may have: root and the server's own user all there are, those whom the system
// does not name half of them together.
func (l *Limits) share(uid int) int {
	switch uid {
	case randfs.Unknown:
		return max(1, l.Conns/2)
	case 0, os.Geteuid():
		return l.Conns
	}
	return l.UserConns
}

// userName is a user in words.
func userName(uid int) string {
	if uid == randfs.Unknown {
		return "users whom the system does not name"
	}
	return fmt.Sprint("user ", uid)
}
