// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego

#include "textflag.h"

#define SYS_rt_sigprocmask 135
#define SIG_SETMASK 2

// func vdsoCall(fn, buf, n, flags, state, stateLen uintptr) int
//
// C's stack begins near the upper end of the frame and grows down through it. The signal masks lie
// at the lower end. C preserves R19 to R28 (AAPCS64 6.1.1): R20 keeps Go's stack pointer, and R28 is
// still g afterwards. But C may use R28 meanwhile, and in a program without cgo a signal handler
// looks for g in R28. (The runtime stores g elsewhere around its own calls of the vDSO, which other
// packages can't do.) So signals are blocked until the call is over.
TEXT ·vdsoCall(SB), 0, $8192-56
	MOVD $SIG_SETMASK, R0
	MOVD $-1, R1
	MOVD R1, 16(RSP)
	ADD  $16, RSP, R1
	ADD  $24, RSP, R2
	MOVD $8, R3
	MOVD $SYS_rt_sigprocmask, R8
	SVC

	MOVD fn+0(FP), R9
	MOVD buf+8(FP), R0
	MOVD n+16(FP), R1
	MOVD flags+24(FP), R2
	MOVD state+32(FP), R3
	MOVD stateLen+40(FP), R4
	MOVD RSP, R20
	ADD  $8128, R20, R10
	MOVD R10, RSP
	BL   (R9)
	MOVD R20, RSP
	MOVD R0, ret+48(FP)

	MOVD $SIG_SETMASK, R0
	ADD  $24, RSP, R1
	MOVD ZR, R2
	MOVD $8, R3
	MOVD $SYS_rt_sigprocmask, R8
	SVC
	RET
