// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Argon2's compression function G (RFC 9106, section 3.5) in NEON. Written by hand, as avo
// generates amd64 only.
//
// The permutation P works on a matrix of 4 rows of 4 words, a to d, and a vector has 2 words: so a
// row is two vectors, and GB works on two columns of the matrix at once. Two matrices side by side
// make four independent chains of dependent instructions. The block's rows are words next to each
// other, its columns are pairs of words below each other; once loaded, both are the same to P.
//
//	V0-V7    one matrix: a in V0 and V1, b in V2 and V3, c in V4 and V5, d in V6 and V7
//	V8-V15   the other: a in V8 and V9, b in V10 and V11, c in V12 and V13, d in V14 and V15
//	V16-V19  scratch: factors, and b before its rotation by 63
//	V20-V23  the first half of each b and d while P works on diagonals
//	V24-V25  VTBL's indices for rotations by 24 and 16
//	V26-V31  not used
//
// V16 to V23 also take what is added from memory. The block between rows and columns does not fit
// the registers: it is in z, which the caller wipes.
//
// A block takes 2,334 instructions with xor, counted in the disassembly, 1,728 of them for P, and
// 31 more to pick. The portable code takes about 6,900. No arm64 machine was at hand: the speed is
// unmeasured.

//go:build gc && !purego

#include "textflag.h"

// Which byte goes where when each word is rotated right by 24 bits, 3 bytes.
DATA right24<>+0x00(SB)/8, $0x0201000706050403
DATA right24<>+0x08(SB)/8, $0x0a09080f0e0d0c0b
GLOBL right24<>(SB), RODATA|NOPTR, $16

// The same for 16 bits, 2 bytes.
DATA right16<>+0x00(SB)/8, $0x0100070605040302
DATA right16<>+0x08(SB)/8, $0x09080f0e0d0c0b0a
GLOBL right16<>(SB), RODATA|NOPTR, $16

// The assembler lacks these two. Their operands are the numbers of vectors.
#define UMLAL(u, t, x) WORD $(0x2ea08000 | u<<16 | t<<5 | x) // umlal v(x).2d, v(t).2s, v(u).2s
#define UMLAL2(u, t, x) WORD $(0x6ea08000 | u<<16 | t<<5 | x) // umlal2 v(x).2d, v(t).4s, v(u).4s

// LOW: what UMLAL multiplies for x += y + 2·low(x)·low(y). The low halves of two words of x0 go to
// the low half of t and those of x1 to its high half; the same of y to u.
#define LOW(x0, x1, y0, y1, t, u) \
	VUZP1	x1.S4, x0.S4, t.S4; \
	VUZP1	y1.S4, y0.S4, u.S4

// ADD4: x += y.
#define ADD4(x0, x1, x2, x3, y0, y1, y2, y3) \
	VADD	y0.D2, x0.D2, x0.D2; \
	VADD	y1.D2, x1.D2, x1.D2; \
	VADD	y2.D2, x2.D2, x2.D2; \
	VADD	y3.D2, x3.D2, x3.D2

// ADDA: a += y + 2·low(a)·low(y). Adding the product twice is cheaper than doubling it: a
// multiply-add that waits for nothing but another one's sum waits a cycle on most cores.
#define ADDA(y0, y1, y2, y3) \
	LOW(V0, V1, y0, y1, V16, V17); \
	LOW(V8, V9, y2, y3, V18, V19); \
	ADD4(V0, V1, V8, V9, y0, y1, y2, y3); \
	UMLAL(17, 16, 0); \
	UMLAL2(17, 16, 1); \
	UMLAL(19, 18, 8); \
	UMLAL2(19, 18, 9); \
	UMLAL(17, 16, 0); \
	UMLAL2(17, 16, 1); \
	UMLAL(19, 18, 8); \
	UMLAL2(19, 18, 9)

// ADDC: the same for c.
#define ADDC(y0, y1, y2, y3) \
	LOW(V4, V5, y0, y1, V16, V17); \
	LOW(V12, V13, y2, y3, V18, V19); \
	ADD4(V4, V5, V12, V13, y0, y1, y2, y3); \
	UMLAL(17, 16, 4); \
	UMLAL2(17, 16, 5); \
	UMLAL(19, 18, 12); \
	UMLAL2(19, 18, 13); \
	UMLAL(17, 16, 4); \
	UMLAL2(17, 16, 5); \
	UMLAL(19, 18, 12); \
	UMLAL2(19, 18, 13)

// XOR4: z = x ^ y.
#define XOR4(x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3) \
	VEOR	y0.B16, x0.B16, z0.B16; \
	VEOR	y1.B16, x1.B16, z1.B16; \
	VEOR	y2.B16, x2.B16, z2.B16; \
	VEOR	y3.B16, x3.B16, z3.B16

// ROR32: x >>>= 32, which swaps the halves of a word.
#define ROR32(x0, x1, x2, x3) \
	VREV64	x0.S4, x0.S4; \
	VREV64	x1.S4, x1.S4; \
	VREV64	x2.S4, x2.S4; \
	VREV64	x3.S4, x3.S4

// ROR: x >>>= 24 or 16, which moves whole bytes.
#define ROR(index, x0, x1, x2, x3) \
	VTBL	index.B16, [x0.B16], x0.B16; \
	VTBL	index.B16, [x1.B16], x1.B16; \
	VTBL	index.B16, [x2.B16], x2.B16; \
	VTBL	index.B16, [x3.B16], x3.B16

// ROR63: x = scratch >>> 63: twice it, then insert the bit that fell out.
#define ROR63(x0, x1, x2, x3) \
	VADD	V16.D2, V16.D2, x0.D2; \
	VADD	V17.D2, V17.D2, x1.D2; \
	VADD	V18.D2, V18.D2, x2.D2; \
	VADD	V19.D2, V19.D2, x3.D2; \
	VSRI	$63, V16.D2, x0.D2; \
	VSRI	$63, V17.D2, x1.D2; \
	VSRI	$63, V18.D2, x2.D2; \
	VSRI	$63, V19.D2, x3.D2

// GB4: GB (section 3.6) four times. b0 to b3 and d0 to d3 are what goes with V0, V1, V8 and V9, the
// vectors of a; f0 to f3 and h0 to h3 are the same b and d, as they go with V4, V5, V12 and V13,
// those of c.
#define GB4(b0, b1, b2, b3, d0, d1, d2, d3, f0, f1, f2, f3, h0, h1, h2, h3) \
	ADDA(b0, b1, b2, b3); \
	XOR4(d0, d1, d2, d3, V0, V1, V8, V9, d0, d1, d2, d3); \
	ROR32(d0, d1, d2, d3); \
	ADDC(h0, h1, h2, h3); \
	XOR4(f0, f1, f2, f3, V4, V5, V12, V13, f0, f1, f2, f3); \
	ROR(V24, f0, f1, f2, f3); \
	ADDA(b0, b1, b2, b3); \
	XOR4(d0, d1, d2, d3, V0, V1, V8, V9, d0, d1, d2, d3); \
	ROR(V25, d0, d1, d2, d3); \
	ADDC(h0, h1, h2, h3); \
	XOR4(f0, f1, f2, f3, V4, V5, V12, V13, V16, V17, V18, V19); \
	ROR63(f0, f1, f2, f3)

// LEFT: words 0 to 3 of a row, in x0 and x1, to words 1, 2 in first and 3, 0 in x1.
#define LEFT(x0, x1, first) \
	VEXT	$8, x1.B16, x0.B16, first.B16; \
	VEXT	$8, x0.B16, x1.B16, x1.B16

// RIGHT: words 0 to 3 of a row, in x0 and x1, to words 3, 0 in first and 1, 2 in x1.
#define RIGHT(x0, x1, first) \
	VEXT	$8, x0.B16, x1.B16, first.B16; \
	VEXT	$8, x1.B16, x0.B16, x1.B16

// P2: P over both matrices, its columns and then its diagonals. For these b goes left by a word and
// d right, and c would go by two: there its vectors change places instead.
#define P2 \
	GB4(V2, V3, V10, V11, V6, V7, V14, V15, V2, V3, V10, V11, V6, V7, V14, V15); \
	LEFT(V2, V3, V20); \
	LEFT(V10, V11, V22); \
	RIGHT(V6, V7, V21); \
	RIGHT(V14, V15, V23); \
	GB4(V20, V3, V22, V11, V21, V7, V23, V15, V3, V20, V11, V22, V7, V21, V15, V23); \
	RIGHT(V20, V3, V2); \
	RIGHT(V22, V11, V10); \
	LEFT(V21, V7, V6); \
	LEFT(V23, V15, V14)

// ADDROWS: XOR the 256 bytes at p, two rows, to V0 to V15.
#define ADDROWS(p) \
	FLDPQ	(p), (F16, F17); \
	FLDPQ	32(p), (F18, F19); \
	FLDPQ	64(p), (F20, F21); \
	FLDPQ	96(p), (F22, F23); \
	XOR4(V0, V1, V2, V3, V16, V17, V18, V19, V0, V1, V2, V3); \
	XOR4(V4, V5, V6, V7, V20, V21, V22, V23, V4, V5, V6, V7); \
	FLDPQ	128(p), (F16, F17); \
	FLDPQ	160(p), (F18, F19); \
	FLDPQ	192(p), (F20, F21); \
	FLDPQ	224(p), (F22, F23); \
	XOR4(V8, V9, V10, V11, V16, V17, V18, V19, V8, V9, V10, V11); \
	XOR4(V12, V13, V14, V15, V20, V21, V22, V23, V12, V13, V14, V15)

// ADDCOLUMNS: XOR two columns of the block, the one at p and the next, to V0 to V7 and V8 to V15.
#define ADDCOLUMNS(p) \
	FLDPQ	(p), (F16, F17); \
	FLDPQ	128(p), (F18, F19); \
	FLDPQ	256(p), (F20, F21); \
	FLDPQ	384(p), (F22, F23); \
	XOR4(V0, V8, V1, V9, V16, V17, V18, V19, V0, V8, V1, V9); \
	XOR4(V2, V10, V3, V11, V20, V21, V22, V23, V2, V10, V3, V11); \
	FLDPQ	512(p), (F16, F17); \
	FLDPQ	640(p), (F18, F19); \
	FLDPQ	768(p), (F20, F21); \
	FLDPQ	896(p), (F22, F23); \
	XOR4(V4, V12, V5, V13, V16, V17, V18, V19, V4, V12, V5, V13); \
	XOR4(V6, V14, V7, V15, V20, V21, V22, V23, V6, V14, V7, V15)

// PREFETCH has the processor load the block at p, in lines of 64 bytes.
#define PREFETCH(p) \
	PRFM	(p), PLDL1KEEP; \
	PRFM	64(p), PLDL1KEEP; \
	PRFM	128(p), PLDL1KEEP; \
	PRFM	192(p), PLDL1KEEP; \
	PRFM	256(p), PLDL1KEEP; \
	PRFM	320(p), PLDL1KEEP; \
	PRFM	384(p), PLDL1KEEP; \
	PRFM	448(p), PLDL1KEEP; \
	PRFM	512(p), PLDL1KEEP; \
	PRFM	576(p), PLDL1KEEP; \
	PRFM	640(p), PLDL1KEEP; \
	PRFM	704(p), PLDL1KEEP; \
	PRFM	768(p), PLDL1KEEP; \
	PRFM	832(p), PLDL1KEEP; \
	PRFM	896(p), PLDL1KEEP; \
	PRFM	960(p), PLDL1KEEP

// ZERO4: x = 0.
#define ZERO4(x0, x1, x2, x3) \
	VMOVI	$0, x0.B16; \
	VMOVI	$0, x1.B16; \
	VMOVI	$0, x2.B16; \
	VMOVI	$0, x3.B16

// func compressNEON(out, x, y *[128]uint64, xor bool, z *[128]uint64, next *window)
TEXT ·compressNEON(SB), NOSPLIT, $0-48
	MOVD	out+0(FP), R0
	MOVD	x+8(FP), R1
	MOVD	y+16(FP), R2
	MOVBU	xor+24(FP), R3
	MOVD	z+32(FP), R4
	MOVD	next+40(FP), R5
	MOVD	$right24<>(SB), R6
	VLD1	(R6), [V24.B16]
	MOVD	$right16<>(SB), R6
	VLD1	(R6), [V25.B16]

	// z = x ^ y, two rows at a time, and P over each.
	MOVD	$4, R6

rows:
	FLDPQ	(R1), (F0, F1)
	FLDPQ	32(R1), (F2, F3)
	FLDPQ	64(R1), (F4, F5)
	FLDPQ	96(R1), (F6, F7)
	FLDPQ	128(R1), (F8, F9)
	FLDPQ	160(R1), (F10, F11)
	FLDPQ	192(R1), (F12, F13)
	FLDPQ	224(R1), (F14, F15)
	ADDROWS(R2)
	P2
	FSTPQ	(F0, F1), (R4)
	FSTPQ	(F2, F3), 32(R4)
	FSTPQ	(F4, F5), 64(R4)
	FSTPQ	(F6, F7), 96(R4)
	FSTPQ	(F8, F9), 128(R4)
	FSTPQ	(F10, F11), 160(R4)
	FSTPQ	(F12, F13), 192(R4)
	FSTPQ	(F14, F15), 224(R4)
	ADD	$256, R1
	ADD	$256, R2
	ADD	$256, R4
	SUB	$1, R6
	CBNZ	R6, rows
	SUB	$1024, R1
	SUB	$1024, R2
	SUB	$1024, R4

	// P over two columns at a time; then x, y and with xor what was in out are added.
	MOVD	$4, R6

columns:
	FLDPQ	(R4), (F0, F8)
	FLDPQ	128(R4), (F1, F9)
	FLDPQ	256(R4), (F2, F10)
	FLDPQ	384(R4), (F3, F11)
	FLDPQ	512(R4), (F4, F12)
	FLDPQ	640(R4), (F5, F13)
	FLDPQ	768(R4), (F6, F14)
	FLDPQ	896(R4), (F7, F15)
	P2
	ADDCOLUMNS(R1)
	ADDCOLUMNS(R2)
	CBZ	R3, done
	ADDCOLUMNS(R0)

done:
	// window.pick by the low half of the block's first word, if there is a window: as soon as the word is
	// known, so that memory is under way beside the other columns.
	CBZ	R5, store
	VMOV	V0.S[0], R7
	MUL	R7, R7, R7
	LSR	$32, R7
	MOVD	8(R5), R8 // n
	MUL	R8, R7, R7
	LSR	$32, R7
	MOVD	16(R5), R8 // last
	SUB	R7, R8, R7
	MOVD	24(R5), R8 // size
	SUBS	R8, R7, R8
	CSEL	HS, R8, R7, R7
	MOVD	R7, 32(R5) // ref
	MOVD	(R5), R8   // lane
	ADD	R7<<10, R8, R8
	PREFETCH(R8)
	MOVD	ZR, R5 // once

store:
	FSTPQ	(F0, F8), (R0)
	FSTPQ	(F1, F9), 128(R0)
	FSTPQ	(F2, F10), 256(R0)
	FSTPQ	(F3, F11), 384(R0)
	FSTPQ	(F4, F12), 512(R0)
	FSTPQ	(F5, F13), 640(R0)
	FSTPQ	(F6, F14), 768(R0)
	FSTPQ	(F7, F15), 896(R0)
	ADD	$32, R0
	ADD	$32, R1
	ADD	$32, R2
	ADD	$32, R4
	SUB	$1, R6
	CBNZ	R6, columns

	// Nothing of the block stays behind. V24 and V25 hold no secret.
	ZERO4(V0, V1, V2, V3)
	ZERO4(V4, V5, V6, V7)
	ZERO4(V8, V9, V10, V11)
	ZERO4(V12, V13, V14, V15)
	ZERO4(V16, V17, V18, V19)
	ZERO4(V20, V21, V22, V23)
	RET

// func fetchBlock(b *[128]uint64)
TEXT ·fetchBlock(SB), NOSPLIT, $0-8
	MOVD	b+0(FP), R0
	PREFETCH(R0)
	RET
