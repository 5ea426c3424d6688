// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"encoding/binary"

	"fount/internal/erase"
)

// Each draw comes twice: as a function, from the state of the P it runs on,
// and as a method, from a State its caller owns. Both check the generation
// before and after they copy. The short ones go through read when their state
// is stale, too empty, or changed under them; read overwrites all of dst.

// Read16 fills dst.
func Read16(dst *[16]byte) {
	gen := generation()
	s, t := acquire()
	ok := s.take16(dst, gen) && generation() == gen
	release(t)
	if ok {
		return
	}
	read(dst[:])
}

// Read16 fills dst.
func (s *State) Read16(dst *[16]byte) {
	gen := generation()
	if s.take16(dst, gen) && generation() == gen {
		return
	}
	s.read(dst[:])
}

// Uint64 returns 64 random bits.
func Uint64() uint64 {
	gen := generation()
	s, t := acquire()
	v, ok := s.take8(gen)
	ok = ok && generation() == gen
	release(t)
	if ok {
		return v
	}
	var b [8]byte
	read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// Uint64 returns 64 random bits.
func (s *State) Uint64() uint64 {
	gen := generation()
	if v, ok := s.take8(gen); ok && generation() == gen {
		return v
	}
	var b [8]byte
	s.read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// Uint32 returns 32 random bits.
func Uint32() uint32 {
	gen := generation()
	s, t := acquire()
	v, ok := s.take4(gen)
	ok = ok && generation() == gen
	release(t)
	if ok {
		return v
	}
	var b [4]byte
	read(b[:])
	return binary.LittleEndian.Uint32(b[:])
}

// Uint32 returns 32 random bits.
func (s *State) Uint32() uint32 {
	gen := generation()
	if v, ok := s.take4(gen); ok && generation() == gen {
		return v
	}
	var b [4]byte
	s.read(b[:])
	return binary.LittleEndian.Uint32(b[:])
}

// Read fills b.
func Read(b []byte) {
	if len(b) > Window && large(len(b)) {
		bulk(b, nil)
		return
	}
	read(b)
}

// Read fills b.
func (s *State) Read(b []byte) {
	if len(b) > Window && large(len(b)) {
		bulk(b, s)
		return
	}
	s.read(b)
}

// read fills b through the buffer of this P.
func read(b []byte) {
	for len(b) > 0 {
		gen := generation()
		s, t := acquire()
		n := s.take(b, gen)
		release(t)
		if n == 0 {
			n, gen = next(b)
		}
		b = accept(b, n, gen)
	}
}

// read is the function read on a state that its caller owns.
func (s *State) read(b []byte) {
	for len(b) > 0 {
		gen := generation()
		n := s.take(b, gen)
		if n == 0 {
			n, gen = s.next(b)
		}
		b = accept(b, n, gen)
	}
}

// accept is the check after a copy of n bytes into b: it returns what of b is
// still to be filled, which is all of it, wiped, if the generation moved.
func accept(b []byte, n int, gen uint64) []byte {
	if generation() == gen {
		return b[n:]
	}
	erase.Wipe(b[:n])
	redone.Add(1)
	return b
}
