// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Transposing.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// pairs does operations that take two registers and have two results, in place but for one
// register: it takes a free one for the first result and frees one of the operands.
type pairs struct{ free []VecPhysical }

func (p *pairs) do(x, y VecPhysical, first, second func(x, y, z VecPhysical)) (VecPhysical, VecPhysical) {
	z := p.free[0]
	first(x, y, z)
	second(x, y, y)
	p.free = append(p.free[1:len(p.free):len(p.free)], x)
	return z, y
}

func (p *pairs) unpackDoublewords(x, y VecPhysical) (VecPhysical, VecPhysical) {
	return p.do(x, y,
		func(x, y, z VecPhysical) { VPUNPCKLDQ(y, x, z) },
		func(x, y, z VecPhysical) { VPUNPCKHDQ(y, x, z) })
}

func (p *pairs) unpackQuadwords(x, y VecPhysical) (VecPhysical, VecPhysical) {
	return p.do(x, y,
		func(x, y, z VecPhysical) { VPUNPCKLQDQ(y, x, z) },
		func(x, y, z VecPhysical) { VPUNPCKHQDQ(y, x, z) })
}

// transposeInLanes transposes a 4x4 matrix of words in each 128-bit lane of the four registers v.
func (p *pairs) transposeInLanes(v []VecPhysical) []VecPhysical {
	ab0, ab1 := p.unpackDoublewords(v[0], v[1])
	cd0, cd1 := p.unpackDoublewords(v[2], v[3])
	r0, r1 := p.unpackQuadwords(ab0, cd0)
	r2, r3 := p.unpackQuadwords(ab1, cd1)
	return []VecPhysical{r0, r1, r2, r3}
}

// transpose256 turns 8 words of 8 blocks into 8 half blocks.
func (p *pairs) transpose256(v []VecPhysical) []VecPhysical {
	var blocks [8]VecPhysical
	t, u := p.transposeInLanes(v[:4]), p.transposeInLanes(v[4:])
	for j := range 4 {
		blocks[j], blocks[4+j] = p.lowHighLanes(t[j], u[j])
	}
	return blocks[:]
}

// lowHighLanes has the low 128-bit lanes of x and y in its first result and the high ones in the
// other.
func (p *pairs) lowHighLanes(x, y VecPhysical) (VecPhysical, VecPhysical) {
	if max(x.ID(), y.ID(), p.free[0].ID()) >= ymm[16].ID() { // for AVX-512VL only
		return p.do(x, y,
			func(x, y, z VecPhysical) { VSHUFI32X4(U8(0), y, x, z) },
			func(x, y, z VecPhysical) { VSHUFI32X4(U8(3), y, x, z) })
	}
	return p.do(x, y,
		func(x, y, z VecPhysical) { VPERM2I128(U8(0x20), y, x, z) },
		func(x, y, z VecPhysical) { VPERM2I128(U8(0x31), y, x, z) })
}

// The masks of pairLanes.
var evenLanes, oddLanes = K2, K3

// pairLanes puts lanes 0 of x and y side by side, and lanes 2, in its first result, and lanes 1 and
// 3 in the other.
func (p *pairs) pairLanes(x, y VecPhysical) (VecPhysical, VecPhysical) {
	return p.do(x, y,
		func(x, y, z VecPhysical) {
			VMOVDQA32(x, z)
			VSHUFI32X4(U8(0xa0), y, y, oddLanes, z)
		},
		func(x, y, z VecPhysical) { VSHUFI32X4(U8(0xf5), x, x, evenLanes, z) })
}
