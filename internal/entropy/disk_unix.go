// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package entropy

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"fount/internal/safedir"

	"golang.org/x/sys/unix"
)

// systemDisk is the disk of this system.
type systemDisk struct{}

// lockTimeout is how long a process waits for the lock. Without it, a process that is stopped while
// it holds the lock would stop all others for good.
const lockTimeout = 30 * time.Second

func (systemDisk) lock(path string) (unlock func(), err error) {
	d, err := openDir(path)
	if err != nil {
		return nil, err
	}

	// The lock is a file of its own, because the seed file is replaced, and any user who can read
	// the directory can hold a lock on that.
	release, err := safedir.Lock(d, filepath.Base(path)+".lock", lockTimeout)
	if err != nil {
		d.Close()
		return nil, err
	}
	return func() { release(); d.Close() }, nil
}

// openDir opens a file's directory. It fails if other users can replace the file.
func openDir(path string) (*os.File, error) {
	if path == "" {
		return nil, errors.New("its name is empty, want a path")
	}

	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}

	if err := safedir.Check(d); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (systemDisk) read(path string) ([]byte, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, errors.New("it is a symbolic link; name the file itself")
	}

	// O_NOFOLLOW, because it may have become a symbolic link since. O_NONBLOCK, so that a pipe does
	// not block the process before checkFile refuses it.
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()

	info, err := f.Stat()
	if err != nil {
		return nil, err
	}

	if err := checkFile(info); err != nil {
		return nil, err
	}

	// A buffer that does not grow leaves no copies behind.
	b := make([]byte, info.Size())
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, err
	}
	return b, nil
}

// checkFile refuses a file that other users may have read or written, and one that is no seed file.
func checkFile(info fs.FileInfo) error {
	st := info.Sys().(*syscall.Stat_t)
	switch m := info.Mode(); {
	case m.IsDir():
		return errors.New("it is a directory; name a file in it")
	case !m.IsRegular():
		return errors.New("it is a pipe, a socket or a device, want a regular file")
	case m.Perm()&0o077 != 0:
		return fmt.Errorf("others have access to it: its mode is %#o, want %#o", m.Perm(), m.Perm()&0o700)
	case int(st.Uid) != os.Geteuid():
		return fmt.Errorf("it belongs to user %d, want %d", st.Uid, os.Geteuid())
	case st.Nlink > 1:
		return fmt.Errorf("it has %d names (hard links), and only one can be replaced: remove the others", st.Nlink)
	case info.Size() > int64(maxSeed):
		return fmt.Errorf("it is no seed file: it has %d bytes, and the largest has %d", info.Size(), maxSeed)
	}
	return nil
}

func (systemDisk) create(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err // not f: a nil *os.File is not a nil file
	}
	return f, nil
}

func (systemDisk) rename(from, to string) error { return os.Rename(from, to) }
func (systemDisk) remove(path string) error     { return os.Remove(path) }

func (systemDisk) syncDir(dir string) error {
	d, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
