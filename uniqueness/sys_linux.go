// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package uniqueness

// The system calls of the search, and what their failures mean. Each can be made to fail by a test.

import (
	"errors"
	"io/fs"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// inject, if a test sets it, runs before each of the calls below and says how it fails.
var inject func() error

func failing() error {
	if inject == nil {
		return nil
	}
	return inject()
}

// failed makes a reason of an error. Descriptors and memory that are out now may be back at another Check.
func failed(what string, err error) error {
	why := what + ": " + err.Error()
	if sysfile.Scarce(err) {
		return shortage(why)
	}
	return errors.New(why)
}

func retry(f func() (int, error)) (int, error) {
	if err := failing(); err != nil {
		return 0, err
	}
	return sysfile.Retry(f)
}

// open, readFile and links are those of package sysfile.

func open(path string) (int, error) {
	err := failing()
	if err == nil {
		var fd int
		if fd, err = sysfile.Open(path); err == nil {
			return fd, nil
		}
	}
	return -1, failedFile(path, err)
}

func readFile(path string) ([]byte, error) {
	err := failing()
	if err == nil {
		var b []byte
		if b, err = sysfile.Read(path, 64<<20); err == nil { // as many mappings as a process may have
			return b, nil
		}
	}
	return nil, failedFile(path, err)
}

func links(dir string) ([]string, error) {
	err := failing()
	if err == nil {
		var names []string
		if names, err = sysfile.Links(dir); err == nil {
			return names, nil
		}
	}
	return nil, failedFile(dir, err)
}

func failedFile(path string, err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return failed(of.Op+" "+of.Path, of.Err)
	}
	return failed("open "+path, err)
}

// mmap maps memory; fd is -1 for memory of nobody's.
func mmap(what string, fd, size, prot, flags int) (page, error) {
	err := failing()
	var b []byte
	if err == nil {
		b, err = unix.Mmap(fd, 0, size, prot, flags)
	}
	if err != nil {
		return nil, failed("mmap of "+what, err)
	}
	return b, nil
}

// A pipe is how memory is looked at that may not be there: write(2) of it fails with EFAULT, where a load would kill the
// process, and some [vvar] pages can't be read. (pread of /proc/self/mem fails for all of them.)
type pipe struct{ from, to int }

func newPipe() (*pipe, error) {
	var fds [2]int
	err := failing()
	if err == nil {
		err = unix.Pipe2(fds[:], unix.O_CLOEXEC|unix.O_NONBLOCK)
	}
	if err != nil {
		return nil, failed("pipe", err)
	}
	return &pipe{fds[0], fds[1]}, nil
}

func (p *pipe) close() {
	unix.Close(p.from)
	unix.Close(p.to)
}

// copy fills piece, of at most what a pipe takes at once, from addr; false means that it can't be read.
func (p *pipe) copy(piece []byte, addr uintptr) (bool, error) {
	n, err := retry(func() (int, error) {
		n, _, errno := unix.Syscall(unix.SYS_WRITE, uintptr(p.to), addr, uintptr(len(piece)))
		if errno != 0 {
			return 0, errno
		}
		return int(n), nil
	})
	switch {
	case err == unix.EFAULT:
		return false, nil
	case err != nil:
		return false, failed("write to a pipe", err)
	}
	whole := n == len(piece)
	for got := 0; got < n; {
		m, err := retry(func() (int, error) { return unix.Read(p.from, piece[got:n]) })
		if err != nil {
			return false, failed("read from a pipe", err)
		}
		got += m
	}
	return whole, nil
}
