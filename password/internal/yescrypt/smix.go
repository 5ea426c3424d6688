// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package yescrypt

import (
	"crypto/sha256"
	"math/bits"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password/internal/mac"
)

// LookEvery is how many blocks of 64 bytes are mixed from one call of yield to the next, in 0.05 to
// 0.1 ms.
const LookEvery = 1 << 10

// A smix is the loops over the table.
type smix struct {
	Params
	table []uint64 // 16·R words each block
	x, y  []uint64 // the block that is worked on, and room for its next
	boxes []box    // of RW, one a lane
	turn  *turn.Turn
}

func newSmix(p Params, memory []uint64, t *turn.Turn) *smix {
	width := 16 * p.R
	take := func(n int) []uint64 {
		part := memory[:n:n]
		memory = memory[n:]
		return part
	}
	s := &smix{Params: p, turn: t}
	if p.Mode == RW {
		for range p.P {
			s.boxes = append(s.boxes, box{words: take(boxBytes / 8)})
		}
	}
	s.x, s.y = take(width), take(width)
	s.table = take(width << p.Cost)
	return s
}

// loops is fNloop of steps 2: how many blocks of n are looked up, before they are shared out and
// rounded.
func loops(mode Mode, n int64, t int) int64 {
	switch {
	case mode == Classic || mode == WORM && t == 0:
		return n
	case mode == WORM && t == 1:
		return n + (n+1)/2
	case mode == WORM:
		return n * int64(t)
	case t == 0:
		return (n + 2) / 3
	case t == 1:
		return (2*n + 2) / 3
	}
	return n * int64(t-1)
}

// run mixes each lane in place. In RW it changes password, 32 bytes. It is false once nobody waits.
func (s *smix) run(lanes [][]byte, password []byte) bool {
	n := int64(1) << s.Cost
	if s.Mode != RW {
		all := (loops(s.Mode, n, s.T) + 1) &^ 1 // even
		for _, lane := range lanes {
			if !s.fill(lane, n, 0, nil) || !s.look(lane, n, all, 0, nil, false) {
				return false
			}
		}
		return true
	}
	chunk := n / int64(s.P)
	all := loops(RW, chunk, s.T)
	writing := (all/int64(s.P) + 1) &^ 1 // 4, 10
	all, chunk = (all+1)&^1, chunk&^1
	for i, lane := range lanes {
		own, from := chunk, int64(i)*chunk
		if i == s.P-1 {
			own = n - from // 14
		}
		if !s.fillBox(&s.boxes[i], lane) {
			return false
		}
		if i == 0 {
			next := mac.HMAC(sha256.New, lane[len(lane)-64:], password) // 24
			copy(password, next)
			erase.Wipe(next)
		}
		if !s.fill(lane, own, from, &s.boxes[i]) || !s.look(lane, powerFloor(own), writing, from, &s.boxes[i], true) {
			return false
		}
	}
	for i, lane := range lanes {
		if !s.look(lane, n, all-writing, 0, &s.boxes[i], false) {
			return false
		}
	}
	return true
}

// powerFloor returns the largest power of two that is not above n.
func powerFloor(n int64) int64 { return 1 << (bits.Len64(uint64(n)) - 1) }

// block returns block i of the table.
func (s *smix) block(i int64) []uint64 {
	width := len(s.x)
	return s.table[int(i)*width:][:width:width]
}

// fillBox is SMix1 of the lane's first 128 bytes with the S-boxes as its table: steps 18 to 22.
func (s *smix) fillBox(b *box, lane []byte) bool {
	small := smix{Params: Params{Mode: Classic, R: 1}, table: b.words, x: s.x[:16], y: s.y[:16], turn: s.turn}
	if !small.fill(lane[:128], boxBytes/128, 0, nil) {
		return false
	}
	b.s2 = (*[boxWords]uint64)(b.words)
	b.s1 = (*[boxWords]uint64)(b.words[boxWords:])
	b.s0 = (*[boxWords]uint64)(b.words[2*boxWords:])
	b.written = 0
	return true
}

// fill is SMix1 of the lane, into n blocks of the table from the given one on. With S-boxes each
// block depends on one before it too.
func (s *smix) fill(lane []byte, n, from int64, b *box) bool {
	load(s.x, lane)
	for i := range n {
		copy(s.block(from+i), s.x)
		if b != nil && i > 1 {
			power := powerFloor(i)
			xor(s.x, s.block(from+(s.integer()&(power-1))+i-power))
		}
		if !s.mix(b) {
			return false
		}
	}
	store(lane, s.x)
	return true
}

// look is SMix2 of the lane that reads the n blocks from the given one on, and with write leaves
// its own in each that it reads.
func (s *smix) look(lane []byte, n, loops, from int64, b *box, write bool) bool {
	load(s.x, lane)
	for range loops {
		read := s.block(from + s.integer()&(n-1))
		xor(s.x, read)
		if write {
			copy(read, s.x)
		}
		if !s.mix(b) {
			return false
		}
	}
	store(lane, s.x)
	return true
}

// integer is Integerify, of which N, below 2^32, takes the low bits.
func (s *smix) integer() int64 { return int64(uint32(s.x[len(s.x)-8])) }

// mix is BlockMix, with pwxform or without.
func (s *smix) mix(b *box) bool {
	if b != nil {
		b.mix(s.x)
	} else {
		mixSalsa8(s.y, s.x)
		s.x, s.y = s.y, s.x
	}
	return s.turn.Did(2 * s.R)
}

func xor(x, with []uint64) {
	with = with[:len(x)]
	for i := range x {
		x[i] ^= with[i]
	}
}
