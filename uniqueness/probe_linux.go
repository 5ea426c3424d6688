// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package uniqueness

// The calls by which the kernel's own word is looked for; sys_linux.go holds those that every build makes.

import (
	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// readFile and links are those of package sysfile.

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
