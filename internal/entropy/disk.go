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

// A disk is the steps on files, each of which can fail.
type disk interface {
	// lock refuses a file that others may replace, and keeps other processes from replacing it.
	lock(path string) (unlock func(), err error)
	// read returns the contents of a file that no other user may read.
	read(path string) ([]byte, error)
	// create makes a new file that no other user may read.
	create(path string) (file, error)
	rename(from, to string) error
	remove(path string) error
	// syncDir waits until the directory's names are on the disk.
	syncDir(dir string) error
}

type file interface {
	io.WriteCloser
	Sync() error // waits until the contents are on the disk
}

// writeSeed replaces path's contents with s. Whenever it stops, path is the old file or the new
// one, whole; after it returns without an error, path is the new one for good. The new file has a
// name that nobody else has, so nothing is ever in the way, and nothing removed that is another's.
// A process that is killed in between leaves it behind: nobody uses what is in it.
func writeSeed(d disk, path string, s *seed) error {
	defer erase.Wipe(s.entries)
	var name [8]byte
	kernel.Read(name[:])
	next := fmt.Sprintf("%s.%x.new", path, name)
	if err := writeNext(d, next, s); err != nil {
		d.remove(next)
		return fmt.Errorf("new contents could not be written, and nothing was used: %w", err)
	}
	if err := d.rename(next, path); err != nil {
		d.remove(next)
		return fmt.Errorf("%s could not take its place, and nothing was used: %w", next, err)
	}
	if err := d.syncDir(filepath.Dir(path)); err != nil {
		return fmt.Errorf("it may not be on the disk, and nothing was used: %w", err)
	}
	return nil
}

// writeNext writes s to a new file.
func writeNext(d disk, path string, s *seed) error {
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
