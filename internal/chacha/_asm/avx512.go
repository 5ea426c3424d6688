// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX-512: 8 blocks in columns of 256-bit registers (AVX-512VL), or 16 of 512-bit ones. There are
// registers for all words, and rotations.

package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rotateVL is the rotation that AVX2 lacks.
func rotateVL(n uint64, x VecPhysical) { VPROLD(U8(n), x, x) }

// columnsVL generates columnsVL.
func columnsVL() {
	TEXT("columnsVL", NOSPLIT, "func(dst *byte, n int, key *[32]byte, counter uint32)")
	dst, n, key, counter := RDI, RCX, RSI, R8L

	Load(Param("dst"), dst)
	Load(Param("n"), n)
	Load(Param("key"), key)
	Load(Param("counter"), counter)

	toEnd(dst, n, counter)
	SUBL(U8(8), counter)
	sharedColumns(ymm, key, order256, counter)

	Label("columns")
	SUBQ(U32(512), dst)

	words, free := columnsRounds(ymm, key, minus8)
	p := pairs{free: free}
	for i := range 2 {
		for j, half := range p.transpose256(words[8*i:][:8]) {
			VMOVDQU32(half, Mem{Base: dst, Disp: blockSize*j + 32*i})
		}
	}

	SUBQ(U32(512), n)
	JNZ(LabelRef("columns"))
	wipe(32)
	RET()
}

// toEnd moves dst and counter to where n bytes end. Half a KiB at a time is written from there to
// the front, where the key may lie.
func toEnd(dst, n GPPhysical, counter Register) {
	ADDQ(n, dst)
	MOVQ(n, RAX)
	SHRQ(U8(6), RAX)
	ADDL(EAX, counter)
}

// sharedColumns makes what columnsRounds starts from: in register 28 the numbers of the blocks, in
// the order given, and in 16 to 27 columns 1 to 3 of all blocks after the first column round. They
// are the same in each block, as the counter is in column 0: 3 of 80 quarter rounds are done once.
func sharedColumns(r []VecPhysical, key Register, order Mem, counter Register) {
	VPBROADCASTD(counter, r[28])
	VPADDD(order, r[28], r[28])

	for _, q := range columns(r)[1:] {
		i := slices.Index(r, q.a)
		VPBROADCASTD(sigma.Offset(4*i), q.a)
		VPBROADCASTD(Mem{Base: key, Disp: 4 * i}, q.b)
		VPBROADCASTD(Mem{Base: key, Disp: 4 * (4 + i)}, q.c)
		xor(q.d, q.d)
	}

	interleaved(columns(r)[1:], rotateVL)

	for i, x := range columnsWords(r) {
		VMOVDQA32(x, r[16+i])
	}
}

// columnsWords returns the registers of columns 1 to 3.
func columnsWords(r []VecPhysical) []VecPhysical {
	return slices.Concat(r[1:4], r[5:8], r[9:12], r[13:16])
}

// columnsRounds makes as many blocks as a register has words, and adds as many to their numbers.
// Their words are registers 0 to 15 then, and those from 29 on are free.
func columnsRounds(r []VecPhysical, key Register, step Mem) (words, free []VecPhysical) {
	count := r[28]

	VPBROADCASTD(sigma, r[0])
	VPBROADCASTD(Mem{Base: key}, r[4])
	VPBROADCASTD(Mem{Base: key, Disp: 16}, r[8])
	VMOVDQA32(count, r[12])

	interleaved(columns(r)[:1], rotateVL)
	for i, x := range columnsWords(r) {
		VMOVDQA32(r[16+i], x)
	}

	MOVL(U32(10), EAX)
	JMP(LabelRef("diagonals"))
	Label("columnsRounds")
	interleaved(columns(r), rotateVL)
	Label("diagonals")
	interleaved(diagonals(r), rotateVL)
	DECL(EAX)
	JNZ(LabelRef("columnsRounds"))

	for i := range 4 {
		VPADDD_BCST(sigma.Offset(4*i), r[i], r[i])
	}
	for i := range 8 {
		VPADDD_BCST(Mem{Base: key, Disp: 4 * i}, r[4+i], r[4+i])
	}

	VPADDD(count, r[12], r[12])
	VPADDD_BCST(step, count, count)
	return r[:16], r[29:]
}

// columns512 generates columnsAVX512.
func columns512() {
	TEXT("columnsAVX512", NOSPLIT, "func(dst *byte, n int, key *[32]byte, counter uint32)")
	dst, n, key, counter := RDI, RCX, RSI, R8L

	Load(Param("dst"), dst)
	Load(Param("n"), n)
	Load(Param("key"), key)
	Load(Param("counter"), counter)

	sharedColumns(zmm, key, order512, counter)
	MOVL(U32(0xf0f0), EAX)
	KMOVW(EAX, oddLanes)
	KNOTW(oddLanes, evenLanes)

	Label("columns")
	words, free := columnsRounds(zmm, key, sixteen)
	storeColumns(dst, words, free)

	ADDQ(U32(1024), dst)
	SUBQ(U32(1024), n)
	JNZ(LabelRef("columns"))
	wipe(32)
	RET()
}

// storeColumns transposes and stores. The last step of a transposition in registers, 16 more
// shuffles, is left to the stores, which write half blocks: shuffles wait for one port, and 1024
// bytes take 5 % less time.
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
