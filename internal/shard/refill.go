// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"encoding/binary"
	"math"
	"time"

	"fount/internal/clone"
	"fount/internal/entropy"
	"fount/internal/erase"
	"fount/internal/kernel"
)

// A state takes a seed at its first draw, after a change of generation, after a minute, after 1 MiB
// plus up to reseedJitter bytes, and at every refill if clones would not be noticed. Only an empty
// state reads the clock, so at most Full bytes are older than a minute when they are served.
const (
	maxAge       = int64(time.Minute)
	maxBytes     = 1 << 20
	reseedJitter = 1 << 16 // so that states do not reseed at the same time
	seedBytes    = keySize + 2
)

var processStart = time.Now()

// clock returns a monotonic time in ns. It takes 31 ns, once for the 62 nonces of a refill.
func clock() int64 { return int64(time.Since(processStart)) }

// smallBuffers reports whether buffers must be small: a clone would not be noticed, or one was
// noticed just now and the kernel itself may not have reseeded yet.
func smallBuffers() bool { return !clone.Trusted() || clone.Settling() }

// A seed is fresh bytes for a key, and the refill that uses them.
type seed struct {
	bytes [seedBytes]byte
	gen   uint64 // the generation before they were drawn
	now   int64  // 0 if small
	small bool   // for a small refill: each of these takes a seed, however old the last
}

// draw fills the seed. It may block, so no P is pinned. It calls clone.Check first, because that
// may change the generation.
func (d *seed) draw() {
	clone.Check()
	d.gen = generation()
	d.small = smallBuffers()
	if !d.small {
		d.now = clock()
	}
	d.fill()
}

// fill draws the kernel's bytes and mixes the time into them, so that unnoticed clones, whose
// kernels give the same bytes until they reseed, get different keys. A large seed, taken once a
// MiB, also has the processor's random numbers (0.2 to 2 µs) and 32 bytes of the current node's
// pool (0.2 µs). Both would cost too much for a small seed, which serves 14 nonces.
func (d *seed) fill() {
	b := d.bytes[:]
	if d.small {
		b = b[:keySize] // 33 would cost the kernel 100 ns more
	}

	kernel.Read(b)
	kernel.MixTime(b)
	if !d.small {
		kernel.MixCPU(b[:keySize])
		entropy.Mix((*[keySize]byte)(b), d.gen)
	}
}

// refill mixes the seed into s and makes new keystream.
func (d *seed) refill(s *State) {
	s.mix((*[keySize]byte)(d.bytes[:]))
	if d.small {
		s.budget = 0
		s.refill(windowRefill, d.gen)
		return
	}

	s.expires = d.now + maxAge
	s.budget = maxBytes + int64(binary.LittleEndian.Uint16(d.bytes[keySize:]))
	s.refill(fullRefill, d.gen)
}

func (d *seed) wipe() { erase.Wipe(d.bytes[:]) }

// needsSeed reports whether s, which may be nil, needs a seed before its next refill, under
// generation gen.
func (s *State) needsSeed(gen uint64, now int64) bool {
	return s == nil || s.generation != gen || s.budget < fullRefill || now >= s.expires
}

// drawPart serves the front of b from the state of this P, and refills that if it is empty. It
// returns how many bytes it served, at least one unless b is empty, and their generation.
func drawPart(b []byte) (int, uint64) {
	now := int64(math.MaxInt64) // needs a seed
	if !smallBuffers() {
		now = clock() // not while the P is pinned: it may be a system call
	}

	s, t := acquire()
	gen := generation()
	n := s.takeOrRefill(b, gen, now)
	release(t)

	if n > 0 {
		return n, gen
	}

	var d seed
	d.draw()
	s, t = adopt() // maybe another P's state than before: the seed is good for any
	if s == nil {  // more Ps than the table holds: the kernel itself serves
		d.wipe()
		gen = generation()
		kernel.Read(b)
		return len(b), gen
	}

	d.refill(s)
	n = s.take(b, d.gen)
	release(t)
	d.wipe()
	return n, d.gen
}

// takeOrRefill serves b from what is left, or from a refill. It returns 0 if s, which may be nil,
// needs a seed first.
func (s *State) takeOrRefill(b []byte, gen uint64, now int64) int {
	if n := s.take(b, gen); n > 0 {
		return n
	}
	if s.needsSeed(gen, now) {
		return 0
	}
	s.refill(fullRefill, gen)
	return s.take(b, gen)
}
