// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX-512: the whole block in 16 registers, from the first load to the last store.

package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func compress512() {
	TEXT("compressAVX512", NOSPLIT, "func(out, x, y *[128]uint64, xor bool, next *byte)")
	out, x, y, add, next := RDI, RSI, RDX, AL, R8
	Load(Param("out"), out)
	Load(Param("x"), x)
	Load(Param("y"), y)
	Load(Param("xor"), add)
	Load(Param("next"), next)
	z, t := slices.Clone(zmm[:16]), slices.Clone(zmm[16:])
	for i := range z {
		VMOVDQU64(Mem{Base: x, Disp: 64 * i}, z[i])
		VPXORQ(Mem{Base: y, Disp: 64 * i}, z[i], z[i])
		keep(i, z[i], t)
	}

	Comment("Rows. Each quad has two of them.")
	var qs []quad
	for r := 0; r < 16; r += 4 {
		var q quad
		q.a, q.b = halves(z[r], z[r+2], t)
		q.c, q.d = halves(z[r+1], z[r+3], t)
		qs = append(qs, q)
	}
	rows(qs, t, rotate512)
	for i, q := range qs {
		r := 4 * i
		z[r], z[r+2] = halves(q.a, q.b, t)
		z[r+1], z[r+3] = halves(q.c, q.d, t)
	}

	Comment("Columns. The left half of each row has four of them and the first word, the right half the others.")
	for side := range 2 {
		var v []VecPhysical
		for i := side; i < len(z); i += 2 {
			v = append(v, z[i])
		}
		columns([][]VecPhysical{v}, t, rotate512)
		label := LabelRef([]string{"left", "right"}[side])
		TESTB(add, add)
		JZ(label)
		for i := range v {
			VPXORQ(Mem{Base: out, Disp: 64 * (2*i + side)}, v[i], v[i])
		}
		Label(string(label))
		for i := range v {
			at := 2*i + side
			if at < kept {
				xor(t[4+at], v[i])
			} else {
				VMOVDQU64(Mem{Base: x, Disp: 64 * at}, t[0])
				VPTERNLOGQ(U8(0x96), Mem{Base: y, Disp: 64 * at}, t[0], v[i])
			}
			if side == 0 && i == 0 {
				follow(v[0], next)
			}
			VMOVDQU64(v[i], Mem{Base: out, Disp: 64 * at})
		}
	}
	wipe(32)
	RET()
}

// kept is how many of the 16 vectors of x ^ y stay in registers until the end; the others are read again.
const kept = 12

func keep(i int, z VecPhysical, t []VecPhysical) {
	if i < kept {
		VMOVDQA64(z, t[4+i])
	}
}

// halves returns the low halves of x and y in its first result and the high ones in the other. Registers
// go round: t[0] is used, and x is free then.
func halves(x, y VecPhysical, t []VecPhysical) (low, high VecPhysical) {
	low, high = t[0], y
	VSHUFI64X2(U8(0x44), y, x, low)
	VSHUFI64X2(U8(0xee), y, x, high)
	t[0] = x
	return low, high
}

func rotate512(n uint64, x VecPhysical) { VPRORQ(U8(n), x, x) }
