// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX2: two rows at a time, then four columns, with the block between them in memory.

package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func compress256() {
	right24 := rotation("right24", 3)
	right16 := rotation("right16", 2)
	TEXT("compressAVX2", NOSPLIT, "func(out, x, y *[128]uint64, xor bool, z *[128]uint64, next *byte)")
	out, x, y, add, z, end, next := RDI, RSI, RDX, AL, RCX, R11, R8
	Load(Param("out"), out)
	Load(Param("x"), x)
	Load(Param("y"), y)
	Load(Param("xor"), add)
	Load(Param("z"), z)
	Load(Param("next"), next)
	t := slices.Clone(ymm[8:16])
	r24, r16, spare := t[6], t[7], t[5]
	VMOVDQU(right24, r24)
	VMOVDQU(right16, r16)
	rotate := func(n uint64, x VecPhysical) {
		switch n {
		case 32:
			VPSHUFD(U8(0xb1), x, x)
		case 24:
			VPSHUFB(r24, x, x)
		case 16:
			VPSHUFB(r16, x, x)
		case 63:
			VPADDQ(x, x, spare)
			VPSRLQ(U8(63), x, x)
			VPXOR(spare, x, x)
		}
	}

	LEAQ(Mem{Base: z, Disp: blockSize}, end)
	Label("rows")
	v := slices.Clone(ymm[:8])
	for i := range v {
		VMOVDQU(Mem{Base: x, Disp: 32 * i}, v[i])
		VPXOR(Mem{Base: y, Disp: 32 * i}, v[i], v[i])
	}
	rows([]quad{{v[0], v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7]}}, t, rotate)
	for i := range v {
		VMOVDQU(v[i], Mem{Base: z, Disp: 32 * i})
	}
	for _, p := range []Register{x, y, z} {
		ADDQ(U32(256), p)
	}
	CMPQ(z, end)
	JNE(LabelRef("rows"))
	for _, p := range []Register{x, y, z} {
		SUBQ(U32(blockSize), p)
	}

	LEAQ(Mem{Base: z, Disp: 128}, end)
	Label("columns")
	for i := range v {
		VMOVDQU(Mem{Base: z, Disp: 128 * i}, v[i])
	}
	columns([][]VecPhysical{v}, t, rotate)
	for i := range v {
		VPXOR(Mem{Base: x, Disp: 128 * i}, v[i], v[i])
		VPXOR(Mem{Base: y, Disp: 128 * i}, v[i], v[i])
	}
	TESTB(add, add)
	JZ(LabelRef("store"))
	for i := range v {
		VPXOR(Mem{Base: out, Disp: 128 * i}, v[i], v[i])
	}
	Label("store")
	follow(v[0], next)
	XORL(next.As32(), next.As32()) // once
	for i := range v {
		VMOVDQU(v[i], Mem{Base: out, Disp: 128 * i})
	}
	for _, p := range []Register{out, x, y, z} {
		ADDQ(U32(32), p)
	}
	CMPQ(z, end)
	JNE(LabelRef("columns"))
	wipe(16)
	RET()
}

// rotation declares the shuffle that rotates 64-bit words right by n bytes.
func rotation(name string, n int) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 32 {
		DATA(i, U8(i%16&^7+(i+n)%8))
	}
	return m
}
