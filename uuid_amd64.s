// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build gc && !purego

#include "textflag.h"

// See uuid_v4_amd64.go.

// The bits that stay: all but the upper half of byte 6 and the upper two bits of
// byte 8.
DATA stay<>+0(SB)/8, $0xff0fffffffffffff
DATA stay<>+8(SB)/8, $0xffffffffffffff3f
GLOBL stay<>(SB), RODATA|NOPTR, $16

// Version 4 and the variant of RFC 9562.
DATA mark<>+0(SB)/8, $0x0040000000000000
DATA mark<>+8(SB)/8, $0x0000000000000080
GLOBL mark<>(SB), RODATA|NOPTR, $16

// func setV4(u *UUID)
TEXT ·setV4(SB), NOSPLIT, $0-8
	MOVQ  u+0(FP), AX
	MOVOU (AX), X0         // one load, of what one store has just written
	PAND  stay<>(SB), X0
	POR   mark<>(SB), X0
	MOVOU X0, (AX)         // and one store, for the one load of a caller's copy
	PXOR  X0, X0           // a UUID may be somebody's secret
	RET
