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

	// A refill makes 16 ChaCha20 blocks if a clone of the machine would be noticed, and 4 if not:
	// an unnoticed clone serves what was left in the buffer again.
	fullRefill   = 1024
	windowRefill = 256

	// Full and Window are how many bytes such refills serve.
	Full   = fullRefill - keySize
	Window = windowRefill - keySize
)

// A State is one generator: a key, and the bytes made from it that are not yet served. A State of
// zeros is unseeded and empty. So one that is wiped, by a fork or otherwise, takes a seed before it
// serves again.
//
// It has one owner at a time: the holder of the P, or of the pool's token. It has no Go pointers,
// because it is outside the heap.
type State struct {
	left       uint64        // bytes not yet served, 0 to Full
	generation uint64        // that it was keyed under, never 0
	reseeds    atomic.Uint64 // seeds mixed in so far
	expires    int64         // when the next seed is due, by clock
	budget     int64         // bytes that may still be made before that

	_ [headSize - 40]byte

	// block has the next refill's key, then the keystream. That is served from its end, so its
	// first left bytes are not yet served. The others are zero.
	block [fullRefill]byte

	_ [stateSize - headSize - fullRefill]byte
}

const (
	// headSize makes block begin at a cache line: a refill stores whole lines.
	headSize = 64

	// stateSize is a multiple of 128 bytes, as x86's spatial prefetcher fetches cache lines in
	// pairs: so no two states share a pair.
	stateSize = 1152
)

// The build fails here if the fields do not add up to stateSize.
var _ = [1]struct{}{}[stateSize-unsafe.Sizeof(State{})]

// key returns the next refill's key.
func (s *State) key() *[keySize]byte { return (*[keySize]byte)(s.block[:]) }

// mix adds (XOR) seed to the next refill's key. Whoever knows only one of the two knows nothing of
// the sum.
func (s *State) mix(seed *[keySize]byte) {
	subtle.XORBytes(s.block[:keySize], s.block[:keySize], seed[:])
	s.reseeds.Add(1)
}

// refill makes size bytes of keystream, fullRefill or windowRefill, under generation gen. The first
// 32 replace the key before any byte is served, so what s served before can't be computed from s.
func (s *State) refill(size int, gen uint64) {
	if size == fullRefill {
		chacha.Refill(&s.block)
	} else {
		chacha.RefillWindow((*[windowRefill]byte)(s.block[:]))
	}
	s.left = uint64(size - keySize)
	s.budget -= int64(size)
	s.generation = gen
}

// take moves up to len(dst) bytes to dst, zeroes them in s and returns how many. It returns 0 if s
// is nil or not keyed under gen.
func (s *State) take(dst []byte, gen uint64) int {
	if s == nil || s.generation != gen {
		return 0
	}

	n := min(uint64(len(dst)), s.left)
	s.left -= n
	src := s.block[keySize+s.left:][:n]
	copy(dst, src)
	clear(src)
	return int(n)
}

// fixed has the types of fixed size that are drawn.
type fixed interface {
	uint32 | uint64 | [12]byte | [16]byte | [24]byte | [32]byte
}

// holds reports whether s, which may be nil, holds a T, keyed under any generation.
func holds[T fixed](s *State) bool {
	size := uint64(unsafe.Sizeof(*new(T)))
	return s != nil && s.left-size <= Full-size // wraps to more if s holds less
}

// claim takes one T off a state that holds it and returns a pointer to it. The caller copies and
// clears it.
//
// The package uses unsafe here, in claimShort and in claimFour. The size is known at compile time,
// and holds has shown that the T is within block. So a copy is one or two loads and stores; a slice
// would add a comparison and a jump (https://pkg.go.dev/unsafe#Pointer, pattern 3; no T has
// pointers).
func claim[T fixed](s *State) *T {
	s.left -= uint64(unsafe.Sizeof(*new(T)))
	return (*T)(unsafe.Add(unsafe.Pointer(&s.block[keySize]), s.left))
}

// isShort reports whether b has 8 to 64 bytes, which claimShort and claimFour move.
func isShort(b []byte) bool { return uint(len(b)-8) <= 64-8 }

// holdsShort is holds for the length of b.
func holdsShort(s *State, b []byte) bool {
	n := uint64(len(b))
	return s != nil && s.left-n <= Full-n
}

// claimShort moves bytes from s to b and clears them in s. b has the size of one to two Ts, and is
// moved as two Ts, which overlap if b is smaller than both. (copy and clear would be calls that
// branch on the length: for 16 bytes they cost as much as all else. Go moves a T of 32 bytes by
// such a call too.)
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

// claimFour is claimShort for 33 to 64 bytes, moved as four times 16.
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
	s.generation = 0
}
