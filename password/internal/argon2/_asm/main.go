// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Command _asm writes compress_amd64.s: Argon2's compression function G (RFC 9106, section 3.5) in
// AVX-512 and in AVX2. Package argon2's go:generate line runs it.
//
// Four vectors a, b, c, d hold the four rows of the matrices that the permutation P works on, of as many
// matrices as there is room for. P runs over the block's rows and then over its columns:
//
//   - A row is 16 words next to each other, so a vector holds whole rows of one or two matrices, and
//     quarters of it are rotated between the two halves of a round.
//   - A column is 8 pairs of words below each other, so a vector holds one pair of several matrices, each
//     row of a matrix lies in two vectors, and words move between these.
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
	compress512()
	compress256()
	fetch()
	Generate()
}

const blockSize = 1024

// A quad is a row of each kind: the operands of GB (section 3.6).
type quad struct{ a, b, c, d VecPhysical }

// rounds generates GB of independent quads side by side, operation by operation: each operation waits for
// the one before it, so one quad alone leaves ports idle. t has a free register for each quad.
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
	add(a, b)
	turn(d, a, 32)
	add(c, d)
	turn(b, c, 24)
	add(a, b)
	turn(d, a, 16)
	add(c, d)
	turn(b, c, 63)
}

// rows generates P over matrices whose rows are whole.
func rows(qs []quad, t []VecPhysical, rotate func(n uint64, x VecPhysical)) {
	const left, swap, right = 0x39, 0x4e, 0x93
	rounds(qs, t, rotate)
	for _, q := range qs {
		VPERMQ(U8(left), q.b, q.b)
		VPERMQ(U8(swap), q.c, q.c)
		VPERMQ(U8(right), q.d, q.d)
	}
	rounds(qs, t, rotate)
	for _, q := range qs {
		VPERMQ(U8(right), q.b, q.b)
		VPERMQ(U8(swap), q.c, q.c)
		VPERMQ(U8(left), q.d, q.d)
	}
}

// columns generates P over matrices whose rows lie in two vectors each: v has the 8 vectors of one word
// pair of a block's row each, and t three free registers or more. It returns where the 8 are now, and
// what is free.
func columns(vs [][]VecPhysical, t []VecPhysical, rotate func(n uint64, x VecPhysical)) {
	var qs []quad
	for _, v := range vs {
		qs = append(qs, quad{v[0], v[2], v[4], v[6]}, quad{v[1], v[3], v[5], v[7]})
	}
	rounds(qs, t, rotate)
	for i := 0; i < len(qs); i += 2 {
		p, q := &qs[i], &qs[i+1]
		p.b, q.b, t[0] = odd(p.b, q.b, t[0])
		q.d, p.d, t[0] = odd(p.d, q.d, t[0])
		p.c, q.c = q.c, p.c
	}
	rounds(qs, t, rotate)
	for i, v := range vs {
		p, q := &qs[2*i], &qs[2*i+1]
		q.b, p.b, t[0] = odd(p.b, q.b, t[0])
		p.d, q.d, t[0] = odd(p.d, q.d, t[0])
		p.c, q.c = q.c, p.c
		copy(v, []VecPhysical{p.a, q.a, p.b, q.b, p.c, q.c, p.d, q.d})
	}
}

// odd takes pairs (x0, x1) and (y0, y1) to (x1, y0) and (y1, x0), and returns the register that is free then.
func odd(x, y, free VecPhysical) (xy, yx, rest VecPhysical) {
	VSHUFPD(U8(0x55), y, x, free)
	VSHUFPD(U8(0x55), x, y, y)
	return free, y, x
}

// fetch has the processor load a block that is read soon.
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

// follow is window.pick by the low half of the first word of v, for the window that w points to if any. It
// leaves the answer there and has the processor load that block: here, as soon as the word is known, it takes
// place beside the rest of this one.
func follow(v VecPhysical, w Register) {
	lane, n, last, size, ref := Mem{Base: w}, Mem{Base: w, Disp: 8}, Mem{Base: w, Disp: 16}, Mem{Base: w, Disp: 24}, Mem{Base: w, Disp: 32}
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

// xor computes y ^= x.
func xor(x, y VecPhysical) {
	if y.Size() == 32 {
		VPXOR(x, y, y)
	} else {
		VPXORQ(x, y, y)
	}
}

// wipe clears registers 0 to n-1, n being 16 or 32, over their whole width, which is what writing to
// their low 128 bits does. VZEROALL would leave 16 to 31 as they are.
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
