// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX-512VL: 8 blocks in columns, and what 256-bit and 512-bit columns have in common: registers for all
// words, and rotations.

package main

import (
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
	keyWords(ymm, key)
	Label("columns")
	words, free := columnsRounds(ymm, order256, counter)
	p := pairs{free: free}
	for i := range 2 {
		for j, half := range p.transpose256(words[8*i:][:8]) {
			VMOVDQU32(half, Mem{Base: dst, Disp: blockSize*j + 32*i})
		}
	}
	ADDQ(U32(512), dst)
	ADDL(U8(8), counter)
	SUBQ(U32(512), n)
	JNZ(LabelRef("columns"))
	wipe(32)
	RET()
}

// keyWords puts the key into registers 16 to 23. There it stays, so that dst may lie over it.
func keyWords(r []VecPhysical, key Register) {
	for i, k := range r[16:24] {
		VPBROADCASTD(Mem{Base: key, Disp: 4 * i}, k)
	}
}

// columnsRounds makes blocks from counter on, as many as a register has words, in the order given. Their
// words are registers 0 to 15 then, and those from 25 on are free.
func columnsRounds(r []VecPhysical, order Mem, counter Register) (words, free []VecPhysical) {
	words, keys, count, free := r[:16], r[16:24], r[24], r[25:]
	for i := range 4 {
		VPBROADCASTD(sigma.Offset(4*i), words[i])
		VMOVDQA32(keys[i], words[4+i])
		VMOVDQA32(keys[4+i], words[8+i])
	}
	VPBROADCASTD(counter, count)
	VPADDD(order, count, count)
	VMOVDQA32(count, words[12])
	for _, nonce := range words[13:] {
		xor(nonce, nonce)
	}
	doubleRounds("columnsRounds", func() {
		interleaved(columns(words), rotateVL)
		interleaved(diagonals(words), rotateVL)
	})
	for i := range 4 {
		VPADDD_BCST(sigma.Offset(4*i), words[i], words[i])
		VPADDD(keys[i], words[4+i], words[4+i])
		VPADDD(keys[4+i], words[8+i], words[8+i])
	}
	VPADDD(count, words[12], words[12])
	return words, free
}
