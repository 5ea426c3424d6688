// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build gc && !purego

#include "textflag.h"

// func rdrand() (v uint64, ok bool)
TEXT ·rdrand(SB), NOSPLIT, $0-9
	RDRANDQ AX        // carry: whether there was a number
	MOVQ    AX, v+0(FP)
	SETCS   ok+8(FP)
	XORL    AX, AX    // nothing of it stays in the register
	RET

// func ticks() uint64
TEXT ·ticks(SB), NOSPLIT, $0-8
	LFENCE            // until the loads before it are done
	RDTSC             // EDX:EAX
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET
