// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import "encoding/binary"

// Draws of a fixed size, which are most: claim, copy, clear, and one look at
// the generation, with no call but those that pin the P. What finds its state
// too empty, or stale by now, goes through readNext, which overwrites all of dst.
//
// One look is enough if it is the last thing before the bytes are the caller's.
// A generation never comes again, so the one under which the state was keyed was
// in force from then on until the look that finds it still is. What was claimed
// from a stale state is cleared there, and nobody gets it.
//
// The body is the same each time, and written out each time: as one generic
// function it is too large to be inlined, and costs a call, a dictionary and
// the caller's dst on the heap.

// Read12 fills dst.
func Read12(dst *[12]byte) {
	s, t := acquire()
	if holds[[12]byte](s) {
		src := claim[[12]byte](s)
		*dst = *src
		*src = [12]byte{}
		if s.epoch == generation() {
			release(t)
			return
		}
	}
	release(t)
	readNext(dst[:])
}

// Read16 fills dst.
func Read16(dst *[16]byte) {
	s, t := acquire()
	if holds[[16]byte](s) {
		src := claim[[16]byte](s)
		*dst = *src
		*src = [16]byte{}
		if s.epoch == generation() {
			release(t)
			return
		}
	}
	release(t)
	readNext(dst[:])
}

// Read20 fills dst.
func Read20(dst *[20]byte) {
	s, t := acquire()
	if holds[[20]byte](s) {
		src := claim[[20]byte](s)
		*dst = *src
		*src = [20]byte{}
		if s.epoch == generation() {
			release(t)
			return
		}
	}
	release(t)
	readNext(dst[:])
}

// Read24 fills dst.
func Read24(dst *[24]byte) {
	s, t := acquire()
	if holds[[24]byte](s) {
		src := claim[[24]byte](s)
		*dst = *src
		*src = [24]byte{}
		if s.epoch == generation() {
			release(t)
			return
		}
	}
	release(t)
	readNext(dst[:])
}

// Read32 fills dst.
func Read32(dst *[32]byte) {
	s, t := acquire()
	if holds[[32]byte](s) {
		src := claim[[32]byte](s)
		*dst = *src
		*src = [32]byte{}
		if s.epoch == generation() {
			release(t)
			return
		}
	}
	release(t)
	readNext(dst[:])
}

// Uint64 returns 64 random bits.
func Uint64() uint64 {
	s, t := acquire()
	if holds[uint64](s) {
		src := claim[uint64](s)
		v := *src
		*src = 0
		if s.epoch == generation() {
			release(t)
			return v
		}
	}
	release(t)
	return uint64BySlice()
}

// Uint32 returns 32 random bits.
func Uint32() uint32 {
	s, t := acquire()
	if holds[uint32](s) {
		src := claim[uint32](s)
		v := *src
		*src = 0
		if s.epoch == generation() {
			release(t)
			return v
		}
	}
	release(t)
	return uint32BySlice()
}

// Read12 fills dst.
func (s *State) Read12(dst *[12]byte) {
	s.enter()
	if holds[[12]byte](s) {
		src := claim[[12]byte](s)
		*dst = *src
		*src = [12]byte{}
		if s.epoch == generation() {
			s.leave()
			return
		}
	}
	s.readNext(dst[:])
	s.leave()
}

// Read16 fills dst.
func (s *State) Read16(dst *[16]byte) {
	s.enter()
	if holds[[16]byte](s) {
		src := claim[[16]byte](s)
		*dst = *src
		*src = [16]byte{}
		if s.epoch == generation() {
			s.leave()
			return
		}
	}
	s.readNext(dst[:])
	s.leave()
}

// Read20 fills dst.
func (s *State) Read20(dst *[20]byte) {
	s.enter()
	if holds[[20]byte](s) {
		src := claim[[20]byte](s)
		*dst = *src
		*src = [20]byte{}
		if s.epoch == generation() {
			s.leave()
			return
		}
	}
	s.readNext(dst[:])
	s.leave()
}

// Read24 fills dst.
func (s *State) Read24(dst *[24]byte) {
	s.enter()
	if holds[[24]byte](s) {
		src := claim[[24]byte](s)
		*dst = *src
		*src = [24]byte{}
		if s.epoch == generation() {
			s.leave()
			return
		}
	}
	s.readNext(dst[:])
	s.leave()
}

// Read32 fills dst.
func (s *State) Read32(dst *[32]byte) {
	s.enter()
	if holds[[32]byte](s) {
		src := claim[[32]byte](s)
		*dst = *src
		*src = [32]byte{}
		if s.epoch == generation() {
			s.leave()
			return
		}
	}
	s.readNext(dst[:])
	s.leave()
}

// Uint64 returns 64 random bits.
func (s *State) Uint64() uint64 {
	s.enter()
	if holds[uint64](s) {
		src := claim[uint64](s)
		v := *src
		*src = 0
		if s.epoch == generation() {
			s.leave()
			return v
		}
	}
	return s.uint64BySlice()
}

// Uint32 returns 32 random bits.
func (s *State) Uint32() uint32 {
	s.enter()
	if holds[uint32](s) {
		src := claim[uint32](s)
		v := *src
		*src = 0
		if s.epoch == generation() {
			s.leave()
			return v
		}
	}
	return s.uint32BySlice()
}

// The slow ways of the integers are functions of their own, so that the quick
// ones need no array on the stack.

//go:noinline
func uint64BySlice() uint64 {
	var b [8]byte
	readNext(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

//go:noinline
func (s *State) uint64BySlice() uint64 {
	var b [8]byte
	s.readNext(b[:])
	s.leave()
	return binary.LittleEndian.Uint64(b[:])
}

//go:noinline
func uint32BySlice() uint32 {
	var b [4]byte
	readNext(b[:])
	return binary.LittleEndian.Uint32(b[:])
}

//go:noinline
func (s *State) uint32BySlice() uint32 {
	var b [4]byte
	s.readNext(b[:])
	s.leave()
	return binary.LittleEndian.Uint32(b[:])
}
