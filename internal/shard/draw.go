// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"crypto/subtle"
	"encoding/binary"

	"fount/internal/chacha"
	"fount/internal/erase"
	"fount/internal/kernel"
)

// Most draws have a fixed size: claim, copy, clear and one look at the generation, with no calls
// but those that pin the P. A state that holds too little, or is stale by now, leaves the draw to
// drawn, which overwrites all of dst.
//
// One look is enough if nothing but the return follows it. A generation never comes back, so if the
// state's is in force at the look, it was in force from the moment the state was keyed. Bytes
// claimed from a stale state are cleared there, and no caller gets them.
//
// The same body stands here for each size. As one generic function it is too large to inline: it
// costs a call, a dictionary and the caller's dst on the heap.

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
	drawn(dst[:])
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
	drawn(dst[:])
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
	drawn(dst[:])
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
	drawn(dst[:])
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
	return wholeUint64()
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
	return wholeUint32()
}

// The slow paths of the integers are functions of their own, so that the fast paths need no array
// on the stack.

//go:noinline
func wholeUint64() uint64 {
	var b [8]byte
	drawn(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

//go:noinline
func wholeUint32() uint32 {
	var b [4]byte
	drawn(b[:])
	return binary.LittleEndian.Uint32(b[:])
}

// Read fills b. A b of 8 to 64 bytes is drawn like a fixed size.
func Read(b []byte) {
	if !short(b) {
		read(b)
		return
	}
	s, t := acquire()
	if holdsShort(s, b) {
		switch {
		case len(b) > 32:
			claimFour(s, b)
		case len(b) >= 16:
			claimShort[[16]byte](s, b)
		default:
			claimShort[uint64](s, b)
		}
		if s.epoch == generation() {
			release(t)
			return
		}
	}
	release(t)
	drawn(b)
}

// read fills b with what the buffer of this P holds, and more where that is too little.
func read(b []byte) {
	if len(b) > Window && (len(b) > Full || small()) {
		bulk(b)
		return
	}
	s, t := acquire()
	gen := generation()
	n := s.take(b, gen)
	release(t)
	if n < len(b) || generation() != gen {
		whole(b, n, gen)
	}
}

// drawn fills b, of which nothing is there. With one argument it keeps the frames of the fixed
// sizes small.
//
//go:noinline
func drawn(b []byte) {
	n, gen := next(b)
	if n < len(b) || generation() != gen {
		whole(b, n, gen)
	}
}

// whole ends a draw into b, of which n bytes are there, keyed under gen. A draw has several parts
// if a buffer ends in its middle: all must be keyed under one generation that is still in force
// after the last. Otherwise all of them are wiped and made again, because a part made before a
// clone was taken is in both clones.
//
//go:noinline
func whole(b []byte, n int, gen uint64) {
	for tries := 0; n < len(b) || generation() != gen; {
		if n == len(b) {
			n = again(b)
			tries++
		}
		if tries >= patience {
			strict(b)
			return
		}
		part, of := next(b[n:])
		if n > 0 && of != gen {
			n = again(b[:n+part])
			tries++
			continue
		}
		n, gen = n+part, of
	}
}

// patience is how often a draw is made again before strict makes it. Words move seldom, but a
// program may call Reseed all the time, and so may a client of its random files: at one each 10 µs
// no read of 1 MiB ended within a second.
const patience = 4

// strict fills b from the kernel, and makes that again only if the word moves. A Reseed asks for
// nothing that b does not have: these bytes were made for this draw.
func strict(b []byte) {
	for {
		w := word()
		kernel.Read(b)
		if word() == w {
			return
		}
		again(b)
	}
}

// again wipes what lies in b, because the generation moved, and returns that none of it is left.
func again(b []byte) int {
	erase.Wipe(b)
	redone.Add(1)
	return 0
}

// chunk is the most that is made under one subkey and checked as one draw. So a read in flight
// shares at most one chunk with a clone if the word does not move; if it does, the chunks that were
// finished before. 64 KiB is also as much as the assembly makes in one call, during which it can't
// be preempted: 13 to 25 µs.
const chunk = 64 << 10

// bulk fills b, of more than a buffer holds, without passing through one. Each chunk has a subkey
// of its own: 32 bytes of a state's output. Where fount would not notice a clone, a small seed is
// mixed in, as into a refill's key.
func bulk(b []byte) {
	for tries := 0; len(b) > 0; {
		gen := generation()
		n := min(len(b), chunk)
		var key [keySize]byte
		Read32(&key)
		if small() {
			var d seed
			d.fill(d.bytes[:keySize], false)
			subtle.XORBytes(key[:], key[:], d.bytes[:])
			d.wipe()
		}
		chacha.Keystream(b[:n], &key, 0)
		erase.Wipe(key[:])
		if generation() != gen {
			again(b[:n])
			if tries++; tries < patience {
				continue
			}
			strict(b[:n])
		}
		b, tries = b[n:], 0
	}
}
