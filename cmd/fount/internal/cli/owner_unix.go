// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package cli

import (
	"os"
	"syscall"
)

// keepOwner gives the file the owner and group of another.
func keepOwner(f *os.File, of os.FileInfo) error {
	s, ok := of.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return f.Chown(int(s.Uid), int(s.Gid))
}
