// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"crypto/subtle"
	"sync/atomic"
	"unsafe"

	"fount/internal/chacha"
	"fount/internal/erase"
)

const (
	keySize = 32

	// A refill makes 16 ChaCha20 blocks where a clone of the machine would be
	// noticed, and 4 where it would not: what lies in a buffer is what a clone
	// would replay.
	fullRefill   = 1024
	windowRefill = 256

	// Full and Window are how many of these bytes are served.
	Full   = fullRefill - keySize
	Window = windowRefill - keySize
)

// A State is one generator: a key and the bytes made from it that are not yet
// served. All zero means unseeded and empty, so a State wiped by anyone, at
// any time, asks for a seed before it serves again.
//
// It has one owner at a time: the holder of the P, or of the pool's token. It holds no Go pointers,
// because it lives outside the heap.
type State struct {
	left    uint64        // bytes not yet served, 0 to Full
	epoch   uint64        // the generation it was keyed under; 0 is never valid
	reseeds atomic.Uint64 // seeds mixed in so far
	expires int64         // on which clock reading the next seed is due
	budget  int64         // bytes that may still be made before it is due

	_ [headSize - 40]byte

	// block is the next refill's key, then left bytes of keystream, which are
	// served from the last to the first: so the number of bytes left is also
	// where the next ones lie. Served bytes are zero.
	block [fullRefill]byte

	_ [stateSize - headSize - fullRefill]byte
}

const (
	// headSize puts block at the beginning of a cache line: a refill stores
	// whole lines.
	headSize = 64

	// stateSize keeps neighbours apart by whole pairs of 64-byte cache lines,
	// which is what x86's spatial prefetcher fetches at a time.
	stateSize = 1152
)

// The build fails here when the fields no longer add up to stateSize.
var _ = [1]struct{}{}[stateSize-unsafe.Sizeof(State{})]

// key is where the next refill's key lies.
func (s *State) key() *[keySize]byte { return (*[keySize]byte)(s.block[:]) }

// mix makes the sum of key and seed the next refill's key: anyone who knows only one
// of the two knows nothing of the sum.
func (s *State) mix(seed *[keySize]byte) {
	subtle.XORBytes(s.block[:keySize], s.block[:keySize], seed[:])
	s.reseeds.Add(1)
}

// refill makes size bytes of keystream, fullRefill or windowRefill, under
// generation gen. The first 32 replace the key before a byte is served, so what
// s served before can't be computed from what it holds after.
func (s *State) refill(size int, gen uint64) {
	if size == fullRefill {
		chacha.Refill(&s.block)
	} else {
		chacha.RefillWindow((*[windowRefill]byte)(s.block[:]))
	}
	s.left = uint64(size - keySize)
	s.budget -= int64(size)
	s.epoch = gen
}

// take serves up to len(dst) bytes keyed under gen, zeroes them behind itself
// and returns how many. A nil s holds none.
func (s *State) take(dst []byte, gen uint64) int {
	if s == nil || s.epoch != gen {
		return 0
	}
	n := min(uint64(len(dst)), s.left)
	s.left -= n
	src := s.block[keySize+s.left:][:n]
	copy(dst, src)
	clear(src)
	return int(n)
}

// fixed is the types that are drawn whole.
type fixed interface {
	uint32 | uint64 | [12]byte | [16]byte | [24]byte | [32]byte
}

// holds reports whether s, which may be nil, holds a T, keyed under any generation.
func holds[T fixed](s *State) bool {
	size := uint64(unsafe.Sizeof(*new(T)))
	return s != nil && s.left-size <= Full-size // wraps to more if s holds less
}

// claim takes one T off a state that holds it and returns where it lies, for
// its caller to copy and clear.
//
// Here and in claimShort and claimFour the package uses unsafe. The size is known at
// compile time and holds has shown that the place lies in block, so a copy is one or
// two loads and stores; a slice would cost a comparison and a jump more
// (https://pkg.go.dev/unsafe#Pointer, pattern 3; every T is plain bits).
func claim[T fixed](s *State) *T {
	s.left -= uint64(unsafe.Sizeof(*new(T)))
	return (*T)(unsafe.Add(unsafe.Pointer(&s.block[keySize]), s.left))
}

// short reports whether b, of 8 to 64 bytes, is moved by one of the three functions below.
func short(b []byte) bool { return uint(len(b)-8) <= 64-8 }

// holdsShort is holds for the length of b.
func holdsShort(s *State, b []byte) bool {
	n := uint64(len(b))
	return s != nil && s.left-n <= Full-n
}

// claimShort is claim for the length of b, of one T to two; it copies to b and clears what it took,
// as two Ts that overlap where b is shorter than both. (copy and clear are calls that branch on the
// length: for 16 bytes they cost as much as all else. So would a T of 32 bytes, which Go moves by
// such a call.)
func claimShort[T uint64 | [16]byte](s *State, b []byte) {
	n := uint64(len(b))
	s.left -= n
	src, dst := unsafe.Add(unsafe.Pointer(&s.block[keySize]), s.left), unsafe.Pointer(unsafe.SliceData(b))
	last := n - uint64(unsafe.Sizeof(*new(T)))
	*(*T)(dst) = *(*T)(src)
	*(*T)(unsafe.Add(dst, last)) = *(*T)(unsafe.Add(src, last))
	*(*T)(src) = *new(T)
	*(*T)(unsafe.Add(src, last)) = *new(T)
}

// claimFour is claimShort for 33 to 64 bytes, as four times 16.
func claimFour(s *State, b []byte) {
	type T = [16]byte
	n := uint64(len(b))
	s.left -= n
	src, dst := unsafe.Add(unsafe.Pointer(&s.block[keySize]), s.left), unsafe.Pointer(unsafe.SliceData(b))
	*(*T)(dst) = *(*T)(src)
	*(*T)(unsafe.Add(dst, 16)) = *(*T)(unsafe.Add(src, 16))
	*(*T)(unsafe.Add(dst, n-32)) = *(*T)(unsafe.Add(src, n-32))
	*(*T)(unsafe.Add(dst, n-16)) = *(*T)(unsafe.Add(src, n-16))
	*(*T)(src) = T{}
	*(*T)(unsafe.Add(src, 16)) = T{}
	*(*T)(unsafe.Add(src, n-32)) = T{}
	*(*T)(unsafe.Add(src, n-16)) = T{}
}

// wipe makes s unseeded and empty.
func (s *State) wipe() {
	erase.Wipe(s.block[:])
	s.left = 0
	s.epoch = 0
}
