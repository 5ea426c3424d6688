// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package safedir

import (
	"os"
	"path/filepath"
)

// Replace closes f, which was written, and renames it to path, on the same file system. Whenever
// the machine stops, path is the whole old file or the whole new one. After an error path is the
// old file, and f keeps its name.
func Replace(f *os.File, path string) error {
	if err := f.Sync(); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}

	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}

	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync() // not every system can
		dir.Close()
	}
	return nil
}
