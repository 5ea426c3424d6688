// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix || race || purego

package erase

// Place is where New gets memory.
const Place = "heap"

const wipeOnFork, dontDump, canLock = false, false, false

// New returns n zero values of T, on the heap. T must not have Go pointers, as in mmap.go. The
// caller keeps the slice for the life of the process: freed heap memory is not wiped. This file is
// for systems without mmap, for the race detector, which sees only the heap, and for purego.
func New[T any](n int) []T { return make([]T, n) }

// Map returns n zero values of T, and a function that does nothing: the collector frees them.
func Map[T any](n int) (values []T, unmap func()) { return make([]T, n), func() {} }
