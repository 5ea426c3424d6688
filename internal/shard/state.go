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
// One owner at a time: who holds the P, the pool's token or the Generator.
// It holds no Go pointers, as it lives outside the heap.
type State struct {
	left    uint64        // bytes at the end of block not yet served, 0 to Full
	epoch   uint64        // the generation it was keyed under; 0 is never valid
	reseeds atomic.Uint64 // seeds mixed in since it was handed out
	expires int64         // on which clock reading the next seed is due
	budget  int64         // bytes that may still be made before it is due

	// block is the next refill's key, then the keystream to serve, which ends
	// with the block and is served from front to back. Served bytes are zero.
	block [fullRefill]byte

	_ [stateSize - 40 - fullRefill]byte
}

// stateSize keeps neighbours apart by whole pairs of 64-byte cache lines,
// which is what x86's spatial prefetcher fetches at a time.
const stateSize = 1152

// The build fails here when the fields no longer add up to stateSize.
var _ = [1]struct{}{}[stateSize-unsafe.Sizeof(State{})]

// key is where the next refill's key lies.
func (s *State) key() *[keySize]byte { return (*[keySize]byte)(s.block[:]) }

// mix makes the sum of key and seed the next refill's key: who knows only one
// of the two knows nothing of the sum.
func (s *State) mix(seed *[keySize]byte) {
	subtle.XORBytes(s.block[:keySize], s.block[:keySize], seed[:])
	s.reseeds.Add(1)
}

// refill makes size bytes of keystream, fullRefill or windowRefill, under
// generation gen. The first 32 replace the key before a byte is served, so what
// s served before can't be computed from what it holds after.
func (s *State) refill(size int, gen uint64) {
	out := s.block[fullRefill-size:]
	key := *s.key()
	chacha.Keystream(out, &key, 0)
	erase.Wipe(key[:])
	if size < fullRefill {
		copy(s.block[:keySize], out)
		clear(out[:keySize])
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
	src := s.block[fullRefill-s.left:]
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
	src := (*[16]byte)(s.block[fullRefill-s.left:])
	*dst = *src
	*src = [16]byte{}
	s.left -= 16
	return true
}

func (s *State) take8(gen uint64) (v uint64, ok bool) {
	if s == nil || s.epoch != gen || s.left < 8 {
		return 0, false
	}
	src := (*[8]byte)(s.block[fullRefill-s.left:])
	v = binary.LittleEndian.Uint64(src[:])
	*src = [8]byte{}
	s.left -= 8
	return v, true
}

func (s *State) take4(gen uint64) (v uint32, ok bool) {
	if s == nil || s.epoch != gen || s.left < 4 {
		return 0, false
	}
	src := (*[4]byte)(s.block[fullRefill-s.left:])
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
