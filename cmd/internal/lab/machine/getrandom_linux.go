// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// getrandom(2). golang.org/x/sys calls it in the vDSO where it can: unsafe is for the call that
// enters the kernel, to compare with.

import (
	"errors"
	"math"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Getrandom fills b as Go's own crypto/rand does: in the vDSO if it can.
func Getrandom(b []byte) error {
	return whole(func(b []byte) (int, error) { return unix.Getrandom(b, 0) }, b)
}

// RawGetrandom fills b with one system call, or more if a signal ends one above 256 bytes early.
func RawGetrandom(b []byte) error {
	return whole(func(b []byte) (int, error) { return rawGetrandom(b, 0) }, b)
}

// whole fills b by a call that may fill less.
func whole(call func([]byte) (int, error), b []byte) error {
	for {
		n, err := call(b)
		if err != nil || n >= len(b) {
			return err
		}
		b = b[n:]
	}
}

// rawGetrandom has flags too, and may fill less.
func rawGetrandom(b []byte, flags uintptr) (n int, err error) {
	got, _, errno := unix.Syscall(unix.SYS_GETRANDOM, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), flags)
	if errno != 0 {
		return 0, errno
	}
	return int(got), nil
}

// getrandomState asks for 16 bytes and does not wait for them.
func getrandomState() State {
	var b [16]byte
	_, err := rawGetrandom(b[:], unix.GRND_NONBLOCK)
	switch {
	case err == nil:
		return Ready
	case errors.Is(err, unix.EAGAIN):
		return Wait
	case errors.Is(err, unix.ENOSYS):
		return Gone
	}
	return Denied
}

// timeOf returns the ns for 16 bytes, the least of some rounds: the machine adds time, and takes
// none away.
func timeOf(read func([]byte) error) float64 {
	var b [16]byte
	least := math.Inf(1)

	for range 20 {
		const calls = 100
		start := time.Now()
		for range calls {
			_ = read(b[:]) // it answers: that was tried
		}
		least = min(least, float64(time.Since(start))/calls)
	}
	return least
}
