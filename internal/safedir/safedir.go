// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package safedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Check returns an error if other users can rename and remove files in a directory. In one with the
// sticky bit, such as /tmp, they can do so only with their own files. There they can also create a
// file first; the process that then creates it gets an error.
func Check(d *os.File) error {
	info, err := d.Stat()
	if err != nil {
		return err
	}

	m := info.Mode()
	if !m.IsDir() {
		return fmt.Errorf("%s is not a directory", d.Name())
	}
	if m.Perm()&0o022 != 0 && m&fs.ModeSticky == 0 {
		return fmt.Errorf("others may replace files in %s: its mode is %#o, want %#o or less",
			d.Name(), m.Perm(), m.Perm()&^0o022)
	}

	uid := info.Sys().(*syscall.Stat_t).Uid
	if want := os.Geteuid(); int(uid) != want && uid != 0 {
		return fmt.Errorf("others may replace files in %s: it belongs to user %d, want %d or 0", d.Name(), uid, want)
	}
	return nil
}

// ErrHeld is wrapped by the error of Lock if another process holds the lock.
var ErrHeld = errors.New("another process holds it")

// retryInterval is how long Lock waits between two tries.
const retryInterval = 10 * time.Millisecond

// Lock locks the file name in d, a directory that Check accepts, and waits for the lock at most
// wait. It creates the file with mode 0600, because any user who can open a file can hold its lock
// (flock(2)). unlock removes the file. One that a killed process left does no harm.
func Lock(d *os.File, name string, wait time.Duration) (unlock func(), err error) {
	path := filepath.Join(d.Name(), name)
	deadline := time.Now().Add(wait)
	for {
		f, err := openLock(d, name, path)
		if err != nil {
			return nil, err
		}

		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil && hasName(d, name, f):
			return func() { release(d, name, f) }, nil
		case err != nil && err != unix.EWOULDBLOCK && err != unix.EINTR:
			f.Close()
			return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
		}

		f.Close() // another process holds the lock, or has removed the file
		if !time.Now().Before(deadline) {
			return nil, fmt.Errorf("lock %s: %w", path, ErrHeld)
		}
		time.Sleep(retryInterval)
	}
}

// openLock opens the file or creates it. A file of another user's is an error, as is anything but a
// regular file.
func openLock(d *os.File, name, path string) (*os.File, error) {
	special := fmt.Errorf("lock %s: it is not a regular file; remove it", path)
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC

	fd, err := unix.Openat(int(d.Fd()), name, flags, 0o600)
	if err != nil {
		var at unix.Stat_t // the error of a link or a socket does not say what it is
		if unix.Fstatat(int(d.Fd()), name, &at, unix.AT_SYMLINK_NOFOLLOW) == nil && at.Mode&unix.S_IFMT != unix.S_IFREG {
			return nil, special
		}
		return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
	}

	f := os.NewFile(uintptr(fd), path)
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = special
	case info.Mode().Perm()&0o077 != 0 || int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid():
		err = fmt.Errorf("lock %s: others have access to it; remove it", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// release removes the file, unless its name is another file's by now, and unlocks it.
func release(d *os.File, name string, f *os.File) {
	if hasName(d, name, f) {
		unix.Unlinkat(int(d.Fd()), name, 0)
	}
	f.Close()
}

// hasName reports whether name still is f's.
func hasName(d *os.File, name string, f *os.File) bool {
	var at, of unix.Stat_t
	return unix.Fstatat(int(d.Fd()), name, &at, unix.AT_SYMLINK_NOFOLLOW) == nil &&
		unix.Fstat(int(f.Fd()), &of) == nil && at.Dev == of.Dev && at.Ino == of.Ino
}
