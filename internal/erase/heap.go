// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix || race || purego

package erase

const place = "heap"

const wipeOnFork, dontDump, canLock = false, false, false

// New returns n zero values of T. T must not hold Go pointers (see
// mmap.go, whose twin this is: for systems without mmap, for the race
// detector, which sees the heap only, and for purego). The caller keeps the
// slice for good: heap memory that is let go is not wiped.
func New[T any](n int) []T { return make([]T, n) }

// Map returns n zero values of T, and a function that gives them back: the twin
// of that in mmap.go on the heap, where the collector does that.
func Map[T any](n int) (values []T, unmap func()) { return make([]T, n), func() {} }
