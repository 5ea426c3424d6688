// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package argon2

import "math/bits"

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

// wipe clears z. It is not inlined, so that the compiler does not drop the writes.
//
//go:noinline
func wipe(z *Block) { *z = Block{} }

// compressGeneric is compress in portable code. A row's 16 words don't fit into the registers of
// most processors, so row and column load four at a time. Loading all took 1.27 times as long.
func compressGeneric(out, x, y *Block, xor bool, z *Block) {
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
	for i := 0; i < words; i += 16 {
		row((*[16]uint64)(z[i:]))
	}
	for i := 0; i < 16; i += 2 {
		column((*[114]uint64)(z[i:]))
	}
	if xor {
		for i := range out {
			out[i] ^= x[i] ^ y[i] ^ z[i]
		}
		return
	}
	for i := range out {
		out[i] = x[i] ^ y[i] ^ z[i]
	}
}

// row is P (section 3.6): a round of BLAKE2b with multiplications.
func row(v *[16]uint64) {
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

// column is P over eight pairs of words, one of each row.
func column(v *[114]uint64) {
	v[0], v[32], v[64], v[96] = mix(v[0], v[32], v[64], v[96], 32, 24)
	v[0], v[32], v[64], v[96] = mix(v[0], v[32], v[64], v[96], 16, 63)
	v[1], v[33], v[65], v[97] = mix(v[1], v[33], v[65], v[97], 32, 24)
	v[1], v[33], v[65], v[97] = mix(v[1], v[33], v[65], v[97], 16, 63)
	v[16], v[48], v[80], v[112] = mix(v[16], v[48], v[80], v[112], 32, 24)
	v[16], v[48], v[80], v[112] = mix(v[16], v[48], v[80], v[112], 16, 63)
	v[17], v[49], v[81], v[113] = mix(v[17], v[49], v[81], v[113], 32, 24)
	v[17], v[49], v[81], v[113] = mix(v[17], v[49], v[81], v[113], 16, 63)
	v[0], v[33], v[80], v[113] = mix(v[0], v[33], v[80], v[113], 32, 24)
	v[0], v[33], v[80], v[113] = mix(v[0], v[33], v[80], v[113], 16, 63)
	v[1], v[48], v[81], v[96] = mix(v[1], v[48], v[81], v[96], 32, 24)
	v[1], v[48], v[81], v[96] = mix(v[1], v[48], v[81], v[96], 16, 63)
	v[16], v[49], v[64], v[97] = mix(v[16], v[49], v[64], v[97], 32, 24)
	v[16], v[49], v[64], v[97] = mix(v[16], v[49], v[64], v[97], 16, 63)
	v[17], v[32], v[65], v[112] = mix(v[17], v[32], v[65], v[112], 32, 24)
	v[17], v[32], v[65], v[112] = mix(v[17], v[32], v[65], v[112], 16, 63)
}

// mix is half of GB: GB is mix with rotations by 32 and 24, then by 16 and 63.
func mix(a, b, c, d uint64, r1, r2 int) (uint64, uint64, uint64, uint64) {
	a += b + 2*uint64(uint32(a))*uint64(uint32(b))
	d = bits.RotateLeft64(d^a, -r1)
	c += d + 2*uint64(uint32(c))*uint64(uint32(d))
	b = bits.RotateLeft64(b^c, -r2)
	return a, b, c, d
}
