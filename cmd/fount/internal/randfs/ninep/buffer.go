// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Buffers for messages and answers that are too long for a connection's own buffer. All connections
// share them, so that a connection keeps none after a long read.

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

// spare has the unused buffers by class. The garbage collector takes those that stay unused.
var spare [13]sync.Pool

// classOf returns the smallest class whose buffers have n bytes.
func classOf(n int) int { return bits.Len(uint(max(n-page, 1)-1) / page) }

// borrow returns a buffer of n bytes or more, for n up to 16 MiB + 4 KiB. Borrowers clear what they
// wrote.
func borrow(n int) *buffer {
	class := classOf(n)
	if b, ok := spare[class].Get().(*buffer); ok {
		return b
	}
	return &buffer{make([]byte, page<<class+page), class}
}

func (b *buffer) giveBack() { spare[b.class].Put(b) }

// A scratch is a connection's buffer for long messages and for answers with data.
type scratch struct {
	buf   []byte  // small, or of loan
	small []byte  // for what is no longer than aheadSize; kept
	loan  *buffer // nil if there is none
}

// grow makes buf n bytes long or longer. It may drop its contents.
func (s *scratch) grow(n int) {
	if n <= len(s.buf) {
		return
	}

	s.giveBack()
	if n > aheadSize {
		s.loan = borrow(n)
		s.buf = s.loan.bytes
		return
	}
	if s.small == nil {
		s.small = make([]byte, aheadSize)
	}
	s.buf = s.small
}

// giveBack ends the loan.
func (s *scratch) giveBack() {
	if s.loan != nil {
		s.loan.giveBack()
		s.loan = nil
		s.buf = s.small
	}
}
