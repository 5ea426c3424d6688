// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

const system = "getentropy(2)"

// ask fills b, of at most 256 bytes, and returns its length. x/sys does not wrap the call. The
// unsafe conversion passes b's address to it (https://pkg.go.dev/unsafe#Pointer, pattern 4).
func ask(b []byte) (int, error) {
	_, _, errno := unix.Syscall(unix.SYS_GETENTROPY, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), 0)
	if errno != 0 {
		return 0, errno
	}
	return len(b), nil
}
