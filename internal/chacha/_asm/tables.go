// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Read-only tables.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

var (
	sigma    Mem // row 0 of the matrix: "expand 32-byte k" (RFC 8439, section 2.3)
	order512 Mem // which of 16 blocks a word in a register belongs to, as storeColumns takes them
	sixteen  Mem // what to add for the next 16
	quad512  Mem // rows d of 4 blocks
	four512  Mem // what to add for the next 4
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
	quad512 = words("quad512", 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0)
	four512 = words("four512", 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0)
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
