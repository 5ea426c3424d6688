// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package argon2 computes Argon2d, Argon2i and Argon2id (RFC 9106, version 0x13, and 0x10 before
// it) in memory that its caller provides. Package argon2 of x/crypto has no Argon2d and no secret,
// allocates memory for each hash, and does not yield.
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
	words      = 128          // in a block
	slices     = 4            // in a pass; lanes wait for each other after each
	blockBytes = words * 8    // 1 KiB
	lookEvery  = 256          // blocks: 0.05 ms with AVX-512, 0.17 ms in portable code
	seedLen    = blake2b.Size // bytes of H0
)

// A Block is the unit of memory, 1 KiB.
type Block [words]uint64

// Params are the inputs other than password and salt.
type Params struct {
	Mode   Mode
	Memory uint32 // KiB; less than 8 for each lane counts as 8, as in x/crypto
	Passes uint32 // at least 1
	Lanes  uint32 // at least 1
	Secret []byte // K, a pepper; may be empty
	Data   []byte // X; may be empty
	Old    bool   // version 0x10: later passes overwrite blocks and don't mix them in
}

// Blocks returns how many blocks Sum fills: Memory, rounded down to a multiple of 4·Lanes, but at
// least 8·Lanes.
func (p *Params) Blocks() int {
	return int(max(p.Memory/(slices*p.Lanes), 2) * slices * p.Lanes)
}

// Sum sets tag to the tag of password and salt; its length is an input too. memory must have at
// least p.Blocks() blocks, with any content. What Sum leaves in them is as secret as the password:
// the caller must wipe them, or use them at once for another Sum, which overwrites each before it
// reads it. Sum uses threads goroutines, but at most one for each lane, which yield twice in
// a millisecond.
//
// gone, if not nil, reports whether to give up, and may be called from any goroutine. If it
// returned true, Sum returns false and leaves tag as it was.
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

// seed returns H0, and room for the two numbers that the first blocks add.
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

// newBlake2b returns BLAKE2b with a sum of size bytes, 1 to 64.
func newBlake2b(size int) hash.Hash {
	h, _ := blake2b.New(size, nil)
	return h
}

func write32(h hash.Hash, n uint32) { h.Write(binary.LittleEndian.AppendUint32(nil, n)) }

// stretch sets out to H' of in, the hash of variable length (section 3.3).
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

// A filler computes one hash.
type filler struct {
	Params
	b       []Block     // lane after lane
	lane    uint32      // blocks in a lane
	segment uint32      // blocks in a segment: a lane's part of a slice
	turns   []turn.Turn // one for each goroutine; a unit is a block
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
			binary.Decode(text[:], binary.LittleEndian, f.b[lane*f.lane+i][:]) // the sizes are equal
		}
		if !f.turns[0].Did(2 * 10) { // stretch takes 5 µs, as long as ten blocks
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

// fillPair fills the segments of lane, and of other if there is such a lane, and alternates between
// them: while one block is computed, the memory loads what the other's next block refers to. It
// returns early if the hash is given up.
func (f *filler) fillPair(pass, slice, lane, other uint32, turn *turn.Turn) {
	var pair [2]segment
	ss := pair[:1]
	pair[0].start(f, pass, slice, lane)
	defer erase.Value(&pair[0].z)
	if other < f.Lanes {
		ss = pair[:]
		pair[1].start(f, pass, slice, other)
		defer erase.Value(&pair[1].z)
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

// finish sets tag to the hash of the XOR of the lanes' last blocks.
func (f *filler) finish(tag []byte) {
	var last Block
	defer erase.Value(&last)
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

// A segment is one lane's part of a slice. Its blocks are filled in order.
type segment struct {
	f                 *filler
	pass, slice, lane uint32
	independent       bool // references don't depend on the password
	xor               bool // a block's old content is mixed in

	ref     uint32 // the block that the next one refers to
	window  window // in a hash of one lane: where the next reference may be
	address Block  // if independent: numbers that choose references
	counter Block  // input of address
	z       Block  // for compress
}

// start sets s to a segment, and chooses and prefetches the first reference.
func (s *segment) start(f *filler, pass, slice, lane uint32) {
	*s = segment{f: f, pass: pass, slice: slice, lane: lane, xor: pass > 0 && !f.Old}
	first := s.first()

	s.independent = f.Mode == I || f.Mode == ID && pass == 0 && slice < slices/2
	if s.independent {
		s.counter = Block{uint64(pass), uint64(lane), uint64(slice), uint64(len(f.b)), uint64(f.Passes), uint64(f.Mode)}
		s.makeAddresses()
		s.refer(s.address[first], first)
		return
	}

	s.refer(s.previous(first)[0], first)
	s.window = s.reach(first, true)
}

// first returns the index of the first block to fill: 2 in a lane's first segment, else 0.
func (s *segment) first() uint32 {
	if s.pass == 0 && s.slice == 0 {
		return 2
	}
	return 0
}

func (s *segment) makeAddresses() {
	var zero Block
	s.counter[6]++
	compress(&s.address, &zero, &s.counter, false, &s.z, nil)
	compress(&s.address, &zero, &s.address, false, &s.z, nil)
}

// fill fills block i of the segment, and chooses and prefetches the reference of the next.
func (s *segment) fill(i uint32) {
	f := s.f
	out := &f.b[s.lane*f.lane+s.slice*f.segment+i]
	prev := s.previous(i)
	ref := &f.b[s.ref]

	next := i + 1
	if s.independent && next < f.segment {
		if next%words == 0 {
			s.makeAddresses()
		}
		s.refer(s.address[next%words], next)
	}

	var w *window
	if !s.independent && f.Lanes == 1 {
		w = &s.window
		w.n++
		w.last++
	}

	compress(out, prev, ref, s.xor, &s.z, w)

	if w != nil {
		s.ref = uint32(w.ref)
	} else if !s.independent && next < f.segment {
		s.refer(out[0], next)
	}
}

// previous returns the block before block i of the segment.
func (s *segment) previous(i uint32) *Block {
	f := s.f
	at := s.slice*f.segment + i
	if at == 0 {
		at = f.lane
	}
	return &f.b[s.lane*f.lane+at-1]
}

// refer sets s.ref to the block that block i refers to (sections 3.4.1.2 and 3.4.2).
func (s *segment) refer(random uint64, i uint32) {
	f := s.f
	l := s.lane
	if f.Lanes > 1 && (s.pass > 0 || s.slice > 0) {
		l = uint32(random>>32) % f.Lanes
	}

	w := s.reach(i, l == s.lane)
	s.ref = l*f.lane + uint32(w.pick(random))
	fetchBlock(&f.b[s.ref])
}

// reach returns the blocks of its own lane, or of another, that block i may refer to: the complete
// ones, but for the one before i.
func (s *segment) reach(i uint32, own bool) window {
	f := s.f
	n := s.slice * f.segment
	first := uint32(0)
	if s.pass > 0 {
		n = f.lane - f.segment
		first = (s.slice + 1) % slices * f.segment
	}

	if own {
		n += i - 1
	} else if i == 0 {
		n-- // the other lanes' last block is still the newest here
	}
	return window{lane: &f.b[0], n: uint64(n), last: uint64(first + n - 1), size: uint64(f.lane)}
}

// A window is a part of a lane, which may wrap around. The assembly depends on its layout.
type window struct {
	lane *Block // the lane's first
	n    uint64 // blocks in the window
	last uint64 // the last one's index, or that plus size
	size uint64 // blocks in the lane
	ref  uint64 // set by compress: the index that out's first word picks
}

// pick returns the index in the lane of the block that random chooses. It favors later blocks.
func (w *window) pick(random uint64) uint64 {
	x := random & 0xffffffff
	x = x * x >> 32
	at := w.last - w.n*x>>32
	if at >= w.size {
		at -= w.size
	}
	return at
}
