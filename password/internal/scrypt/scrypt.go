// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package scrypt computes scryptROMix (RFC 7914, section 5), the part of scrypt
// that takes time and memory, in memory that its caller keeps. It is not the
// whole of scrypt: x/crypto's is that, which allocates its memory for each hash,
// leaves it as it was used, and holds its core from the first block to the last.
package scrypt

import (
	"encoding/binary"
	"math/bits"

	"fount/internal/erase"
	"fount/internal/turn"
)

// blockWords is how many words Salsa20 works on.
const blockWords = 16

// LookEvery is how many words a turn of Mix has from one look at the clock to the
// next: 0.06 ms, at 7 ns each. A block that is short is counted as a whole.
const LookEvery = 1 << 13

// Words returns how many words of memory Mix needs: 128·r·(2^cost + 2) bytes, the
// table and two blocks to work on.
func Words(cost, r int) int { return 32 * r * (1<<cost + 2) }

// Mix replaces b, 128·r bytes, with its scryptROMix for N = 2^cost. memory has at
// least Words(cost, r) words, with any content; they are zero when it returns. The
// unit of turn, which has been started, is a word. Mix returns false, and leaves b
// as it was, if it is given up.
func Mix(b []byte, cost, r int, memory []uint32, turn *turn.Turn) bool {
	n := 1 << cost
	size := 32 * r // words
	memory = memory[:Words(cost, r)]
	defer erase.Large(memory)
	x, y := memory[n*size:][:size], memory[(n+1)*size:][:size]
	for i := range x {
		x[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	for i := range n {
		v := memory[i*size:][:size]
		copy(v, x)
		if !blockMix(y, x, v, false, turn) {
			return false
		}
		x, y = y, x
	}
	for range n {
		j := int(x[size-blockWords]) & (n - 1) // Integerify; N is below 2^32
		if !blockMix(y, x, memory[j*size:][:size], true, turn) {
			return false
		}
		x, y = y, x
	}
	for i, w := range x {
		binary.LittleEndian.PutUint32(b[4*i:], w)
	}
	return true
}

// blockMix sets out to scryptBlockMix (section 4) of x, or, with xor, of x ^ v. It
// counts each word of a block, which may have 64 MiB, and returns false if it is
// given up.
func blockMix(out, x, v []uint32, xor bool, turn *turn.Turn) bool {
	half := len(x) / 2
	var t [blockWords]uint32
	load(&t, x, v, len(x)-blockWords, xor)
	for from := 0; from < len(x); from += LookEvery {
		to := min(from+LookEvery, len(x))
		for i := from; i < to; i += 2 * blockWords {
			add(&t, x, v, i, xor)
			salsa8(&t)
			copy(out[i/2:], t[:])
			add(&t, x, v, i+blockWords, xor)
			salsa8(&t)
			copy(out[half+i/2:], t[:])
		}
		if !turn.Did(to - from) {
			return false
		}
	}
	return true
}

// load sets t to the block at i.
func load(t *[blockWords]uint32, x, v []uint32, i int, xor bool) {
	clear(t[:])
	add(t, x, v, i, xor)
}

// add adds the block at i to t.
func add(t *[blockWords]uint32, x, v []uint32, i int, xor bool) {
	a := (*[blockWords]uint32)(x[i:])
	if !xor {
		for k := range t {
			t[k] ^= a[k]
		}
		return
	}
	b := (*[blockWords]uint32)(v[i:])
	for k := range t {
		t[k] ^= a[k] ^ b[k]
	}
}

// salsa8 is the Salsa20/8 core (section 3). With the words in an array it took
// 1.16 times as long.
func salsa8(t *[blockWords]uint32) {
	x0 := t[0]
	x1 := t[1]
	x2 := t[2]
	x3 := t[3]
	x4 := t[4]
	x5 := t[5]
	x6 := t[6]
	x7 := t[7]
	x8 := t[8]
	x9 := t[9]
	x10 := t[10]
	x11 := t[11]
	x12 := t[12]
	x13 := t[13]
	x14 := t[14]
	x15 := t[15]
	for range 4 {
		x0, x4, x8, x12 = quarter(x0, x4, x8, x12)
		x5, x9, x13, x1 = quarter(x5, x9, x13, x1)
		x10, x14, x2, x6 = quarter(x10, x14, x2, x6)
		x15, x3, x7, x11 = quarter(x15, x3, x7, x11)
		x0, x1, x2, x3 = quarter(x0, x1, x2, x3)
		x5, x6, x7, x4 = quarter(x5, x6, x7, x4)
		x10, x11, x8, x9 = quarter(x10, x11, x8, x9)
		x15, x12, x13, x14 = quarter(x15, x12, x13, x14)
	}
	t[0] += x0
	t[1] += x1
	t[2] += x2
	t[3] += x3
	t[4] += x4
	t[5] += x5
	t[6] += x6
	t[7] += x7
	t[8] += x8
	t[9] += x9
	t[10] += x10
	t[11] += x11
	t[12] += x12
	t[13] += x13
	t[14] += x14
	t[15] += x15
}

func quarter(a, b, c, d uint32) (uint32, uint32, uint32, uint32) {
	b ^= bits.RotateLeft32(a+d, 7)
	c ^= bits.RotateLeft32(b+a, 9)
	d ^= bits.RotateLeft32(c+b, 13)
	a ^= bits.RotateLeft32(d+c, 18)
	return a, b, c, d
}
