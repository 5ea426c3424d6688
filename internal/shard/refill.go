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

// A state takes a seed from the kernel at its first draw, when the generation has moved, after a
// minute, after a MiB or a little more, and, where clones would not be noticed, at every refill.
// Time is looked at when a state is empty, so at most Full bytes are older than a minute when they
// are served.
const (
	maxAge    = int64(time.Minute)
	maxBytes  = 1 << 20
	spread    = 1 << 16 // so that states do not reseed in step
	seedBytes = keySize + 2
)

var started = time.Now()

// clock is a monotonic reading in ns. It costs what a vDSO clock costs, 31 ns, once for 62 nonces.
func clock() int64 { return int64(time.Since(started)) }

// small reports whether buffers must be small: a clone would not be noticed, or one was noticed
// just now, maybe before the kernel itself has reseeded.
func small() bool { return !clone.Held() || clone.Settling() }

// A seed is fresh bytes and the refill that they are for.
type seed struct {
	bytes [seedBytes]byte
	gen   uint64 // the generation before they were drawn
	now   int64  // 0 for a small refill, after which a seed is due anyway
	size  int    // of the refill
}

// draw fills the seed. It may block, so no P is pinned. It calls clone.Check first, because
// that may move the word.
func (d *seed) draw() {
	clone.Check()
	d.gen = generation()
	if small() {
		d.size, d.now = windowRefill, 0
		d.fill(d.bytes[:keySize], false) // 33 would cost the kernel 100 ns more
		return
	}
	d.size, d.now = fullRefill, clock()
	d.fill(d.bytes[:], true)
}

// fill makes a key of the kernel's bytes and of what differs between clones that nobody was told
// of, whose kernels answer alike until they reseed and whose pools are equal. A large seed is taken
// once a MiB. It has what the processor says (0.2 to 2 µs) and 32 bytes of the current node's pool
// (0.2 µs). A small one is taken for fourteen nonces, which can't pay for that; it has the time.
func (d *seed) fill(b []byte, large bool) {
	kernel.Read(b)
	kernel.MixTime(b)
	if large {
		kernel.MixCPU(b[:keySize])
		entropy.Mix((*[keySize]byte)(b), d.gen)
	}
}

// refill mixes the seed into s and makes new keystream.
func (d *seed) refill(s *State) {
	s.mix((*[keySize]byte)(d.bytes[:]))
	s.expires = d.now + maxAge
	s.budget = maxBytes + int64(binary.LittleEndian.Uint16(d.bytes[keySize:]))
	if d.size < fullRefill {
		s.budget = 0
	}
	s.refill(d.size, d.gen)
}

func (d *seed) wipe() { erase.Wipe(d.bytes[:]) }

// due reports whether s, which may be nil, needs a seed before its next refill under generation
// gen.
func (s *State) due(gen uint64, now int64) bool {
	return s == nil || s.epoch != gen || s.budget < fullRefill || now >= s.expires
}

// next serves b from the state of this P, which it refills if it is empty. It returns how many
// bytes, at least one of a b that is not empty, and the generation they are keyed under.
func next(b []byte) (int, uint64) {
	now := int64(math.MaxInt64) // a seed is due
	if !small() {
		now = clock() // before the pin: a clock may be a system call
	}
	s, t := acquire()
	gen := generation()
	n := s.unseeded(b, gen, now)
	release(t)
	if n > 0 {
		return n, gen
	}

	var d seed
	d.draw()
	s, t = adopt() // maybe another P's than before: the seed is good for any
	if s == nil {  // one beyond the table: the kernel itself serves
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

// unseeded is as much of next as needs no seed: it serves what is left, or refills and serves. It
// returns 0 if s, which may be nil, needs a seed first.
func (s *State) unseeded(b []byte, gen uint64, now int64) int {
	if n := s.take(b, gen); n > 0 {
		return n
	}
	if s.due(gen, now) {
		return 0
	}
	s.refill(fullRefill, gen)
	return s.take(b, gen)
}
