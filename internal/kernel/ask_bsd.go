// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build dragonfly || freebsd

package kernel

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

const system = "getrandom(2)"

// ask fills the front of b and returns how many bytes. x/sys does not wrap the call. The unsafe
// conversion passes b's address to it (https://pkg.go.dev/unsafe#Pointer, pattern 4).
func ask(b []byte) (int, error) {
	for {
		n, _, errno := unix.Syscall(unix.SYS_GETRANDOM, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), 0)
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
			continue
		}
		return 0, errno
	}
}
