// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// ChaCha20 keystream in NEON, four blocks at a time (RFC 8439, section 2.3). Written by hand, as avo
// generates amd64 only.
//
// The layout is vertical: V0 to V15 are the 16 words of the state in the RFC's order, and lane i of each
// belongs to block i of the four. So a quarter round is the RFC's, on four blocks at once; a diagonal
// round takes other registers instead of moving words; and only the finished words have to be
// transposed, into 64 bytes a block.
//
//	V0-V15   state; then the keystream, transposed
//	V16-V23  the 8 words of the key, each in all four lanes
//	V24-V27  scratch
//	V28      VTBL's indices for a rotation by 8
//	V29      block counters, one a lane
//	V30      4 in each lane: how far the counters move
//	V31      not used
//
// Everything a group of blocks needs again is in registers, so nothing is spilled to the stack, and the
// key is read before the first store: it may lie in what is overwritten.
//
// 256 bytes take 1212 instructions, counted in the disassembly: 1120 for the rounds, 68 more of NEON, 24
// others. 1024 bytes take 4895. A quarter round is 14 operations instead of 12: NEON does not rotate, and
// what VREV32 and VTBL do for 16 and 8 takes two shifts for 12 and 7. No arm64 machine was at hand: the
// speed is unmeasured.

//go:build gc && !purego

#include "textflag.h"

// The four words "expand 32-byte k" of the RFC's section 2.3.
DATA constants<>+0x00(SB)/4, $0x61707865
DATA constants<>+0x04(SB)/4, $0x3320646e
DATA constants<>+0x08(SB)/4, $0x79622d32
DATA constants<>+0x0c(SB)/4, $0x6b206574
GLOBL constants<>(SB), RODATA|NOPTR, $16

// The number of each lane, which is the number of its block in the group.
DATA lanes<>+0x00(SB)/4, $0
DATA lanes<>+0x04(SB)/4, $1
DATA lanes<>+0x08(SB)/4, $2
DATA lanes<>+0x0c(SB)/4, $3
GLOBL lanes<>(SB), RODATA|NOPTR, $16

// Which byte goes where when each word is rotated left by 8: byte 3 to place 0, 0 to 1, 1 to 2, 2 to 3.
DATA rotate8<>+0x00(SB)/4, $0x02010003
DATA rotate8<>+0x04(SB)/4, $0x06050407
DATA rotate8<>+0x08(SB)/4, $0x0a09080b
DATA rotate8<>+0x0c(SB)/4, $0x0e0d0c0f
GLOBL rotate8<>(SB), RODATA|NOPTR, $16

// Each macro works on four registers side by side: four independent chains of dependent instructions,
// which also keep a core busy that executes in order.

// ADD4: x += y.
#define ADD4(x0, x1, x2, x3, y0, y1, y2, y3) \
	VADD	y0.S4, x0.S4, x0.S4; \
	VADD	y1.S4, x1.S4, x1.S4; \
	VADD	y2.S4, x2.S4, x2.S4; \
	VADD	y3.S4, x3.S4, x3.S4

// XOR4: z = x ^ y.
#define XOR4(x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3) \
	VEOR	y0.B16, x0.B16, z0.B16; \
	VEOR	y1.B16, x1.B16, z1.B16; \
	VEOR	y2.B16, x2.B16, z2.B16; \
	VEOR	y3.B16, x3.B16, z3.B16

// ROL16: x <<<= 16, which swaps the halves of a word.
#define ROL16(x0, x1, x2, x3) \
	VREV32	x0.H8, x0.H8; \
	VREV32	x1.H8, x1.H8; \
	VREV32	x2.H8, x2.H8; \
	VREV32	x3.H8, x3.H8

// ROL8: x <<<= 8, which moves whole bytes.
#define ROL8(x0, x1, x2, x3) \
	VTBL	V28.B16, [x0.B16], x0.B16; \
	VTBL	V28.B16, [x1.B16], x1.B16; \
	VTBL	V28.B16, [x2.B16], x2.B16; \
	VTBL	V28.B16, [x3.B16], x3.B16

// ROL: x = scratch <<< left, where right is 32 - left: shift left, then insert what fell out.
#define ROL(left, right, x0, x1, x2, x3) \
	VSHL	$left, V24.S4, x0.S4; \
	VSHL	$left, V25.S4, x1.S4; \
	VSHL	$left, V26.S4, x2.S4; \
	VSHL	$left, V27.S4, x3.S4; \
	VSRI	$right, V24.S4, x0.S4; \
	VSRI	$right, V25.S4, x1.S4; \
	VSRI	$right, V26.S4, x2.S4; \
	VSRI	$right, V27.S4, x3.S4

// ROUND: four quarter rounds (section 2.1), on (a0, b0, c0, d0) to (a3, b3, c3, d3).
#define ROUND(a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3) \
	ADD4(a0, a1, a2, a3, b0, b1, b2, b3); \
	XOR4(d0, d1, d2, d3, a0, a1, a2, a3, d0, d1, d2, d3); \
	ROL16(d0, d1, d2, d3); \
	ADD4(c0, c1, c2, c3, d0, d1, d2, d3); \
	XOR4(b0, b1, b2, b3, c0, c1, c2, c3, V24, V25, V26, V27); \
	ROL(12, 20, b0, b1, b2, b3); \
	ADD4(a0, a1, a2, a3, b0, b1, b2, b3); \
	XOR4(d0, d1, d2, d3, a0, a1, a2, a3, d0, d1, d2, d3); \
	ROL8(d0, d1, d2, d3); \
	ADD4(c0, c1, c2, c3, d0, d1, d2, d3); \
	XOR4(b0, b1, b2, b3, c0, c1, c2, c3, V24, V25, V26, V27); \
	ROL(7, 25, b0, b1, b2, b3)

// TRANSPOSE: word i of each block, in the lanes of x_i, to four words of block i, in x_i.
// First pairs of words, of blocks 0 and 1 in V24 and V26, of blocks 2 and 3 in V25 and V27; then pairs
// of pairs.
#define TRANSPOSE(x0, x1, x2, x3) \
	VZIP1	x1.S4, x0.S4, V24.S4; \
	VZIP2	x1.S4, x0.S4, V25.S4; \
	VZIP1	x3.S4, x2.S4, V26.S4; \
	VZIP2	x3.S4, x2.S4, V27.S4; \
	VZIP1	V26.D2, V24.D2, x0.D2; \
	VZIP2	V26.D2, V24.D2, x1.D2; \
	VZIP1	V27.D2, V25.D2, x2.D2; \
	VZIP2	V27.D2, V25.D2, x3.D2

// ZERO4: x = 0.
#define ZERO4(x0, x1, x2, x3) \
	VMOVI	$0, x0.B16; \
	VMOVI	$0, x1.B16; \
	VMOVI	$0, x2.B16; \
	VMOVI	$0, x3.B16

// func fillNEON(dst *byte, n int, key *[32]byte, counter uint32)
TEXT ·fillNEON(SB), NOSPLIT, $0-28
	MOVD	dst+0(FP), R0
	MOVD	n+8(FP), R1
	MOVD	key+16(FP), R2
	MOVWU	counter+24(FP), R3

	// The key, for good: nothing below reads it from memory.
	VLD4R.P	16(R2), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD4R	(R2), [V20.S4, V21.S4, V22.S4, V23.S4]

	// What is not secret: indices, counters, step, and where the constants are.
	MOVD	$rotate8<>(SB), R4
	VLD1	(R4), [V28.B16]
	MOVD	$lanes<>(SB), R4
	VLD1	(R4), [V30.S4]
	VDUP	R3, V29.S4
	VADD	V30.S4, V29.S4, V29.S4
	MOVD	$4, R4
	VDUP	R4, V30.S4
	MOVD	$constants<>(SB), R5

group:
	// The state before the first round: constants, key, counter, a zero nonce.
	VLD4R	(R5), [V0.S4, V1.S4, V2.S4, V3.S4]
	VMOV	V16.B16, V4.B16
	VMOV	V17.B16, V5.B16
	VMOV	V18.B16, V6.B16
	VMOV	V19.B16, V7.B16
	VMOV	V20.B16, V8.B16
	VMOV	V21.B16, V9.B16
	VMOV	V22.B16, V10.B16
	VMOV	V23.B16, V11.B16
	VMOV	V29.B16, V12.B16
	VMOVI	$0, V13.B16
	VMOVI	$0, V14.B16
	VMOVI	$0, V15.B16

	// 20 rounds: 10 of columns and diagonals.
	MOVD	$10, R4

rounds:
	ROUND(V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12, V13, V14, V15)
	ROUND(V0, V1, V2, V3, V5, V6, V7, V4, V10, V11, V8, V9, V15, V12, V13, V14)
	SUB	$1, R4
	CBNZ	R4, rounds

	// Add the state before the first round. The nonce's three words are zero.
	VLD4R	(R5), [V24.S4, V25.S4, V26.S4, V27.S4]
	ADD4(V0, V1, V2, V3, V24, V25, V26, V27)
	ADD4(V4, V5, V6, V7, V16, V17, V18, V19)
	ADD4(V8, V9, V10, V11, V20, V21, V22, V23)
	VADD	V29.S4, V12.S4, V12.S4

	// Now V0 to V3 become words 0 to 3 of blocks 0 to 3, V4 to V7 words 4 to 7, and so on.
	TRANSPOSE(V0, V1, V2, V3)
	TRANSPOSE(V4, V5, V6, V7)
	TRANSPOSE(V8, V9, V10, V11)
	TRANSPOSE(V12, V13, V14, V15)

	// Store block after block. FSTPQ takes any two registers, which VST1 does not.
	FSTPQ	(F0, F4), (R0)
	FSTPQ	(F8, F12), 32(R0)
	FSTPQ	(F1, F5), 64(R0)
	FSTPQ	(F9, F13), 96(R0)
	FSTPQ	(F2, F6), 128(R0)
	FSTPQ	(F10, F14), 160(R0)
	FSTPQ	(F3, F7), 192(R0)
	FSTPQ	(F11, F15), 224(R0)

	// The next group: counters, dst, and what is left to do.
	VADD	V30.S4, V29.S4, V29.S4
	ADD	$256, R0
	SUB	$256, R1
	CBNZ	R1, group

	// Clear what held state, keystream or key. V28 to V30 hold nothing secret.
	ZERO4(V0, V1, V2, V3)
	ZERO4(V4, V5, V6, V7)
	ZERO4(V8, V9, V10, V11)
	ZERO4(V12, V13, V14, V15)
	ZERO4(V16, V17, V18, V19)
	ZERO4(V20, V21, V22, V23)
	ZERO4(V24, V25, V26, V27)
	RET
