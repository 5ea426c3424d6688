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

// Check refuses a directory in which others may rename and remove files. One with the sticky bit,
// as /tmp, lets each user do so only with their own, so that an existing file stays what it is.
// Others may take a name before it exists; the process that creates it sees that.
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
		return fmt.Errorf("others may replace files in %s: it is user %d's, want %d's or 0's", d.Name(), uid, want)
	}
	return nil
}

// ErrHeld is in the error of Lock when another process holds the lock.
var ErrHeld = errors.New("another process holds it")

// pause is how long Lock waits between two tries.
const pause = 10 * time.Millisecond

// Lock takes the lock that is a file of this user's in a directory, which Check takes, and waits
// for it no longer than wait. The file has mode 0600: a user who can't open it can't hold its lock
// (flock(2)), as anybody who may read a directory can hold the directory's. It is removed by
// unlock; where a killed process left it, it is in nobody's way.
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
		case err == nil && names(d, name, f):
			return func() { release(d, name, f) }, nil
		case err != nil && err != unix.EWOULDBLOCK && err != unix.EINTR:
			f.Close()
			return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
		}
		f.Close() // another's, or removed by who had it
		if !time.Now().Before(deadline) {
			return nil, fmt.Errorf("lock %s: %w", path, ErrHeld)
		}
		time.Sleep(pause)
	}
}

// openLock opens the file or makes it. Where others may create files it may be theirs: that is an
// error.
func openLock(d *os.File, name, path string) (*os.File, error) {
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	fd, err := unix.Openat(int(d.Fd()), name, flags, 0o600)
	if err != nil {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 ||
		int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid()) {
		err = fmt.Errorf("lock %s: others have access to it: remove it", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// release removes the file, unless its name is another's by now, and gives up the lock.
func release(d *os.File, name string, f *os.File) {
	if names(d, name, f) {
		unix.Unlinkat(int(d.Fd()), name, 0)
	}
	f.Close()
}

// names reports whether f still has its name.
func names(d *os.File, name string, f *os.File) bool {
	var at, of unix.Stat_t
	return unix.Fstatat(int(d.Fd()), name, &at, unix.AT_SYMLINK_NOFOLLOW) == nil &&
		unix.Fstat(int(f.Fd()), &of) == nil && at.Dev == of.Dev && at.Ino == of.Ino
}
