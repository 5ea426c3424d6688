// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package erase

import (
	"unsafe"

	"fount/internal/turn"
)

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
