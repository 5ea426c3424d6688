// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Command _asm writes mix_amd64.s: scryptBlockMix (RFC 7914, section 4) in AVX-512 and in AVX.
// Package scrypt's go:generate line runs it.
//
// Four registers of 128 bits hold the four diagonals of Salsa20's matrix, so a round is four steps
// on whole registers, which are shuffled between rounds. In memory blocks are kept by diagonals,
// too. Wider registers would not help, as each block depends on the one before it, and each step on
// the step before.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const blockSize = 64

func main() {
	ConstraintExpr("amd64,gc,!purego")
	blocks("blocksAVX512", "AVX-512 has a rotation.", step512)
	blocks("blocksAVX", "The rotation is two shifts.", stepAVX)
	Generate()
}

var x, t = [4]VecPhysical{X0, X1, X2, X3}, [4]VecPhysical{X4, X5, X6, X7}

// blocks generates one implementation.
func blocks(name, about string, step func(dst, a, b VecPhysical, n uint64)) {
	TEXT(name, NOSPLIT, "func(t, even, odd, x, v *uint32, pairs int)")
	Comment(about)
	state, even, odd, in, table, pairs := RDI, RSI, RDX, R8, R9, RCX
	for i, name := range []string{"t", "even", "odd", "x", "v", "pairs"} {
		Load(Param(name), []GPPhysical{state, even, odd, in, table, pairs}[i])
	}
	for i := range x {
		VMOVDQU(Mem{Base: state, Disp: 16 * i}, x[i])
	}
	TESTQ(table, table)
	JZ(LabelRef("plain"))

	Comment("The block of the table is the one thing that nobody could foresee: all of its lines are asked for at once.")
	left, line := RAX, RBX
	MOVQ(pairs, left)
	MOVQ(table, line)
	Label("ask")
	PREFETCHT0(Mem{Base: line})
	PREFETCHT0(Mem{Base: line, Disp: blockSize})
	ADDQ(U8(2*blockSize), line)
	DECQ(left)
	JNZ(LabelRef("ask"))

	loop := func(label string, xor bool) {
		Label(label)
		for i, out := range []GPPhysical{even, odd} {
			for k := range x {
				VPXOR(Mem{Base: in, Disp: blockSize*i + 16*k}, x[k], x[k])
				if xor {
					VPXOR(Mem{Base: table, Disp: blockSize*i + 16*k}, x[k], x[k])
				}
			}
			salsa8(step)
			for k := range x {
				VMOVDQU(x[k], Mem{Base: out, Disp: 16 * k})
			}
			ADDQ(U8(blockSize), out)
		}
		ADDQ(I32(2*blockSize), in)
		if xor {
			ADDQ(I32(2*blockSize), table)
		}
		DECQ(pairs)
		JNZ(LabelRef(label))
	}
	loop("xor", true)
	JMP(LabelRef("end"))
	loop("plain", false)
	Label("end")
	for i := range x {
		VMOVDQU(x[i], Mem{Base: state, Disp: 16 * i})
	}
	Comment("Nothing of the block stays behind.")
	for _, r := range []VecPhysical{X0, X1, X2, X3, X4, X5, X6, X7, X8, X9} {
		VPXOR(r, r, r)
	}
	RET()
}

// salsa8 generates the Salsa20/8 core (section 3) of x. It keeps the input in t.
func salsa8(step func(dst, a, b VecPhysical, n uint64)) {
	const left, swap, right = 0x93, 0x4e, 0x39
	for i := range x {
		VMOVDQA(x[i], t[i])
	}
	a, b, c, d := x[0], x[1], x[2], x[3]
	for range 8 {
		step(b, a, d, 7)
		step(c, b, a, 9)
		step(d, c, b, 13)
		step(a, d, c, 18)
		VPSHUFD(U8(left), b, b)
		VPSHUFD(U8(swap), c, c)
		VPSHUFD(U8(right), d, d)
		b, d = d, b // columns become rows
	}
	for i := range x {
		VPADDD(t[i], x[i], x[i])
	}
}

// step512 generates dst ^= (a + b) <<< n.
func step512(dst, a, b VecPhysical, n uint64) {
	VPADDD(a, b, X8)
	VPROLD(U8(n), X8, X8)
	VPXOR(X8, dst, dst)
}

func stepAVX(dst, a, b VecPhysical, n uint64) {
	VPADDD(a, b, X8)
	VPSLLD(U8(n), X8, X9)
	VPSRLD(U8(32-n), X8, X8)
	VPXOR(X9, dst, dst)
	VPXOR(X8, dst, dst)
}
