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

// Place is where New gets memory.
const Place = "mmap"

// New returns n zero values of T in a private anonymous mapping, page-aligned, with the protection
// that the system grants (see [Locked]). T must not have Go pointers: the garbage collector does
// not see them. The memory is never freed. A process that can't map it stops, as it would on the
// heap.
//
// The unsafe conversion is needed because x/sys maps bytes (https://pkg.go.dev/unsafe#Pointer,
// pattern 1). heap.go passes the same tests under the tags race and purego.
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

// Map returns n zero values of T, n > 0, outside the heap, and a function that frees them. They
// must not be used afterwards. Map is for much memory and a short time: on the heap, 200 MiB would
// let as much garbage pile up before each collection. Core dumps leave it out if the system grants
// that; it is not locked. T must not have Go pointers. If the system maps nothing, Map uses the
// heap.
func Map[T any](n int) (values []T, unmap func()) {
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return make([]T, n), func() {}
	}
	adviseLarge(b)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n), func() { unix.Munmap(b) }
}
