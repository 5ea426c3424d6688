// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX-512: 16 blocks in columns, 4 or 8 in rows.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// fill512 generates fillAVX512: columns for each 1024 bytes, rows for the rest.
func fill512() {
	TEXT("fillAVX512", NOSPLIT, "func(dst *byte, n int, key *[32]byte, counter uint32)")
	dst, n, key, counter := RDI, RCX, RSI, R8L
	Load(Param("dst"), dst)
	Load(Param("n"), n)
	Load(Param("key"), key)
	Load(Param("counter"), counter)
	CMPQ(n, U32(1024))
	JL(LabelRef("rows"))
	fillColumns(dst, n, key, counter)
	Label("rows")
	fillRows(dst, n, key, counter)

	Label("partial")
	MOVQ(I32(-1), RAX)
	BZHIQ(n, RAX, RAX)
	KMOVQ(RAX, K1)
	VMOVDQU8(last512, K1, Mem{Base: dst})
	Label("wipe")
	wipe(32)
	RET()
}

func fillColumns(dst, n, key GPPhysical, counter Register) {
	sharedColumns(zmm, key, order512, counter)
	MOVL(U32(0xf0f0), EAX)
	KMOVW(EAX, oddLanes)
	KNOTW(oddLanes, evenLanes)
	Label("columns")
	words, free := columnsRounds(zmm, key, sixteen)
	storeColumns(dst, words, free)
	ADDQ(U32(1024), dst)
	ADDL(U8(16), counter)
	SUBQ(U32(1024), n)
	JZ(LabelRef("wipe"))
	CMPQ(n, U32(1024))
	JGE(LabelRef("columns"))
}

// storeColumns transposes and stores. The last step of a transposition in registers, 16 more shuffles, is
// left to the stores, which write half blocks: shuffles wait for one port, and 1024 bytes take 5 % less
// time.
func storeColumns(dst GPPhysical, words, free []VecPhysical) {
	p := pairs{free: free}
	for half := range 2 {
		w := words[8*half:]
		t, u := p.transposeInLanes(w[:4]), p.transposeInLanes(w[4:8])
		for i := range 4 {
			even, odd := p.pairLanes(t[i], u[i])
			for j, x := range []VecPhysical{even, odd} {
				to := Mem{Base: dst, Disp: blockSize*(4*i+j) + 32*half}
				VMOVDQU32(x.AsY(), to)
				VEXTRACTI64X4(U8(1), x, to.Offset(2*blockSize))
			}
		}
	}
}

// The masks of pairLanes.
var evenLanes, oddLanes = K2, K3

// pairLanes puts lanes 0 of x and y side by side, and lanes 2, in its first result, and lanes 1 and 3 in
// the other.
func (p *pairs) pairLanes(x, y VecPhysical) (VecPhysical, VecPhysical) {
	return p.do(x, y,
		func(x, y, z VecPhysical) {
			VMOVDQA32(x, z)
			VSHUFI32X4(U8(0xa0), y, y, oddLanes, z)
		},
		func(x, y, z VecPhysical) { VSHUFI32X4(U8(0xf5), x, x, evenLanes, z) })
}

// fillRows makes 8 blocks as long as more than 4 are needed, and then 4.
func fillRows(dst, n, key GPPhysical, counter Register) {
	in := rowsInput{zmm[16], zmm[17], zmm[18], zmm[19:21]}
	VBROADCASTI32X4(sigma, in.a)
	VBROADCASTI32X4(Mem{Base: key}, in.b)
	VBROADCASTI32X4(Mem{Base: key, Disp: 16}, in.c)
	Label("rowsNext")
	VMOVD(counter, in.d[0].AsX())
	VSHUFI32X4(U8(0), in.d[0], in.d[0], in.d[0])
	VPADDD(quad512, in.d[0], in.d[0])
	VPADDD(four512, in.d[0], in.d[1])
	CMPQ(n, U32(256))
	JLE(LabelRef("rows4"))
	storeBlocks(dst, n, in.blocks("rows8Rounds", 2))
	ADDL(U8(8), counter)
	JMP(LabelRef("rowsNext"))
	Label("rows4")
	storeBlocks(dst, n, in.blocks("rows4Rounds", 1))
}

// last512 is where storeBlocks leaves a block of which less than 64 bytes are wanted.
var last512 = zmm[24]

// storeBlocks stores blocks one by one until n bytes are written. It goes on at the label "wipe" then,
// or at "partial" with less than a block to write from last512. It does not fall through, if n bytes
// are no more than the blocks have.
func storeBlocks(dst, n GPPhysical, blocks []VecPhysical) {
	for _, b := range blocks {
		VMOVDQA32(b, last512)
		CMPQ(n, U8(blockSize))
		JL(LabelRef("partial"))
		VMOVDQU32(b, Mem{Base: dst})
		ADDQ(U8(blockSize), dst)
		SUBQ(U8(blockSize), n)
		JZ(LabelRef("wipe"))
	}
}

// rowsInput is the matrices of several blocks, 4 in a register: rows a, b and c are the same for all.
type rowsInput struct {
	a, b, c VecPhysical
	d       []VecPhysical
}

// blocks makes 4*n blocks in registers 0 to 13.
func (in rowsInput) blocks(label string, n int) (blocks []VecPhysical) {
	var qs []quarter
	for i := range n {
		q := quarter{zmm[4*i], zmm[4*i+1], zmm[4*i+2], zmm[4*i+3]}
		VMOVDQA32(in.a, q.a)
		VMOVDQA32(in.b, q.b)
		VMOVDQA32(in.c, q.c)
		VMOVDQA32(in.d[i], q.d)
		qs = append(qs, q)
	}
	doubleRounds(label, func() { rowsDoubleRound(qs, rotateVL) })
	for i, q := range qs {
		VPADDD(in.a, q.a, q.a)
		VPADDD(in.b, q.b, q.b)
		VPADDD(in.c, q.c, q.c)
		VPADDD(in.d[i], q.d, q.d)
		p := pairs{free: zmm[8+3*i:][:3]}
		blocks = append(blocks, p.transposeLanes(q.a, q.b, q.c, q.d)...)
	}
	return blocks
}

// evenOddLanes has the even 128-bit lanes of x and y in its first result and the odd ones in the other.
func (p *pairs) evenOddLanes(x, y VecPhysical) (VecPhysical, VecPhysical) {
	return p.do(x, y,
		func(x, y, z VecPhysical) { VSHUFI32X4(U8(0x88), y, x, z) },
		func(x, y, z VecPhysical) { VSHUFI32X4(U8(0xdd), y, x, z) })
}

// transposeLanes transposes a 4x4 matrix of 128-bit lanes.
func (p *pairs) transposeLanes(a, b, c, d VecPhysical) []VecPhysical {
	ab0, ab1 := p.evenOddLanes(a, b)
	cd0, cd1 := p.evenOddLanes(c, d)
	r0, r2 := p.evenOddLanes(ab0, cd0)
	r1, r3 := p.evenOddLanes(ab1, cd1)
	return []VecPhysical{r0, r1, r2, r3}
}
