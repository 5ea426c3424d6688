// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix && !race && !purego

package erase

import (
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"

	"fount/internal/stop"
)

const place = "mmap"

// New returns n zero values of T in a private anonymous mapping, page-aligned,
// with what protection the system grants (see [Granted]). T must not hold Go
// pointers: the garbage collector does not look there. The memory is never
// given back; a process that can't map it stops, as it would on the heap.
//
// The unsafe conversion is the package's only one: x/sys maps bytes, callers
// keep structures (https://pkg.go.dev/unsafe#Pointer, pattern 1). Its twin in
// new_heap.go runs the same tests under the tags race and purego.
func New[T any](n int) []T {
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		stop.Now("mmap of " + strconv.Itoa(size) + " bytes for generator states failed: " + err.Error() + "; the process needs that much address space")
	}
	protect(b)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}
