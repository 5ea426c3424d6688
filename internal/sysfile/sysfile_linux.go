// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package sysfile reads the small files in which Linux describes the machine. Package os can't be
// used for a first random value: its first Open starts the runtime's poller, which stops the
// process ("netpollinit failed") if it gets no descriptors of its own.
package sysfile

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// Retry calls f again while a signal interrupts it.
func Retry(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// Scarce reports whether err, of a system call, means that descriptors or memory are lacking now.
func Scarce(err error) bool {
	if path, ok := err.(*fs.PathError); ok {
		err = path.Err
	}
	switch err {
	case unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN:
		return true
	}
	return false
}

// Open opens a file for reading. It does not block, even if the path is a pipe.
func Open(path string) (fd int, err error) {
	fd, err = Retry(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0) })
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return fd, nil
}

// Read returns the contents of a file, at most limit bytes.
func Read(path string, limit int) ([]byte, error) { return readAll(path, limit, unix.Read) }

// Links returns the names of the symbolic links in a directory.
func Links(dir string) (names []string, err error) {
	entries, err := readAll(dir, 1<<20, unix.ReadDirent)
	if err != nil {
		return nil, err
	}

	_, _, list := unix.ParseDirent(entries, -1, nil)
	for _, name := range list {
		var target [1]byte
		if _, err := unix.Readlink(dir+"/"+name, target[:]); err == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// readAll calls read until it returns nothing, and returns all that it read, at most limit bytes.
func readAll(path string, limit int, read func(fd int, b []byte) (int, error)) ([]byte, error) {
	fd, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)

	b := make([]byte, 0, 8<<10)
	for len(b) < limit {
		if cap(b)-len(b) < 4<<10 {
			b = append(make([]byte, 0, 2*cap(b)), b...)
		}

		n, err := Retry(func() (int, error) { return read(fd, b[len(b):cap(b)]) })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		if n <= 0 {
			break
		}
		b = b[:len(b)+n]
	}
	return b[:min(len(b), limit)], nil
}
