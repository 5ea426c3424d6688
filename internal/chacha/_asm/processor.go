// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Which processor this is, beyond what golang.org/x/sys/cpu tells.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// processor generates processor, which returns EAX of CPUID leaf 1.
func processor() {
	TEXT("processor", NOSPLIT, "func() uint32")
	MOVL(U32(1), EAX)
	XORL(ECX, ECX)
	CPUID()
	Store(EAX, ReturnIndex(0))
	RET()
}
