// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"errors"
	"sync"
	"sync/atomic"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// noGetrandom is set when the kernel answers ENOSYS (Linux before 3.17, or a sandbox that pretends
// to be one). That does not change while the process runs.
var noGetrandom atomic.Bool

// Name returns the name of the generator that Read asks, for Status.
func Name() string {
	if noGetrandom.Load() {
		return "/dev/urandom"
	}
	return "getrandom(2)"
}

// maxRead is how many bytes one call reads. In the vDSO it can't be preempted, and the garbage
// collector waits for it.
const maxRead = 64 << 10

func read(b []byte) error {
	if noGetrandom.Load() {
		return readURandom(b)
	}

	for len(b) > 0 {
		n, err := sysfile.Retry(func() (int, error) { return unix.Getrandom(b[:min(len(b), maxRead)], 0) })
		switch {
		case err == unix.ENOSYS:
			noGetrandom.Store(true)
			return readURandom(b)
		case err != nil:
			return err
		case n <= 0:
			return errNothing
		}
		b = b[n:]
	}
	return nil
}

var errNothing = errors.New("it returned no bytes and no error")

// openURandom returns a descriptor of /dev/urandom. It first waits until /dev/random is readable,
// which it is once the kernel's generator is seeded (random(4)): /dev/urandom itself never blocks.
var openURandom = sync.OnceValues(func() (int, error) {
	wait, err := openChar("/dev/random", 8)
	if err != nil {
		return -1, err
	}
	defer unix.Close(wait)
	for {
		n, err := sysfile.Retry(func() (int, error) {
			return unix.Poll([]unix.PollFd{{Fd: int32(wait), Events: unix.POLLIN}}, -1)
		})
		if err != nil {
			return -1, err
		}
		if n == 1 {
			return openChar("/dev/urandom", 9)
		}
	}
})

// openChar opens a memory device (major number 1). It refuses anything else, such as the plain file
// that a carelessly made chroot may have at that path.
func openChar(path string, minor uint32) (int, error) {
	fd, err := sysfile.Retry(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return -1, errors.New("open " + path + ": " + err.Error())
	}

	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return -1, err
	}

	if st.Mode&unix.S_IFMT != unix.S_IFCHR || unix.Major(uint64(st.Rdev)) != 1 || unix.Minor(uint64(st.Rdev)) != minor {
		unix.Close(fd)
		return -1, errors.New(path + " is not the kernel's device")
	}
	return fd, nil
}

func readURandom(b []byte) error {
	fd, err := openURandom()
	if err != nil {
		return err
	}

	for len(b) > 0 {
		n, err := sysfile.Retry(func() (int, error) { return unix.Read(fd, b) })
		switch {
		case err != nil:
			return err
		case n <= 0:
			return errNothing
		}
		b = b[n:]
	}
	return nil
}
