// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

import (
	"time"

	"fount/entropy"
	"fount/internal/fresh"
	"fount/uniqueness"
)

// sources is what the pools look at in the process around them. Tests have others.
type sources struct {
	gather   func(sink func(name string, b []byte, creditBits int))
	word     func() uint64 // moves when the machine is cloned
	settling func() bool   // it moved just now: the kernel may answer all clones alike
	now      func() int64  // monotonic, ns

	// constant is what a test has instead of the kernel's bytes. It is no function,
	// because what is handed to one that the compiler does not know escapes to the heap.
	constant *[keySize]byte
}

var started = time.Now()

var process = sources{
	gather:   entropy.Gather,
	word:     uniqueness.Load,
	settling: uniqueness.Settling,
	now:      func() int64 { return int64(time.Since(started)) },
}

// kernelCredit is what 32 bytes of the kernel count for: 8 bits a byte, as they do in
// package entropy, because entropy.Kernel waits until the system's generator is seeded.
const kernelCredit = 8 * keySize

// fresh fills b with bytes that nobody has seen: the kernel's, and in the moment after a
// clone was noticed the processor's too. No lock may be held: it may block.
func (s *sources) fresh(b *[keySize]byte) {
	if s.constant != nil {
		*b = *s.constant
		return
	}
	fresh.FillWhile(b[:], s.settling)
}

// worth is what a source's claim counts for now.
func (s *sources) worth(credit int) int {
	if s.settling() {
		return 0
	}
	return credit
}
