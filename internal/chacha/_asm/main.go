// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Command _asm writes keystream_amd64.s: ChaCha20 keystream (RFC 8439) under a zero nonce, in
// AVX-512, in AVX-512 on 256-bit registers (AVX-512VL) and in AVX2. Package chacha's go:generate
// line runs it.
//
// There are two ways to lay ChaCha20 out in vectors:
//
//   - columns: register i holds word i of many blocks, 16 or 8. A round is four quarter rounds and
//     nothing else, but the words must be transposed at the end.
//   - rows: a register holds one row of the 4x4 matrix, of 4 blocks or 2. One quarter round of rows
//     is a whole column round; three shuffles turn diagonals into columns and back.
//
// Columns have the fewer operations, rows have a few blocks ready sooner.
//
// Registers are named here, not allocated by avo, so that each function can clear all that it used.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	tables()
	columns512()
	columnsVL()
	rows256("rowsVL", rotateVL)
	columns256()
	rows256("rowsAVX2", rotate256(ymm[15]))
	Generate()
}

const blockSize = 64

// A quarter is the registers of one quarter round (RFC 8439, section 2.1).
type quarter struct{ a, b, c, d VecPhysical }

// columns and diagonals are the quarter rounds of a double round (RFC 8439, section 2.3) over the
// 16 words v.
func columns(v []VecPhysical) []quarter {
	var qs []quarter
	for i := range 4 {
		qs = append(qs, quarter{v[i], v[4+i], v[8+i], v[12+i]})
	}
	return qs
}

func diagonals(v []VecPhysical) []quarter {
	var qs []quarter
	for i := range 4 {
		qs = append(qs, quarter{v[i], v[4+(i+1)%4], v[8+(i+2)%4], v[12+(i+3)%4]})
	}
	return qs
}

// rowsDoubleRound is a double round where a, b, c and d are whole rows. Between its rounds row a
// moves right by one word, c left by one and d by two, so that b, which is computed last, need not
// move.
func rowsDoubleRound(qs []quarter, rotate func(n uint64, x VecPhysical)) {
	const left, swap, right = 0x39, 0x4e, 0x93

	interleaved(qs, rotate)
	for _, q := range qs {
		VPSHUFD(U8(right), q.a, q.a)
		VPSHUFD(U8(swap), q.d, q.d)
		VPSHUFD(U8(left), q.c, q.c)
	}

	interleaved(qs, rotate)
	for _, q := range qs {
		VPSHUFD(U8(left), q.a, q.a)
		VPSHUFD(U8(swap), q.d, q.d)
		VPSHUFD(U8(right), q.c, q.c)
	}
}

// doubleRounds is the loop of 10 double rounds.
func doubleRounds(label string, doubleRound func()) {
	MOVL(U32(10), EAX)
	Label(label)
	doubleRound()
	DECL(EAX)
	JNZ(LabelRef(label))
}

// interleaved runs independent quarter rounds side by side, operation by operation: each operation
// waits for the one before it, so one quarter round alone leaves ports idle.
func interleaved(qs []quarter, rotate func(n uint64, x VecPhysical)) {
	each := func(f func(q quarter)) {
		for _, q := range qs {
			f(q)
		}
	}

	half := func(rotateD, rotateB uint64) {
		each(func(q quarter) { VPADDD(q.b, q.a, q.a) })
		each(func(q quarter) { xor(q.a, q.d) })
		each(func(q quarter) { rotate(rotateD, q.d) })
		each(func(q quarter) { VPADDD(q.d, q.c, q.c) })
		each(func(q quarter) { xor(q.c, q.b) })
		each(func(q quarter) { rotate(rotateB, q.b) })
	}

	half(16, 12)
	half(8, 7)
}

// xor computes y ^= x. AVX2's instruction is shorter, but has neither wide registers nor those from
// 16 on.
func xor(x, y VecPhysical) {
	if y.Size() == 32 && x.ID() < ymm[16].ID() && y.ID() < ymm[16].ID() {
		VPXOR(x, y, y)
	} else {
		VPXORD(x, y, y)
	}
}

// wipe clears registers 0 to n-1, n being 16 or 32, over their whole width, which is what writing
// to their low 128 bits does. VZEROALL would leave 16 to 31 as they are.
func wipe(n int) {
	Comment("No key, state or keystream stays behind.")
	for i := range n {
		if x := zmm[i].AsX(); i < 16 {
			VPXOR(x, x, x)
		} else {
			VPXORD(x, x, x)
		}
	}
	VZEROUPPER()
}

// registers returns the vector registers of one width.
func registers(view func(VecPhysical) Register) (v []VecPhysical) {
	for _, z := range []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31} {
		v = append(v, view(z).(VecPhysical))
	}
	return v
}

var (
	ymm = registers(func(z VecPhysical) Register { return z.AsY() })
	zmm = registers(func(z VecPhysical) Register { return z.AsZ() })
)

// The read-only tables.
var (
	sigma    Mem // row 0 of the matrix: "expand 32-byte k" (RFC 8439, section 2.3)
	order512 Mem // which of 16 blocks a word in a register belongs to, as storeColumns takes them
	sixteen  Mem // what to add for the next 16
	order256 Mem // the same for 8 blocks
	minus8   Mem // what to add for the 8 before
	pair256  Mem // rows d of 2 blocks
	two256   Mem // what to add for the next 2
	left16   Mem // VPSHUFB masks that rotate each word
	left8    Mem
)

func tables() {
	sigma = words("sigma", 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574)
	order512 = words("order512", 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
	sixteen = words("sixteen", 16)
	order256 = words("order256", 0, 1, 2, 3, 4, 5, 6, 7)
	minus8 = words("minus8", 1<<32-8)
	pair256 = words("pair256", 0, 0, 0, 0, 1, 0, 0, 0)
	two256 = words("two256", 2, 0, 0, 0, 2, 0, 0, 0)
	left16 = words("left16", 0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e,
		0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e)
	left8 = words("left8", 0x02010003, 0x06050407, 0x0a09080b, 0x0e0d0c0f,
		0x02010003, 0x06050407, 0x0a09080b, 0x0e0d0c0f)
}

func words(name string, values ...uint32) Mem {
	table := GLOBL(name, RODATA|NOPTR)
	for i, v := range values {
		DATA(4*i, U32(v))
	}
	return table
}
