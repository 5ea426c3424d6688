// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9 && !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package unixsocket

import (
	"io/fs"
	"net"
	"os"
)

// Listen listens at a path, on systems where a directory can't be held.
func Listen(path string, mode fs.FileMode) (net.Listener, error) {
	info, err := os.Lstat(path)
	if err == nil {
		if err := stale(path, info.Mode().Type() == fs.ModeSocket); err != nil {
			return nil, err
		}
		err = os.Remove(path)
	}
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, mode.Perm()); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
