// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"fount/internal/erase"
)

// Each draw comes twice: as a function, from the state of the P it runs on, and as a
// method, from a State that its caller owns. Both look at the generation after they
// copy (read looks before, too); whole does the rest.

// Read fills b. A short b is drawn like a fixed size (fixed.go).
func Read(b []byte) {
	if !short(b) {
		readLong(b)
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
	readNext(b)
}

// Read fills b.
func (s *State) Read(b []byte) {
	s.enter()
	s.readMarked(b)
	s.leave()
}

func (s *State) readMarked(b []byte) {
	if !short(b) {
		s.readLong(b)
		return
	}
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
			return
		}
	}
	s.readNext(b)
}

// readLong is Read for a b that is not short.
func readLong(b []byte) {
	if len(b) > Window && large(len(b)) {
		bulk(b, nil)
		return
	}
	read(b)
}

func (s *State) readLong(b []byte) {
	if len(b) > Window && large(len(b)) {
		bulk(b, s)
		return
	}
	s.read(b)
}

// read fills b through the buffer of this P.
func read(b []byte) {
	s, t := acquire()
	gen := generation()
	n := s.take(b, gen)
	release(t)
	if n < len(b) || generation() != gen {
		whole(nil, b, n, gen)
	}
}

// read is the function read on a state that its caller owns.
func (s *State) read(b []byte) {
	gen := generation()
	n := s.take(b, gen)
	if n < len(b) || generation() != gen {
		whole(s, b, n, gen)
	}
}

// readNext and its method are whole for a draw that has no bytes yet. With only one
// argument they keep the frames of the fixed sizes small.
//
//go:noinline
func readNext(b []byte) {
	n, gen := nextOfP(b)
	if n < len(b) || generation() != gen {
		whole(nil, b, n, gen)
	}
}

//go:noinline
func (s *State) readNext(b []byte) {
	n, gen := next(s, b)
	if n < len(b) || generation() != gen {
		whole(s, b, n, gen)
	}
}

// whole ends a draw into b, of which n bytes are there, keyed under gen. A draw has
// several parts if a buffer ends in its middle: all must be keyed under one generation
// that is still in force after the last. Otherwise all of them are wiped and made again,
// because a part made before a clone was taken is in both clones.
//
// The other parts come from own, or with own nil from the states of the Ps.
//
//go:noinline
func whole(own *State, b []byte, n int, gen uint64) {
	for tries := 0; n < len(b) || generation() != gen; {
		if n == len(b) {
			n = again(b)
			tries++
		}
		if tries >= patience {
			strict(b)
			return
		}
		part, of := next(own, b[n:])
		if n > 0 && of != gen {
			n = again(b[:n+part])
			tries++
			continue
		}
		n, gen = n+part, of
	}
}

// patience is how often a draw is made again before strict makes it. Words move seldom,
// but a program may call Reseed all the time, and so may a client of its random
// files: at one each 10 µs no read of 1 MiB ended within a second.
const patience = 4

// strict fills b from the kernel, and makes that again only if the word moves. A Reseed
// asks for nothing that b does not have: these bytes were made for this draw.
func strict(b []byte) {
	for {
		w := word()
		fill(b)
		if word() == w {
			return
		}
		again(b)
	}
}

// again wipes what lies in b, because the generation moved, and returns that none of
// it is left.
func again(b []byte) int {
	erase.Wipe(b)
	redone.Add(1)
	return 0
}
