// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego

#include "textflag.h"

// func vdsoCall(fn, buf, n, flags, state, stateLen uintptr) int
//
// C's stack begins at the upper end of the frame, 16-byte aligned, and grows down through it. Go's
// stack pointer is in RBX, which C preserves (System V ABI for AMD64, figure 3.4). C may change all
// registers but RBX, RBP and R12 to R15. Of these Go's ABI0 needs RBP, which the prologue saves too;
// the wrapper that Go calls sets X15 and R14 again. A signal that arrives meanwhile finds its
// goroutine in the thread's TLS, and the runtime does not preempt at an address outside Go's code.
TEXT ·vdsoCall(SB), 0, $8192-56
	MOVQ fn+0(FP), AX
	MOVQ buf+8(FP), DI
	MOVQ n+16(FP), SI
	MOVQ flags+24(FP), DX
	MOVQ state+32(FP), CX
	MOVQ stateLen+40(FP), R8
	MOVQ SP, BX
	ADDQ $8192, SP
	ANDQ $~15, SP
	CALL AX
	MOVQ BX, SP
	MOVQ AX, ret+48(FP)
	RET
