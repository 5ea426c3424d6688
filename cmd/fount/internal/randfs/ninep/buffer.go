// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Buffers for messages and answers too long for a connection's own. All connections share them, so
// that one that once read much keeps nothing.

import (
	"math/bits"
	"sync"
)

// A buffer is lent by borrow. Sizes are powers of two from 4 KiB to 16 MiB, plus 4 KiB.
type buffer struct {
	bytes []byte
	class int
}

const page = 4 << 10

// spare are the unused ones, by class. The garbage collector takes those not used again.
var spare [13]sync.Pool

// classOf is the least class whose buffers have n bytes.
func classOf(n int) int { return bits.Len(uint(max(n-page, 1)-1) / page) }

func sizeOf(class int) int { return page<<class + page }

// borrow returns a buffer of n bytes or more, up to 16 MiB + 4 KiB. Users wipe what they put in.
func borrow(n int) *buffer {
	class := classOf(n)
	if b, ok := spare[class].Get().(*buffer); ok {
		return b
	}
	return &buffer{make([]byte, sizeOf(class)), class}
}

func (b *buffer) giveBack() { spare[b.class].Put(b) }
