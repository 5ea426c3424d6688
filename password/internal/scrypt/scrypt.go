// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package scrypt computes scrypt (RFC 7914) in memory that its caller provides. x/crypto's scrypt
// allocates memory for each hash, for all p parts at once, does not wipe it, and does not yield.
package scrypt

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password/internal/mac"
)

// blockWords is how many words Salsa20 works on.
const blockWords = 16

// LookEvery is how many words are mixed between two looks at the clock: 0.06 ms of portable code,
// at 7 ns each. A byte of SHA-256 counts as a word.
const LookEvery = 1 << 13

// Params are a hash's costs.
type Params struct {
	Cost int // N is 2^Cost, at least 2
	R, P int // of RFC 7914, at least 1
}

// Memory returns how many bytes Key needs, whatever P is: 128·R·(N + 3), for the table, two blocks
// to work on, and one of the P parts.
func (p Params) Memory() int64 { return 128 * int64(p.R) * (1<<p.Cost + 3) }

// Key returns n bytes of scrypt (section 6), or nil if turn is given up. turn must have been
// started; its unit is a word. memory must have at least p.Memory() bytes, with any content,
// aligned for words; Key leaves zeros. It computes one part after the other, and feeds each to the
// last PBKDF2.
func (p Params) Key(n int, password, salt, memory []byte, turn *turn.Turn) []byte {
	memory = memory[:p.Memory()]
	defer erase.Large(memory)
	at := len(memory) - 128*p.R
	work := erase.As[uint32](memory[:at])
	part := memory[at:]

	first := mac.New(sha256.New, password)
	defer first.Wipe()
	last := make([]*mac.MAC, (n+sha256.Size-1)/sha256.Size) // one for each digest of the key
	for i := range last {
		last[i] = mac.New(sha256.New, password)
		defer last[i].Wipe()
	}

	number := make([]byte, 4)
	block := uint32(0)
	for range p.P {
		for at := 0; at < len(part); at += sha256.Size {
			block++
			binary.BigEndian.PutUint32(number, block)
			first.Write(salt)
			first.Write(number)
			first.Sum(part[:at])
			if !turn.Did(2 * sha256.BlockSize) {
				return nil
			}
		}

		if !mix(part, p.Cost, p.R, work, turn) {
			return nil
		}

		for piece := range slices.Chunk(part, LookEvery) {
			for _, m := range last {
				m.Write(piece)
			}
			if !turn.Did(len(last) * len(piece)) {
				return nil
			}
		}
	}

	key := make([]byte, 0, len(last)*sha256.Size)
	for i, m := range last {
		binary.BigEndian.PutUint32(number, uint32(i+1))
		m.Write(number)
		key = m.Sum(key)
	}
	erase.Wipe(key[n:])
	return key[:n]
}

// mix replaces b, 128·r bytes, with its scryptROMix (section 5) for N = 2^cost. memory has N + 2
// blocks, with any content. mix returns false, and leaves b as it was, if it is given up.
func mix(b []byte, cost, r int, memory []uint32, turn *turn.Turn) bool {
	n := 1 << cost
	size := 32 * r // words
	var t [blockWords]uint32
	defer erase.Value(&t)

	block := func(i int) []uint32 { return memory[i*size:][:size] }
	first := block(0)
	for i := range first {
		first[i] = binary.LittleEndian.Uint32(b[4*at(i):])
	}

	for i := range n { // each block of the table is mixed into the next
		if !blockMix(&t, block(i+1), block(i), nil, turn) {
			return false
		}
	}

	x, y := block(n), block(n+1)
	for range n {
		j := int(x[size-blockWords]) & (n - 1) // Integerify; N is below 2^32
		if !blockMix(&t, y, x, block(j), turn) {
			return false
		}
		x, y = y, x
	}

	for i, w := range x {
		binary.LittleEndian.PutUint32(b[4*at(i):], w)
	}
	return true
}

// inUse is the level of the code that blockMix runs: 0 is portable, and higher ones are faster.
var inUse = fastest()

// at returns the index of memory's i-th word in the standard's order. The assembly keeps blocks by
// diagonals (_asm/main.go), with the same first word.
func at(i int) int {
	if inUse == 0 {
		return i
	}
	return i&^(blockWords-1) | i*5%blockWords
}

// blockMix sets out to scryptBlockMix (section 4) of x or, if v is not nil, of x ^ v. It works in
// pieces, as a block may have 64 MiB, and returns false if it is given up. t is memory to work in.
func blockMix(t *[blockWords]uint32, out, x, v []uint32, turn *turn.Turn) bool {
	half := len(x) / 2
	clear(t[:])
	add(t, x, v, len(x)-blockWords)

	for from := 0; from < len(x); from += LookEvery {
		to := min(from+LookEvery, len(x))
		var part []uint32
		if v != nil {
			part = v[from:to]
		}

		blocksAt(inUse, t, out[from/2:to/2], out[half+from/2:half+to/2], x[from:to], part)
		if !turn.Did(to - from) {
			return false
		}
	}
	return true
}

// blocksGeneric mixes the blocks of x, or of x ^ v, one after the other into t, and copies t to
// even and odd in turns.
func blocksGeneric(t *[blockWords]uint32, even, odd, x, v []uint32) {
	for i := 0; i < len(x); i += 2 * blockWords {
		add(t, x, v, i)
		salsa8(t)
		copy(even[i/2:], t[:])
		add(t, x, v, i+blockWords)
		salsa8(t)
		copy(odd[i/2:], t[:])
	}
}

// add XORs the block at i into t.
func add(t *[blockWords]uint32, x, v []uint32, i int) {
	a := (*[blockWords]uint32)(x[i:])
	if v == nil {
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

// salsa8 is the Salsa20/8 core (section 3). Words in an array instead of variables took 1.16 times
// as long.
func salsa8(t *[blockWords]uint32) {
	x0, x1, x2, x3 := t[0], t[1], t[2], t[3]
	x4, x5, x6, x7 := t[4], t[5], t[6], t[7]
	x8, x9, x10, x11 := t[8], t[9], t[10], t[11]
	x12, x13, x14, x15 := t[12], t[13], t[14], t[15]

	for range 4 {
		x0, x4, x8, x12 = Quarter(x0, x4, x8, x12)
		x5, x9, x13, x1 = Quarter(x5, x9, x13, x1)
		x10, x14, x2, x6 = Quarter(x10, x14, x2, x6)
		x15, x3, x7, x11 = Quarter(x15, x3, x7, x11)
		x0, x1, x2, x3 = Quarter(x0, x1, x2, x3)
		x5, x6, x7, x4 = Quarter(x5, x6, x7, x4)
		x10, x11, x8, x9 = Quarter(x10, x11, x8, x9)
		x15, x12, x13, x14 = Quarter(x15, x12, x13, x14)
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

// Quarter is Salsa20's quarterround.
func Quarter(a, b, c, d uint32) (uint32, uint32, uint32, uint32) {
	b ^= bits.RotateLeft32(a+d, 7)
	c ^= bits.RotateLeft32(b+a, 9)
	d ^= bits.RotateLeft32(c+b, 13)
	a ^= bits.RotateLeft32(d+c, 18)
	return a, b, c, d
}
