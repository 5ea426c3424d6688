// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What transposing needs.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// pairs does operations that take two registers and have two results, in place but for one register:
// it takes a free one for the first result and frees one of the operands.
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
