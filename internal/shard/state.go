// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"crypto/subtle"
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"fount/internal/chacha"
	"fount/internal/erase"
)

const (
	keySize = 32

	// Refill is how many bytes of keystream one refill makes: four ChaCha20
	// blocks. It is small while clone detection does not exist, because what
	// lies in a buffer is what a clone of the machine would replay.
	Refill = 256

	// Window is how many of them are served: the most that one state can
	// repeat.
	Window = Refill - keySize
)

// A State is one generator: a key and the bytes made from it that are not yet
// served. All zero means unseeded and empty, so a State wiped by anyone, at
// any time, asks for a seed before it serves again.
//
// One owner at a time: who holds the P, the pool's token or the Generator.
// It holds no Go pointers, as it lives outside the heap.
type State struct {
	left    uint64        // bytes at the end of block not yet served, 0 to Window
	epoch   uint64        // the generation it was keyed under; 0 is never valid
	reseeds atomic.Uint64 // refills since it was handed out

	// block is the last refill's keystream: the key of the next refill in
	// its first 32 bytes, then what is served, from front to back. Served
	// bytes are zero.
	block [Refill]byte

	_ [stateSize - 24 - Refill]byte
}

// stateSize keeps neighbours apart by whole pairs of 64-byte cache lines,
// which is what x86's spatial prefetcher fetches at a time.
const stateSize = 384

// The build fails here when the fields no longer add up to stateSize.
var _ = [1]struct{}{}[stateSize-unsafe.Sizeof(State{})]

// refill mixes seed into s and makes new keystream under generation gen. The
// mixed key is the old key XOR the seed: who knows only one of the two knows
// nothing of the sum. The first 32 bytes of its keystream replace it before a
// byte is served, so what s served before can't be computed from what it holds
// after. At most Refill bytes are made: a pinned P is not kept longer. seed
// holds the mixed key afterwards; the caller wipes it.
func (s *State) refill(seed *[keySize]byte, gen uint64) {
	subtle.XORBytes(seed[:], seed[:], s.block[:keySize])
	chacha.Keystream(s.block[:], seed, 0)
	s.left = Window
	s.epoch = gen
	s.reseeds.Add(1)
}

// take serves up to len(dst) bytes keyed under gen, zeroes them behind itself
// and returns how many. A nil s
// holds none.
func (s *State) take(dst []byte, gen uint64) int {
	if s == nil || s.epoch != gen {
		return 0
	}
	src := s.block[Refill-s.left:]
	n := copy(dst, src)
	clear(src[:n])
	s.left -= uint64(n)
	return n
}

// take16, take8 and take4 serve a fixed size from a state that holds it whole,
// or nothing. A nil s holds nothing.
func (s *State) take16(dst *[16]byte, gen uint64) bool {
	if s == nil || s.epoch != gen || s.left < 16 {
		return false
	}
	src := (*[16]byte)(s.block[Refill-s.left:])
	*dst = *src
	*src = [16]byte{}
	s.left -= 16
	return true
}

func (s *State) take8(gen uint64) (v uint64, ok bool) {
	if s == nil || s.epoch != gen || s.left < 8 {
		return 0, false
	}
	src := (*[8]byte)(s.block[Refill-s.left:])
	v = binary.LittleEndian.Uint64(src[:])
	*src = [8]byte{}
	s.left -= 8
	return v, true
}

func (s *State) take4(gen uint64) (v uint32, ok bool) {
	if s == nil || s.epoch != gen || s.left < 4 {
		return 0, false
	}
	src := (*[4]byte)(s.block[Refill-s.left:])
	v = binary.LittleEndian.Uint32(src[:])
	*src = [4]byte{}
	s.left -= 4
	return v, true
}

// Expire makes s ask for a seed at its next draw. Its key stays, to be mixed
// in; what it had not served is wiped.
func (s *State) Expire() {
	s.left = 0
	s.epoch = 0
	erase.Wipe(s.block[keySize:])
}
