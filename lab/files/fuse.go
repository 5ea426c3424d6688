// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The source behind a FUSE mount of this process.

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// openFUSE mounts the files in an empty directory of dir.
func openFUSE(_ context.Context, o *Options, dir string) (*door, error) {
	begin := time.Now()
	mountpoint := filepath.Join(dir, "mount")
	if err := os.Mkdir(mountpoint, 0o700); err != nil {
		return nil, err
	}
	unmount, err := o.Servers.FUSE(mountpoint)
	if err != nil {
		return nil, err
	}
	random := filepath.Join(mountpoint, "random")
	return &door{way: wayFile, address: random, took: time.Since(begin), close: unmount}, nil
}
