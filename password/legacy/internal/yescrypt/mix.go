// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package yescrypt

import "fount/password/internal/scrypt"

// The S-boxes of one lane: three tables of 256 pairs of words. Two are read while the third is
// written.
const (
	boxWords = 512 // of 64 bits
	boxBytes = 3 * boxWords * 8
	boxMask  = 0xff0 // of a word's bits, the byte at which a pair begins
)

type box struct {
	words      []uint64 // all three
	s0, s1, s2 *[boxWords]uint64
	written    int // words of s2
}

// mix is BlockMix with pwxform, of x, 16·r words, in place.
func (b *box) mix(x []uint64) {
	var t [8]uint64
	copy(t[:], x[len(x)-8:])
	for ; len(x) >= 8; x = x[8:] {
		block := (*[8]uint64)(x)
		for i := range t {
			t[i] ^= block[i]
		}
		b.pwxform(&t)
		*block = t
		if len(x) == 8 {
			salsa20(block, 2)
		}
	}
}

// pwxform is the pwxform transformation: 6 rounds of 4 lanes, each with two multiplications and a
// lookup in two S-boxes. The results of the 4 rounds in the middle are written into the third
// S-box.
func (b *box) pwxform(t *[8]uint64) {
	s0, s1, s2, w := b.s0, b.s1, b.s2, b.written
	x0, x1, x2, x3, x4, x5, x6, x7 := t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]

	for round := range 6 {
		x0, x1 = lane(x0, x1, s0, s1)
		x2, x3 = lane(x2, x3, s0, s1)
		x4, x5 = lane(x4, x5, s0, s1)
		x6, x7 = lane(x6, x7, s0, s1)
		if round != 0 && round != 5 {
			*(*[8]uint64)(s2[w:]) = [8]uint64{x0, x1, x2, x3, x4, x5, x6, x7}
			w += 8
		}
	}

	*t = [8]uint64{x0, x1, x2, x3, x4, x5, x6, x7}
	b.s0, b.s1, b.s2 = s2, s0, s1
	b.written = w & (boxWords - 1)
}

func lane(x, y uint64, s0, s1 *[boxWords]uint64) (uint64, uint64) {
	p, q := x&boxMask>>3, x>>32&boxMask>>3
	return (x>>32*(x&0xffffffff) + s0[p]) ^ s1[q], (y>>32*(y&0xffffffff) + s0[p+1]) ^ s1[q+1]
}

// mixSalsa8 is scryptBlockMix (RFC 7914, section 4) of two blocks.
func mixSalsa8(x *[16]uint64) {
	first, second := (*[8]uint64)(x[:8]), (*[8]uint64)(x[8:])
	xor(first[:], second[:])
	salsa20(first, 8)
	xor(second[:], first[:])
	salsa20(second, 8)
}

// salsa20 is the Salsa20 core on a block in load's order.
func salsa20(b *[8]uint64, rounds int) {
	x0, x5 := uint32(b[0]), uint32(b[0]>>32)
	x10, x15 := uint32(b[1]), uint32(b[1]>>32)
	x4, x9 := uint32(b[2]), uint32(b[2]>>32)
	x14, x3 := uint32(b[3]), uint32(b[3]>>32)
	x8, x13 := uint32(b[4]), uint32(b[4]>>32)
	x2, x7 := uint32(b[5]), uint32(b[5]>>32)
	x12, x1 := uint32(b[6]), uint32(b[6]>>32)
	x6, x11 := uint32(b[7]), uint32(b[7]>>32)

	for ; rounds > 0; rounds -= 2 {
		x0, x4, x8, x12 = scrypt.Quarter(x0, x4, x8, x12)
		x5, x9, x13, x1 = scrypt.Quarter(x5, x9, x13, x1)
		x10, x14, x2, x6 = scrypt.Quarter(x10, x14, x2, x6)
		x15, x3, x7, x11 = scrypt.Quarter(x15, x3, x7, x11)
		x0, x1, x2, x3 = scrypt.Quarter(x0, x1, x2, x3)
		x5, x6, x7, x4 = scrypt.Quarter(x5, x6, x7, x4)
		x10, x11, x8, x9 = scrypt.Quarter(x10, x11, x8, x9)
		x15, x12, x13, x14 = scrypt.Quarter(x15, x12, x13, x14)
	}

	b[0] = sum(b[0], x0, x5)
	b[1] = sum(b[1], x10, x15)
	b[2] = sum(b[2], x4, x9)
	b[3] = sum(b[3], x14, x3)
	b[4] = sum(b[4], x8, x13)
	b[5] = sum(b[5], x2, x7)
	b[6] = sum(b[6], x12, x1)
	b[7] = sum(b[7], x6, x11)
}

// sum adds low and high to the halves of v.
func sum(v uint64, low, high uint32) uint64 {
	return uint64(uint32(v)+low) | uint64(uint32(v>>32)+high)<<32
}

func xor(x, with []uint64) {
	with = with[:len(x)]
	for i := range x {
		x[i] ^= with[i]
	}
}
