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

// systemDisk is the disk.
type systemDisk struct{}

// turn is how long a process waits for those before it. One that is stopped while it holds the lock
// would otherwise stop all others for good.
const turn = 30 * time.Second

func (systemDisk) lock(path string) (unlock func(), err error) {
	d, err := openDir(path)
	if err != nil {
		return nil, err
	}
	// Not on the file, which is replaced, and not on the directory, whose lock any user can hold
	// that may read it.
	release, err := safedir.Lock(d, filepath.Base(path)+".lock", turn)
	if err != nil {
		d.Close()
		return nil, err
	}
	return func() { release(); d.Close() }, nil
}

// openDir opens a file's directory if no other user may replace the file.
func openDir(path string) (*os.File, error) {
	if path == "" {
		return nil, errors.New("it has no name; name a file")
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
	// O_NOFOLLOW, because it may have become one since. O_NONBLOCK, so that a pipe does not
	// stop the process before it is refused.
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
	// One buffer that does not grow: no copy of it is left behind.
	b := make([]byte, info.Size())
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, err
	}
	return b, nil
}

// checkFile refuses what others may have read or written.
func checkFile(info fs.FileInfo) error {
	st := info.Sys().(*syscall.Stat_t)
	switch m := info.Mode(); {
	case m.IsDir():
		return errors.New("it is a directory; name a file in it")
	case !m.IsRegular():
		return errors.New("it is no regular file but a pipe, a socket or a device")
	case m.Perm()&0o077 != 0:
		return fmt.Errorf("others have access to it: its mode is %#o, want %#o", m.Perm(), m.Perm()&0o700)
	case int(st.Uid) != os.Geteuid():
		return fmt.Errorf("it is user %d's, want %d's", st.Uid, os.Geteuid())
	case st.Nlink > 1:
		return fmt.Errorf("it has %d names, and only one can be replaced: remove the others", st.Nlink)
	case info.Size() > int64(maxSeed):
		return fmt.Errorf("it is no seed file: it has %d bytes, and the largest has %d", info.Size(), maxSeed)
	}
	return nil
}

func (systemDisk) create(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err // and no file of type *os.File
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
