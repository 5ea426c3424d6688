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
// heap.go runs the same tests under the tags race and purego.
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

// Map returns n zero values of T, n > 0, outside of the heap, and a function that
// gives them back to the system, after which they must not be touched. It is
// for much memory and a short time: on the heap 200 MiB of it would let as much
// garbage pile up before each collection. It is left out of core dumps where
// the system grants that, and not locked. T must not hold Go pointers. Where
// the system maps nothing the heap is asked.
//
// The conversion is that of New; its twin is in heap.go.
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
