// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"os"
	"testing"

	"fount/cmd/fount/internal/randfs"
)

// Root, who could end the server, and the server's own user have all connections there are.
func TestShareOfConnections(t *testing.T) {
	l := Limits{Conns: 100, UserConns: 7}
	for uid, want := range map[int]int{0: 100, os.Geteuid(): 100, 65534: 7, os.Geteuid() + 1: 7, randfs.Unknown: 50} {
		if got := l.share(uid); got != want {
			t.Errorf("user %d may have %d connections, want %d", uid, got, want)
		}
	}
}
