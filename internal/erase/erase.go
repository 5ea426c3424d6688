// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package erase allocates memory for secrets outside the garbage-collected heap, and wipes memory.
// No stack growth copies that memory, and no other allocation reuses it. But anyone who can read
// the process's memory can read it too.
package erase

import (
	"sync/atomic"
	"unsafe"

	"fount/internal/turn"
)

// Wipe overwrites b with zeros. It is not inlined, so that the compiler can't see that b is not
// read afterwards and drop the writes.
//
//go:noinline
func Wipe(b []byte) { clear(b) }

// Value is Wipe for a value that is not bytes.
//
//go:noinline
func Value[T any](v *T) {
	var zero T
	*v = zero
}

// refused counts the calls of New that did not get each protection.
var refused struct{ wipe, dump, lock atomic.Int32 }

// WipedOnFork reports whether a forked child finds zeros in all memory that New returned so far. It
// may be called from any goroutine, as may NotDumped and Locked.
func WipedOnFork() bool { return wipeOnFork && refused.wipe.Load() == 0 }

// NotDumped reports whether core dumps leave out all this memory.
func NotDumped() bool { return dontDump && refused.dump.Load() == 0 }

// Locked reports whether none of this memory is ever swapped out.
func Locked() bool { return canLock && refused.lock.Load() == 0 }

// piece is how many bytes Large clears at a time, in 0.02 to 0.1 ms. A clear can't be preempted: 64
// MiB at once would delay the garbage collector, and all goroutines that wait for it, by 10 ms or
// more.
const piece = 256 << 10

// Large is Wipe for a b of any size. Between pieces it lets other goroutines and the network run,
// as hundreds of MiB take as long as a hash. T must not have Go pointers.
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

// As returns the memory of b, which New or Map made, as a slice of T. T must not have Go pointers.
func As[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}
