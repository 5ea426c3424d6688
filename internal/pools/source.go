// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import (
	"time"

	"fount/entropy"
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

// Fill fills b with bytes that nobody has seen: the kernel's, and in the moment after a clone was noticed
// the processor's too, because until the kernel has reseeded it may answer all clones alike. It may block,
// and stops the process if the kernel has no bytes.
func Fill(b []byte) { fillWhile(b, uniqueness.Settling) }

// fillWhile asks after the kernel has answered, so that it notices a clone in between too.
func fillWhile(b []byte, settling func() bool) {
	entropy.Kernel(b)
	if settling() {
		entropy.MixCPU(b)
	}
}

// Seed fills b, of 32 bytes at least, for the key of a generator: Fill, and what differs between clones that
// nobody was told of, whose kernels answer alike until they reseed and whose pools are equal. A large seed is
// taken once a MiB. It has what the processor says (0.2 to 2 µs) and 32 bytes of the current node's pool
// (0.2 µs). A small one is taken for fourteen nonces, which can't pay for that; it has the time.
func Seed(b []byte, large bool) {
	freshen(b, large)
	if large {
		Mix((*[keySize]byte)(b))
	}
}

// freshen is Seed without the pools.
func freshen(b []byte, large bool) {
	Fill(b)
	entropy.MixTime(b)
	if large {
		entropy.MixCPU(b[:keySize])
	}
}

// fresh is Fill for a pool. No lock may be held: it may block.
func (s *sources) fresh(b *[keySize]byte) {
	if s.constant != nil {
		*b = *s.constant
		return
	}
	fillWhile(b[:], s.settling)
}

// worth is what a source's claim counts for now.
func (s *sources) worth(credit int) int {
	if s.settling() {
		return 0
	}
	return credit
}
