// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package erase keeps secrets where they can be wiped: in memory outside the
// garbage-collected heap, which no stack growth copies and no allocation reuses.
// It is not a vault: anyone who can read the process's memory can read this too.
package erase

import (
	"sync/atomic"
	"unsafe"

	"fount/internal/turn"
)

// Wipe overwrites b with zeros. It is kept out of line so that the compiler
// can't see that b is not read afterwards and drop the writes.
//
//go:noinline
func Wipe(b []byte) { clear(b) }

// Memory is fount.MemoryReport of the memory that New returned so far.
type Memory struct {
	Place       string
	WipedOnFork bool
	NotDumped   bool
	Locked      bool
}

// refused counts, for each protection, the calls of New that did not get it.
var refused struct{ wipe, dump, lock atomic.Int32 }

// Granted reports what holds. It may be called from any goroutine.
func Granted() Memory {
	return Memory{
		Place:       place,
		WipedOnFork: wipeOnFork && refused.wipe.Load() == 0,
		NotDumped:   dontDump && refused.dump.Load() == 0,
		Locked:      canLock && refused.lock.Load() == 0,
	}
}

// piece is how many bytes Large clears at a time, in 0.02 to 0.1 ms. A clear can't
// be preempted: 64 MiB at once would hold up the garbage collector, and all who
// wait for it, for 10 ms or more.
const piece = 256 << 10

// Large overwrites b with zeros, however long it is, and lets others and the
// network have their turns between its pieces: hundreds of MiB take as long as a
// hash. T must not hold Go pointers.
func Large[T any](b []T) {
	var zero T
	n := max(1, piece/max(1, int(unsafe.Sizeof(zero))))
	var turn turn.Turn
	turn.Start(1, nil)
	for len(b) > n {
		clear(b[:n])
		b = b[n:]
		turn.Did(1)
	}
	clear(b)
}

// As returns the values of T that b, which New or Map made, has room for, in the same
// memory. T must not hold Go pointers.
func As[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
