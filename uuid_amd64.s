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

DATA nibble<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA nibble<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL nibble<>(SB), RODATA|NOPTR, $16

DATA nine<>+0(SB)/8, $0x0909090909090909
DATA nine<>+8(SB)/8, $0x0909090909090909
GLOBL nine<>(SB), RODATA|NOPTR, $16

// From the character behind '9' to 'a'.
DATA gap<>+0(SB)/8, $0x2727272727272727
DATA gap<>+8(SB)/8, $0x2727272727272727
GLOBL gap<>(SB), RODATA|NOPTR, $16

DATA zero<>+0(SB)/8, $0x3030303030303030
DATA zero<>+8(SB)/8, $0x3030303030303030
GLOBL zero<>(SB), RODATA|NOPTR, $16

// func encode(text *[36]byte, u *UUID)
TEXT ·encode(SB), NOSPLIT, $0-16
	MOVQ      text+0(FP), DI
	MOVQ      u+8(FP), SI
	MOVOU     (SI), X0
	MOVO      X0, X1
	PSRLW     $4, X1
	PAND      nibble<>(SB), X0 // the lower half of each byte
	PAND      nibble<>(SB), X1 // and the upper
	MOVO      X1, X2
	PUNPCKLBW X0, X1           // digits 0 to 15
	PUNPCKHBW X0, X2           // and 16 to 31
	MOVO      X1, X3
	MOVO      X2, X4
	PCMPGTB   nine<>(SB), X3   // all ones for a letter
	PCMPGTB   nine<>(SB), X4
	PAND      gap<>(SB), X3
	PAND      gap<>(SB), X4
	PADDB     zero<>(SB), X1
	PADDB     zero<>(SB), X2
	PADDB     X3, X1
	PADDB     X4, X2
	MOVQ      X1, (DI)
	PSRLO     $8, X1
	MOVQ      X1, AX
	MOVQ      X2, BX
	PSRLO     $8, X2
	MOVQ      X2, 28(DI)
	MOVB      $0x2d, 8(DI)
	MOVL      AX, 9(DI)
	MOVB      $0x2d, 13(DI)
	SHRQ      $32, AX
	MOVL      AX, 14(DI)
	MOVB      $0x2d, 18(DI)
	MOVL      BX, 19(DI)
	MOVB      $0x2d, 23(DI)
	SHRQ      $32, BX
	MOVL      BX, 24(DI)
	PXOR      X0, X0           // a UUID may be somebody's secret
	PXOR      X1, X1
	PXOR      X2, X2
	PXOR      X3, X3
	PXOR      X4, X4
	XORL      AX, AX
	XORL      BX, BX
	RET
