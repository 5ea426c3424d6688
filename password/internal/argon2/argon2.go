// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package argon2 computes Argon2d, Argon2i and Argon2id (RFC 9106, version 0x13, and 0x10 before
// it) in memory that its caller keeps. x/crypto's package of that name has no Argon2d and no
// secret, allocates its memory for each hash, and holds its core from the first block to the last.
package argon2

import (
	"encoding/binary"
	"hash"
	"sync"

	"golang.org/x/crypto/blake2b"

	"fount/internal/erase"
	"fount/internal/turn"
)

// A Mode is a variant of Argon2, by its number y (RFC 9106, section 3.2).
type Mode uint32

const (
	D  Mode = 0
	I  Mode = 1
	ID Mode = 2
)

const (
	words      = 128          // of a block, 1 KiB
	slices     = 4            // of a pass; lanes meet after each
	blockBytes = words * 8    // bytes
	lookEvery  = 256          // blocks, 0.05 ms in AVX-512, 0.17 ms in portable code
	seedLen    = blake2b.Size // bytes of H0
)

// A Block is the unit of memory, 1 KiB.
type Block [words]uint64

// Params are the inputs that are no secret of the user's.
type Params struct {
	Mode   Mode
	Memory uint32 // KiB; below 8 for each lane it counts as 8, as x/crypto does
	Passes uint32 // at least 1
	Lanes  uint32 // at least 1
	Secret []byte // K, a pepper; may be empty
	Data   []byte // X; may be empty
	Old    bool   // version 0x10, which later passes do not mix with what they overwrite
}

// Blocks returns how many blocks Sum fills: Memory, rounded down to a multiple of 4·Lanes, and two
// such multiples at least.
func (p *Params) Blocks() int {
	return int(max(p.Memory/(slices*p.Lanes), 2) * slices * p.Lanes)
}

// Sum writes the tag of password and salt to tag, whose length is an input too. memory has at least
// p.Blocks() blocks, with any content. What is left in them is as secret as the password: the
// caller wipes them, or has another Sum use them at once, which writes to each before it reads it.
// It uses as many goroutines as threads says, no more than there are lanes, and each lets others
// run twice in a millisecond.
//
// It returns false, and leaves the tag as it was, when gone has said that nobody waits for it any
// more. gone is called from any of the goroutines; nil: never.
func (p *Params) Sum(tag, password, salt []byte, memory []Block, threads int, gone func() bool) bool {
	f := filler{Params: *p, b: memory[:p.Blocks()]}
	f.lane = uint32(len(f.b)) / p.Lanes
	f.segment = f.lane / slices
	f.turns = make([]turn.Turn, max(1, min(threads, int(p.Lanes))))
	for i := range f.turns {
		f.turns[i].Start(lookEvery, gone)
	}
	seed := p.seed(len(tag), password, salt)
	defer erase.Wipe(seed)
	f.start(seed)
	for pass := range p.Passes {
		for slice := range uint32(slices) {
			if f.givenUp() {
				return false
			}
			f.fillSlice(pass, slice)
		}
	}
	if f.givenUp() {
		return false
	}
	f.finish(tag)
	return true
}

// seed returns H0, with room for the two numbers that the first blocks add.
func (p *Params) seed(tagLen int, password, salt []byte) []byte {
	h := newBlake2b(blake2b.Size)
	version := uint32(0x13)
	if p.Old {
		version = 0x10
	}
	for _, n := range []uint32{p.Lanes, uint32(tagLen), p.Memory, p.Passes, version, uint32(p.Mode)} {
		write32(h, n)
	}
	for _, b := range [][]byte{password, salt, p.Secret, p.Data} {
		write32(h, uint32(len(b)))
		h.Write(b)
	}
	seed := h.Sum(make([]byte, 0, seedLen+8))
	h.Reset()
	return seed[:seedLen+8]
}

// newBlake2b returns BLAKE2b of a size of 1 to 64 bytes, of which there is no error.
func newBlake2b(size int) hash.Hash {
	h, _ := blake2b.New(size, nil)
	return h
}

func write32(h hash.Hash, n uint32) { h.Write(binary.LittleEndian.AppendUint32(nil, n)) }

// stretch is H', the hash of variable length (section 3.3).
func stretch(out, in []byte) {
	h := newBlake2b(min(len(out), blake2b.Size))
	write32(h, uint32(len(out)))
	h.Write(in)
	if len(out) <= blake2b.Size {
		h.Sum(out[:0])
		return
	}
	v := h.Sum(make([]byte, 0, blake2b.Size))
	defer erase.Wipe(v)
	for {
		out = out[copy(out, v[:blake2b.Size/2]):]
		if len(out) <= blake2b.Size {
			break
		}
		next := blake2b.Sum512(v)
		copy(v, next[:])
	}
	h = newBlake2b(len(out))
	h.Write(v)
	h.Sum(out[:0])
}

// A filler is one hash in the making.
type filler struct {
	Params
	b       []Block     // lane after lane
	lane    uint32      // blocks in a lane
	segment uint32      // blocks in a lane's part of a slice
	turns   []turn.Turn // one for each goroutine, whose unit is a block
}

func (f *filler) givenUp() bool {
	for i := range f.turns {
		if f.turns[i].GivenUp() {
			return true
		}
	}
	return false
}

// start fills the first two blocks of each lane.
func (f *filler) start(seed []byte) {
	var text [blockBytes]byte
	defer erase.Wipe(text[:])
	for lane := range f.Lanes {
		binary.LittleEndian.PutUint32(seed[seedLen+4:], lane)
		for i := range uint32(2) {
			binary.LittleEndian.PutUint32(seed[seedLen:], i)
			stretch(text[:], seed)
			binary.Decode(text[:], binary.LittleEndian, f.b[lane*f.lane+i][:]) // has the right size
		}
		if !f.turns[0].Did(2 * 10) { // stretch takes 5 µs, as ten blocks that are compressed
			return
		}
	}
}

// fillSlice fills one slice of all lanes. No lane reads what another writes meanwhile.
func (f *filler) fillSlice(pass, slice uint32) {
	threads := uint32(len(f.turns))
	fill := func(thread uint32) {
		for lane := thread; lane < f.Lanes; lane += 2 * threads {
			f.fillPair(pass, slice, lane, lane+threads, &f.turns[thread])
		}
	}
	if threads == 1 {
		fill(0)
		return
	}
	var wg sync.WaitGroup
	for thread := range threads {
		wg.Go(func() { fill(thread) })
	}
	wg.Wait()
}

// fillPair fills the segments of lane, and of other if there is such a lane, block by block in
// turns: while one is computed, memory delivers what the other's next refers to. It returns early
// if the hash is given up.
func (f *filler) fillPair(pass, slice, lane, other uint32, turn *turn.Turn) {
	var pair [2]segment
	ss := pair[:1]
	pair[0].start(f, pass, slice, lane)
	defer wipe(&pair[0].z)
	if other < f.Lanes {
		ss = pair[:]
		pair[1].start(f, pass, slice, other)
		defer wipe(&pair[1].z)
	}
	for i := ss[0].first(); i < f.segment; i++ {
		for j := range ss {
			ss[j].fill(i)
		}
		if !turn.Did(len(ss)) {
			return
		}
	}
}

// finish hashes the sum of the lanes' last blocks to the tag.
func (f *filler) finish(tag []byte) {
	var last Block
	defer wipe(&last)
	for lane := range f.Lanes {
		for w, v := range f.b[(lane+1)*f.lane-1] {
			last[w] ^= v
		}
	}
	var text [blockBytes]byte
	defer erase.Wipe(text[:])
	binary.Encode(text[:], binary.LittleEndian, last[:])
	stretch(tag, text[:])
}
