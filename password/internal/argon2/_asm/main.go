// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Command _asm writes compress_amd64.s: Argon2's compression function G (RFC 9106, section 3.5) in
// AVX-512 and in AVX2. Package argon2's go:generate line runs it.
//
// The permutation P works on matrices. Four vectors a, b, c, d hold the four rows of as many
// matrices as they have room for. P runs over the block's rows and then over its columns:
//
//   - A row is 16 adjacent words, so a vector holds whole rows of one or two matrices, and its
//     quarters are rotated between the two halves of a round.
//   - A column is 8 pairs of words, one of each row, so a vector holds one pair of several matrices.
//     Each row of a matrix is in two vectors, and words move between these.
//
// Registers are named here, not allocated by avo, so that each function can clear those that it
// used.
package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,gc,!purego")
	compress512()
	compress256()
	fetch()
	Generate()
}

const blockSize = 1024

// A quad is a row of each kind: the operands of GB (section 3.6).
type quad struct{ a, b, c, d VecPhysical }

// rounds generates GB of independent quads side by side, operation by operation: each waits for the
// one before it, so one quad alone leaves ports idle. t has a free register for each quad.
func rounds(qs []quad, t []VecPhysical, rotate func(n uint64, x VecPhysical)) {
	// x += y + 2·low(x)·low(y)
	add := func(x, y func(q quad) VecPhysical) {
		for i, q := range qs {
			VPMULUDQ(y(q), x(q), t[i])
		}
		for _, q := range qs {
			VPADDQ(y(q), x(q), x(q))
		}
		for i := range qs {
			VPADDQ(t[i], t[i], t[i])
		}
		for i, q := range qs {
			VPADDQ(t[i], x(q), x(q))
		}
	}
	// x = (x ^ y) >>> n
	turn := func(x, y func(q quad) VecPhysical, n uint64) {
		for _, q := range qs {
			xor(y(q), x(q))
		}
		for _, q := range qs {
			rotate(n, x(q))
		}
	}
	a := func(q quad) VecPhysical { return q.a }
	b := func(q quad) VecPhysical { return q.b }
	c := func(q quad) VecPhysical { return q.c }
	d := func(q quad) VecPhysical { return q.d }
	for _, n := range [][2]uint64{{32, 24}, {16, 63}} {
		add(a, b)
		turn(d, a, n[0])
		add(c, d)
		turn(b, c, n[1])
	}
}

// rows generates P over matrices whose rows are whole.
func rows(qs []quad, t []VecPhysical, rotate func(n uint64, x VecPhysical)) {
	const left, swap, right = 0x39, 0x4e, 0x93
	for _, back := range [][2]uint64{{left, right}, {right, left}} {
		rounds(qs, t, rotate)
		for _, q := range qs {
			VPERMQ(U8(back[0]), q.b, q.b)
			VPERMQ(U8(swap), q.c, q.c)
			VPERMQ(U8(back[1]), q.d, q.d)
		}
	}
}

// columns generates P over matrices with each row in two vectors. v has 8 vectors, each with one
// word pair of a row of the block, and t at least three free registers. columns updates v, as the
// vectors move to other registers.
func columns(v, t []VecPhysical, rotate func(n uint64, x VecPhysical)) {
	qs := []quad{{v[0], v[2], v[4], v[6]}, {v[1], v[3], v[5], v[7]}}
	p, q := &qs[0], &qs[1]
	rounds(qs, t, rotate)
	p.b, q.b, t[0] = odd(p.b, q.b, t[0])
	q.d, p.d, t[0] = odd(p.d, q.d, t[0])
	p.c, q.c = q.c, p.c
	rounds(qs, t, rotate)
	q.b, p.b, t[0] = odd(p.b, q.b, t[0])
	p.d, q.d, t[0] = odd(p.d, q.d, t[0])
	p.c, q.c = q.c, p.c
	copy(v, []VecPhysical{p.a, q.a, p.b, q.b, p.c, q.c, p.d, q.d})
}

// odd takes pairs (x0, x1) and (y0, y1) to (x1, y0) and (y1, x0), and returns the free register.
func odd(x, y, free VecPhysical) (xy, yx, rest VecPhysical) {
	VSHUFPD(U8(0x55), y, x, free)
	VSHUFPD(U8(0x55), x, y, y)
	return free, y, x
}

func fetch() {
	TEXT("fetchBlock", NOSPLIT, "func(b *[128]uint64)")
	Load(Param("b"), RAX)
	prefetch(RAX)
	RET()
}

func prefetch(block Register) {
	for i := 0; i < blockSize; i += 64 {
		PREFETCHT0(Mem{Base: block, Disp: i})
	}
}

// follow generates window.pick for the window that w points to, if any, by the low half of v's
// first word. It sets the window's ref and prefetches that block as soon as the word is known.
func follow(v VecPhysical, w Register) {
	field := func(i int) Mem { return Mem{Base: w, Disp: 8 * i} }
	lane, n, last, size, ref := field(0), field(1), field(2), field(3), field(4)
	at, wrapped := R9, R10
	TESTQ(w, w)
	JZ(LabelRef("followed"))
	VMOVD(v.AsX(), at.As32())
	IMULQ(at, at)
	SHRQ(U8(32), at)
	IMULQ(n, at)
	SHRQ(U8(32), at)
	NEGQ(at)
	ADDQ(last, at)
	MOVQ(at, wrapped)
	SUBQ(size, wrapped)
	CMOVQCC(wrapped, at)
	MOVQ(at, ref)
	SHLQ(U8(10), at)
	ADDQ(lane, at)
	prefetch(at)
	Label("followed")
}

// load loads the first parameters of both functions.
func load(out, x, y, add Register) {
	Load(Param("out"), out)
	Load(Param("x"), x)
	Load(Param("y"), y)
	Load(Param("xor"), add)
}

// xor generates y ^= x.
func xor(x, y VecPhysical) {
	if y.Size() == 32 {
		VPXOR(x, y, y)
	} else {
		VPXORQ(x, y, y)
	}
}

// wipe clears registers 0 to n-1: writing their low 128 bits clears the rest. VZEROALL would not
// clear 16 to 31.
func wipe(n int) {
	Comment("Nothing of the block stays behind.")
	for i := range n {
		if x := zmm[i].AsX(); i < 16 {
			VPXOR(x, x, x)
		} else {
			VPXORD(x, x, x)
		}
	}
	VZEROUPPER()
}

var (
	ymm = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
	zmm = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31}
)

// compress512 keeps the whole block in 16 registers, from the first load to the last store, and 12
// vectors of x ^ y; it reads the others again.
func compress512() {
	const kept = 12
	TEXT("compressAVX512", NOSPLIT, "func(out, x, y *[128]uint64, xor bool, next *byte)")
	out, x, y, add, next := RDI, RSI, RDX, AL, R8
	load(out, x, y, add)
	Load(Param("next"), next)
	z, t := slices.Clone(zmm[:16]), slices.Clone(zmm[16:])
	for i := range z {
		VMOVDQU64(Mem{Base: x, Disp: 64 * i}, z[i])
		VPXORQ(Mem{Base: y, Disp: 64 * i}, z[i], z[i])
		if i < kept {
			VMOVDQA64(z[i], t[4+i])
		}
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
		columns(v, t, rotate512)
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

// halves returns the low halves of x and y in its first result and the high ones in the other. It
// uses t[0] and frees x.
func halves(x, y VecPhysical, t []VecPhysical) (low, high VecPhysical) {
	low, high = t[0], y
	VSHUFI64X2(U8(0x44), y, x, low)
	VSHUFI64X2(U8(0xee), y, x, high)
	t[0] = x
	return low, high
}

func rotate512(n uint64, x VecPhysical) { VPRORQ(U8(n), x, x) }

// compress256 computes two rows at a time, then four columns, and keeps the block in memory.
func compress256() {
	right24 := rotation("right24", 3)
	right16 := rotation("right16", 2)
	TEXT("compressAVX2", NOSPLIT, "func(out, x, y *[128]uint64, xor bool, z *[128]uint64, next *byte)")
	out, x, y, add, z, end, next := RDI, RSI, RDX, AL, RCX, R11, R8
	load(out, x, y, add)
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
	columns(v, t, rotate)
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
