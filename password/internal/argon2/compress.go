// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package argon2

import (
	"math/bits"

	"fount/internal/erase"
)

// inUse is the level of the code that compress runs: 0 is portable, and higher ones are faster.
var inUse = fastest()

// compress is G (RFC 9106, section 3.5): it sets out to P(x ^ y) ^ x ^ y, where P runs over the
// block's rows and then over its columns. With xor, for passes after the first, it XORs that into
// out. out may be x or y. z is memory to work in, none of the three, and afterwards as secret as
// the block.
//
// If next is not nil, compress then sets next.ref to the block that out's first word picks. The
// assembly also prefetches that block.
func compress(out, x, y *Block, xor bool, z *Block, next *window) {
	if inUse > 0 {
		assembly(inUse, out, x, y, xor, z, next)
		return
	}

	compressGeneric(out, x, y, xor, z)
	if next != nil {
		next.ref = next.pick(out[0])
	}
}

// compressGeneric is compress in portable code.
func compressGeneric(out, x, y *Block, xor bool, z *Block) {
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
	for i := 0; i < words; i += 16 {
		permute((*[16]uint64)(z[i:]))
	}

	kept := uint64(0) // the bits of out that are mixed in
	if xor {
		kept = ^kept
	}
	var column [16]uint64 // eight pairs of words, one of each row
	for i := 0; i < 16; i += 2 {
		for k := 0; k < 16; k += 2 {
			column[k], column[k+1] = z[8*k+i], z[8*k+i+1]
		}
		permute(&column)

		for k := 0; k < 16; k += 2 {
			at := 8*k + i
			out[at] = out[at]&kept ^ x[at] ^ y[at] ^ column[k]
			out[at+1] = out[at+1]&kept ^ x[at+1] ^ y[at+1] ^ column[k+1]
		}
	}
	erase.Value(&column)
}

// permute is P (section 3.6): a round of BLAKE2b with multiplications. 16 words don't fit into the
// registers of most processors, so it loads four at a time. Loading all took 1.27 times as long.
func permute(v *[16]uint64) {
	v[0], v[4], v[8], v[12] = mix(v[0], v[4], v[8], v[12], 32, 24)
	v[0], v[4], v[8], v[12] = mix(v[0], v[4], v[8], v[12], 16, 63)
	v[1], v[5], v[9], v[13] = mix(v[1], v[5], v[9], v[13], 32, 24)
	v[1], v[5], v[9], v[13] = mix(v[1], v[5], v[9], v[13], 16, 63)
	v[2], v[6], v[10], v[14] = mix(v[2], v[6], v[10], v[14], 32, 24)
	v[2], v[6], v[10], v[14] = mix(v[2], v[6], v[10], v[14], 16, 63)
	v[3], v[7], v[11], v[15] = mix(v[3], v[7], v[11], v[15], 32, 24)
	v[3], v[7], v[11], v[15] = mix(v[3], v[7], v[11], v[15], 16, 63)
	v[0], v[5], v[10], v[15] = mix(v[0], v[5], v[10], v[15], 32, 24)
	v[0], v[5], v[10], v[15] = mix(v[0], v[5], v[10], v[15], 16, 63)
	v[1], v[6], v[11], v[12] = mix(v[1], v[6], v[11], v[12], 32, 24)
	v[1], v[6], v[11], v[12] = mix(v[1], v[6], v[11], v[12], 16, 63)
	v[2], v[7], v[8], v[13] = mix(v[2], v[7], v[8], v[13], 32, 24)
	v[2], v[7], v[8], v[13] = mix(v[2], v[7], v[8], v[13], 16, 63)
	v[3], v[4], v[9], v[14] = mix(v[3], v[4], v[9], v[14], 32, 24)
	v[3], v[4], v[9], v[14] = mix(v[3], v[4], v[9], v[14], 16, 63)
}

// mix is half of GB: GB is mix with rotations by 32 and 24, then by 16 and 63.
func mix(a, b, c, d uint64, r1, r2 int) (uint64, uint64, uint64, uint64) {
	a += b + 2*uint64(uint32(a))*uint64(uint32(b))
	d = bits.RotateLeft64(d^a, -r1)
	c += d + 2*uint64(uint32(c))*uint64(uint32(d))
	b = bits.RotateLeft64(b^c, -r2)
	return a, b, c, d
}
