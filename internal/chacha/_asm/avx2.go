// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX2: 8 blocks in columns. Rows of 4 blocks for AVX2 and AVX-512VL.

package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rotate256 returns rotate for AVX2, which has no rotation. Bytes can be shuffled, which takes one
// instruction instead of three.
func rotate256(free VecPhysical) func(n uint64, x VecPhysical) {
	return func(n uint64, x VecPhysical) {
		switch n {
		case 16:
			VPSHUFB(left16, x, x)
		case 8:
			VPSHUFB(left8, x, x)
		default:
			VPSLLD(U8(n), x, free)
			VPSRLD(U8(32-n), x, x)
			VPXOR(free, x, x)
		}
	}
}

// columns256 generates columnsAVX2. Of the 16 words 15 stay in registers, as one register must be
// free. The other waits in dst, where it is written over in the end: it is word 8 or 11, and is
// exchanged for the other of the two between a round's first pair of quarter rounds and its second.
func columns256() {
	TEXT("columnsAVX2", NOSPLIT, "func(dst *byte, n int, key *[32]byte, counter uint32)")
	dst, n, key, counter := RDI, RCX, RSI, R8L

	Load(Param("dst"), dst)
	Load(Param("n"), n)
	Load(Param("key"), key)
	Load(Param("counter"), counter)

	v := slices.Clone(ymm[:16])
	free := v[11]
	waiting := Mem{Base: dst, Disp: 32} // the key may lie before it
	exchange := func(out, in int) {
		VMOVDQU(waiting, free)
		VMOVDQU(v[out], waiting)
		v[in], free = free, v[out]
	}

	toEnd(dst, n, counter)
	Label("columns")
	SUBQ(U32(512), dst)
	SUBL(U8(8), counter)
	VPBROADCASTD(Mem{Base: key, Disp: 4 * 7}, free)
	VMOVDQU(free, waiting)

	for i := range 4 {
		VPBROADCASTD(sigma.Offset(4*i), v[i])
	}
	for i := range 7 {
		VPBROADCASTD(Mem{Base: key, Disp: 4 * i}, v[4+i])
	}

	count256(counter, v[12])
	for i := 13; i < 16; i++ {
		VPXOR(v[i], v[i], v[i])
	}

	doubleRounds("columnsRounds", func() {
		interleaved(columns(v)[:2], rotate256(free))
		exchange(8, 11)
		interleaved(columns(v)[2:], rotate256(free))
		interleaved(diagonals(v)[:2], rotate256(free))
		exchange(11, 8)
		interleaved(diagonals(v)[2:], rotate256(free))
	})

	for i := range 4 {
		VPBROADCASTD(sigma.Offset(4*i), free)
		VPADDD(free, v[i], v[i])
	}
	for i := range 7 {
		VPBROADCASTD(Mem{Base: key, Disp: 4 * i}, free)
		VPADDD(free, v[4+i], v[4+i])
	}

	count256(counter, free)
	VPADDD(free, v[12], v[12])
	VPBROADCASTD(Mem{Base: key, Disp: 4 * 7}, free)
	VPADDD(waiting, free, free)
	VMOVDQU(free, waiting)

	p := pairs{free: []VecPhysical{free}}
	for i, half := range p.transpose256(v[:8]) {
		VMOVDQU(half, Mem{Base: dst, Disp: blockSize * i})
	}

	v[11] = v[0]
	VMOVDQU(waiting, v[11])
	p = pairs{free: v[1:2]}
	for i, half := range p.transpose256(v[8:]) {
		VMOVDQU(half, Mem{Base: dst, Disp: blockSize*i + 32})
	}

	SUBQ(U32(512), n)
	JNZ(LabelRef("columns"))
	wipe(16)
	RET()
}

// count256 numbers 8 blocks from counter on.
func count256(counter Register, x VecPhysical) {
	VMOVD(counter, x.AsX())
	VPBROADCASTD(x.AsX(), x)
	VPADDD(order256, x, x)
}

// rows256 generates rowsAVX2 and rowsVL.
func rows256(name string, rotate func(n uint64, x VecPhysical)) {
	TEXT(name, NOSPLIT, "func(dst *[256]byte, key *[32]byte, counter uint32)")
	dst, key, counter := RDI, RSI, R8L

	Load(Param("dst"), dst)
	Load(Param("key"), key)
	Load(Param("counter"), counter)
	a, b, c, d := ymm[8], ymm[9], ymm[10], ymm[11:13]

	VBROADCASTI128(sigma, a)
	VBROADCASTI128(Mem{Base: key}, b)
	VBROADCASTI128(Mem{Base: key, Disp: 16}, c)
	VMOVD(counter, d[0].AsX())
	VPERM2I128(U8(0), d[0], d[0], d[0])
	VPADDD(pair256, d[0], d[0])
	VPADDD(two256, d[0], d[1])

	var qs []quarter
	for i := range d {
		q := quarter{ymm[4*i], ymm[4*i+1], ymm[4*i+2], ymm[4*i+3]}
		VMOVDQA(a, q.a)
		VMOVDQA(b, q.b)
		VMOVDQA(c, q.c)
		VMOVDQA(d[i], q.d)
		qs = append(qs, q)
	}

	doubleRounds("rounds", func() { rowsDoubleRound(qs, rotate) })
	p := pairs{free: ymm[13:15]}
	for i, q := range qs {
		VPADDD(a, q.a, q.a)
		VPADDD(b, q.b, q.b)
		VPADDD(c, q.c, q.c)
		VPADDD(d[i], q.d, q.d)
		ab0, ab1 := p.lowHighLanes(q.a, q.b)
		cd0, cd1 := p.lowHighLanes(q.c, q.d)
		for j, half := range []VecPhysical{ab0, cd0, ab1, cd1} {
			VMOVDQU(half, Mem{Base: dst, Disp: 2*blockSize*i + 32*j})
		}
	}

	wipe(16)
	RET()
}
