// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux || 386 || arm || mips || mipsle

package fusefs

// Systems without FUSE, and those for which go-fuse v2.12.1 does not build.

import (
	"errors"
	"runtime"

	"fount/cmd/fount/internal/randfs"
)

// A Server serves a mounted tree. There is none on this system.
type Server struct{}

// Mount returns an error: FUSE needs Linux on a 64-bit processor.
func Mount(*randfs.Tree, string, Options) (*Server, error) {
	return nil, errors.New("FUSE needs 64-bit Linux, and this is " + runtime.GOOS + "/" + runtime.GOARCH)
}

// Dir is where the tree is mounted.
func (*Server) Dir() string { return "" }

// Cleared reports whether a dead mount was cleared.
func (*Server) Cleared() bool { return false }

// Wait waits until nothing is served any more.
func (*Server) Wait() error { return nil }

// Unmount takes the tree from its directory.
func (*Server) Unmount() error { return nil }

// Abandon unmounts although files are open.
func (*Server) Abandon() error { return nil }
