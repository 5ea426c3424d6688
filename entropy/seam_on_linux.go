// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package entropy

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// rawSyscall makes the system call that unix.Getrandom avoids where it finds
// the vDSO: what a kernel before 6.11 costs. The unsafe conversion is the one
// system calls need (https://pkg.go.dev/unsafe#Pointer, pattern 4).
func rawSyscall(b []byte) error {
	for len(b) > 0 {
		n, _, errno := unix.Syscall(unix.SYS_GETRANDOM, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), 0)
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			return errno
		}
		b = b[n:]
	}
	return nil
}
