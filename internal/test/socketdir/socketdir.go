// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package socketdir makes directories for the Unix sockets of tests. It is not for programs.
package socketdir

import (
	"os"
	"testing"

	"fount/internal/test/require"
)

// longest is the most bytes of a TMPDIR in which a socket's path fits: 104 with its NUL on BSD.
const longest = 64

// New returns a directory of this user's alone, which lasts as long as the test. At least 16 bytes
// are left for the name of a socket in it. t.TempDir's may have a longer path than a socket can.
func New(t testing.TB) string {
	t.Helper()
	parent := ""
	if len(os.TempDir()) > longest {
		parent = "/tmp"
	}
	dir, err := os.MkdirTemp(parent, "fount-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
