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

// A draw of a fixed size claims, copies and clears bytes, and then compares the state's generation
// with the present one. It makes no calls but those that pin the P. If the state holds too little
// or is stale, fillSlow overwrites all of dst.
//
// One comparison at the end is enough. A generation never comes back: if the state's generation is
// the present one now, it has been so since the state was keyed. Bytes claimed from a stale state
// are cleared there, and no caller gets them. TestCloneSearch fails where a draw compares too early,
// or not at all; TestControlsOfCloneSearch (seams_test.go) makes such draws.
//
// The functions for each size have the same body. One generic function would be too large to
// inline: it would cost a call, a dictionary and an allocation of the caller's dst.

// Read12 fills dst.
func Read12(dst *[12]byte) {
	s, t := acquire()
	if holds[[12]byte](s) {
		src := claim[[12]byte](s)
		*dst = *src
		*src = [12]byte{}
		if s.generation == generation() {
			release(t)
			return
		}
	}
	release(t)
	fillSlow(dst[:])
}

// Read16 fills dst.
func Read16(dst *[16]byte) {
	s, t := acquire()
	if holds[[16]byte](s) {
		src := claim[[16]byte](s)
		*dst = *src
		*src = [16]byte{}
		if s.generation == generation() {
			release(t)
			return
		}
	}
	release(t)
	fillSlow(dst[:])
}

// Read24 fills dst.
func Read24(dst *[24]byte) {
	s, t := acquire()
	if holds[[24]byte](s) {
		src := claim[[24]byte](s)
		*dst = *src
		*src = [24]byte{}
		if s.generation == generation() {
			release(t)
			return
		}
	}
	release(t)
	fillSlow(dst[:])
}

// Read32 fills dst.
func Read32(dst *[32]byte) {
	s, t := acquire()
	if holds[[32]byte](s) {
		src := claim[[32]byte](s)
		*dst = *src
		*src = [32]byte{}
		if s.generation == generation() {
			release(t)
			return
		}
	}
	release(t)
	fillSlow(dst[:])
}

// Uint64 returns 64 random bits.
func Uint64() uint64 {
	s, t := acquire()
	if holds[uint64](s) {
		src := claim[uint64](s)
		v := *src
		*src = 0
		if s.generation == generation() {
			release(t)
			return v
		}
	}
	release(t)
	return slowUint64()
}

// Uint32 returns 32 random bits.
func Uint32() uint32 {
	s, t := acquire()
	if holds[uint32](s) {
		src := claim[uint32](s)
		v := *src
		*src = 0
		if s.generation == generation() {
			release(t)
			return v
		}
	}
	release(t)
	return slowUint32()
}

// The slow paths of integers are separate functions, so that the fast paths need no array on the
// stack.

//go:noinline
func slowUint64() uint64 {
	var b [8]byte
	fillSlow(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

//go:noinline
func slowUint32() uint32 {
	var b [4]byte
	fillSlow(b[:])
	return binary.LittleEndian.Uint32(b[:])
}

// Read fills b. 8 to 64 bytes are drawn like a fixed size.
func Read(b []byte) {
	if !isShort(b) {
		readSlow(b)
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
		if s.generation == generation() {
			release(t)
			return
		}
	}
	release(t)
	fillSlow(b)
}

// readSlow fills b, of any length, from the buffer of this P, and from refills if that is too
// little.
func readSlow(b []byte) {
	if len(b) > Window && (len(b) > Full || smallBuffers()) {
		bulk(b)
		return
	}

	s, t := acquire()
	gen := generation()
	n := s.take(b, gen)
	release(t)
	if n < len(b) || generation() != gen {
		finish(b, n, gen)
	}
}

// fillSlow fills b. It has only one argument, which keeps the frames of its callers small.
//
//go:noinline
func fillSlow(b []byte) {
	n, gen := drawPart(b)
	if n < len(b) || generation() != gen {
		finish(b, n, gen)
	}
}

// finish completes a draw into b whose first n bytes are done, keyed under gen. A draw has several
// parts if a buffer ends in its middle. All parts must be keyed under one generation, which must be
// the present one after the last part. Otherwise all are wiped and made again: a part made before a
// clone was taken is in both clones.
//
//go:noinline
func finish(b []byte, n int, gen uint64) {
	for range maxRedraws {
		if drawRest(b, n, gen) {
			return
		}
		discard(b)
		n = 0
		gen = generation()
	}
	fillFromKernel(b)
}

// drawRest draws all of b but its first n bytes, which are keyed under gen. It reports whether all
// of b is now keyed under one generation, the present one.
func drawRest(b []byte, n int, gen uint64) bool {
	for n < len(b) {
		part, partGen := drawPart(b[n:])
		if n > 0 && partGen != gen {
			return false
		}
		n += part
		gen = partGen
	}
	return generation() == gen
}

// maxRedraws is how often a draw is made again before fillFromKernel makes it. A program, or a
// client of its random files, may call Reseed all the time. At one call each 10 µs, no read of 1
// MiB ended within a second.
const maxRedraws = 4

// fillFromKernel fills b with the kernel's bytes, again if the clone counter changes meanwhile. It
// ignores calls of Reseed, because these bytes were made for this draw.
func fillFromKernel(b []byte) {
	for {
		before := cloneCounter()
		kernel.Read(b)
		if cloneCounter() == before {
			return
		}
		discard(b)
	}
}

// discard wipes b, because the generation changed.
func discard(b []byte) {
	erase.Wipe(b)
	redone.Add(1)
}

// chunk is the size of the draws that bulk makes, each under its own subkey. If the machine is
// cloned during a read, both clones keep the chunks that were finished before. If the clone counter
// does not change, they can also share the chunk in progress. 64 KiB is also what the assembly makes
// in one call, 13 to 25 µs in which the goroutine can't be preempted.
const chunk = 64 << 10

// bulk fills b, which is larger than a buffer, chunk by chunk. The subkey of each is 32 bytes of a
// state's output. If fount would not notice a clone, a small seed is mixed into it, as into a
// refill's key.
//
//go:noinline
func bulk(b []byte) {
	for len(b) > 0 {
		n := min(len(b), chunk)
		fillChunk(b[:n])
		b = b[n:]
	}
}

func fillChunk(b []byte) {
	for range maxRedraws {
		gen := generation()
		var key [keySize]byte
		Read32(&key)

		if smallBuffers() {
			d := seed{small: true}
			d.fill()
			subtle.XORBytes(key[:], key[:], d.bytes[:])
			d.wipe()
		}

		chacha.Keystream(b, &key, 0)
		erase.Wipe(key[:])

		if generation() == gen {
			return
		}
		discard(b)
	}
	fillFromKernel(b)
}
