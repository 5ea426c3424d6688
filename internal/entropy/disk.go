// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"fmt"
	"io"
	"path/filepath"

	"fount/internal/erase"
	"fount/internal/kernel"
)

// A disk has the file operations that replace a seed file. Each can fail.
type disk interface {
	// lock keeps other processes from replacing the file. It fails if other users can replace it.
	lock(path string) (unlock func(), err error)
	// read returns the contents of a file. It fails if other users can read it.
	read(path string) ([]byte, error)
	// create creates a file that no other user can read.
	create(path string) (file, error)
	rename(from, to string) error
	remove(path string) error
	// syncDir returns once the directory's names are on the disk.
	syncDir(dir string) error
}

type file interface {
	io.WriteCloser
	Sync() error // returns once the contents are on the disk
}

// writeSeed replaces path's contents with s. Whenever the process or machine stops, path is the
// whole old file or the whole new one. Once writeSeed has returned without an error, it stays the
// new one. The new file first has a random name, so it never meets another file. A process that is
// killed in between leaves it behind; nobody uses it.
func writeSeed(d disk, path string, s *contents) error {
	defer erase.Wipe(s.entries)

	var name [8]byte
	kernel.Read(name[:])
	next := fmt.Sprintf("%s.%x.new", path, name)
	if err := writeNext(d, next, s); err != nil {
		d.remove(next)
		return fmt.Errorf("the new contents could not be written, and nothing was used: %w", err)
	}

	if err := d.rename(next, path); err != nil {
		d.remove(next)
		return fmt.Errorf("%s could not replace it, and nothing was used: %w", next, err)
	}

	if err := d.syncDir(filepath.Dir(path)); err != nil {
		return fmt.Errorf("the new contents may not be on the disk, and nothing was used: %w", err)
	}
	return nil
}

// writeNext writes s to a new file.
func writeNext(d disk, path string, s *contents) error {
	f, err := d.create(path)
	if err != nil {
		return err
	}

	b := s.encode()
	defer erase.Wipe(b)
	if _, err = f.Write(b); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
