// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"fmt"
)

// Registers. Each lane takes two, in the order of data. The first lane takes AX and DX, as only
// their second bytes can be addressed.
const (
	states = "DI"
	subkey = "SI" // of the current rounds
	sum    = "BX" // of the four lookups
	index  = "CX"
	index2 = "R8" // up to four lanes
	top    = "R9" // 24, up to four lanes
)

var (
	fewData  = []string{"DX", "AX", "R10", "R11", "R12", "R13", "R14", "R15"}
	manyData = []string{"DX", "AX", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"}
	second   = map[string]string{"AX": "AH", "DX": "DH", "CX": "CH"}
)

const (
	few       = 4         // lanes: up to here latency is the limit, beyond it operations
	stateSize = 4 * words // bytes
	boxes     = 4 * 18    // where the tables begin
)

// An assembler writes the function for k lanes.
type assembler struct {
	*bytes.Buffer
	k    int
	l, r []string // the registers of each lane's halves
}

// expandAsm writes expandAsm1, expandAsm2 and so on, the assembly of expand1, expand2 and so on.
func expandAsm(b *bytes.Buffer) {
	b.WriteString("//go:build amd64 && !purego\n\n#include \"textflag.h\"\n")
	for k := 1; k <= lanes; k++ {
		a := assembler{Buffer: b, k: k}
		data := manyData
		if k <= few {
			data = fewData
		}
		for lane := range k {
			a.l = append(a.l, data[2*lane])
			a.r = append(a.r, data[2*lane+1])
		}
		a.function()
	}
}

func (a *assembler) op(format string, args ...any) { fmt.Fprintf(a, "\t"+format+"\n", args...) }

func (a *assembler) label(name string) { fmt.Fprintf(a, "\n%s:\n", name) }

// function writes the whole function. It can't be preempted: five lanes take 43 µs.
func (a *assembler) function() {
	fmt.Fprintf(a, "\n// func expandAsm%d(s *states)\n", a.k)
	fmt.Fprintf(a, "TEXT ·expandAsm%d(SB), NOSPLIT, $16-8\n", a.k)
	a.op("MOVQ s+0(FP), %s", states)
	a.op("MOVQ %s, next-8(SP)", states)
	a.op("LEAQ 64(%s), %s", states, index)
	a.op("MOVQ %s, end-16(SP)", index)
	if a.k <= few {
		a.op("MOVL $24, %s", top)
	}
	for lane := range a.k {
		a.op("XORL %s, %[1]s", a.l[lane])
		a.op("XORL %s, %[1]s", a.r[lane])
	}
	// A block leaves the halves in each other's registers; a second one gets them back.
	a.label("block")
	a.block("rounds0")
	a.op("LEAQ %d(%s), %s", stateSize, states, index)
	a.op("CMPQ %s, %s", sum, index)
	a.op("JEQ done")
	a.l, a.r = a.r, a.l
	a.block("rounds1")
	a.op("JMP block")
	a.label("done")
	a.op("RET")
}

// block encrypts one block in each lane, writes it to the state's next two words, and leaves the
// address behind them in sum. Four rounds make a loop: two such loops fit the cache of decoded
// operations, but two times sixteen rounds of five lanes do not.
func (a *assembler) block(loop string) {
	for lane := range a.k {
		a.op("XORL %d(%s), %s", stateSize*lane, states, a.l[lane])
	}
	a.op("MOVQ %s, %s", states, subkey)
	a.label(loop)
	a.rounds(4)
	a.op("ADDQ $16, %s", subkey)
	a.op("CMPQ %s, end-16(SP)", subkey)
	a.op("JNE %s", loop)
	a.op("MOVQ next-8(SP), %s", sum)
	for lane := range a.k {
		a.op("XORL %d(%s), %s", stateSize*lane+4*17, states, a.r[lane])
		a.op("MOVL %s, %d(%s)", a.r[lane], stateSize*lane, sum)
		a.op("MOVL %s, %d(%s)", a.l[lane], stateSize*lane+4, sum)
	}
	a.op("ADDQ $8, %s", sum)
	a.op("MOVQ %s, next-8(SP)", sum)
}

// rounds writes n rounds of all lanes, the first with the subkey after the current one.
func (a *assembler) rounds(n int) {
	for i := 1; i <= n; i++ {
		for lane := range a.k {
			x, y := a.l[lane], a.r[lane]
			if i%2 == 0 {
				x, y = y, x
			}
			a.op("XORL %d(%s), %s", stateSize*lane+4*i, subkey, y)
			a.lookups(lane, x)
			a.op("XORL %s, %s", sum, y)
		}
	}
}

// lookups leaves the round function of x in sum. With up to four lanes the processor waits for
// results, so the path from x to sum must be short: the top byte has its own shift. With five it is
// busy, so operations must be few: one shift serves both upper bytes. Each way was 3 to 17 % slower
// in the other case.
func (a *assembler) lookups(lane int, x string) {
	box := func(n int, i string) string {
		return fmt.Sprintf("%d(%s)(%s*4)", stateSize*lane+boxes+1024*n, states, i)
	}
	third, first := index, index
	if a.k <= few {
		third, first = index2, index2
		a.op("SHRXL %s, %s, %s", top, x, sum)
		a.op("RORXL $16, %s, %s", x, index)
		a.op("MOVBLZX %s, %s", index, third)
	} else {
		a.op("RORXL $16, %s, %s", x, sum)
		a.op("MOVBLZX %s, %s", sum, third)
		a.op("MOVBLZX BH, %s", sum)
	}
	a.op("MOVL %s, %s", box(0, sum), sum)
	a.op("ADDL %s, %s", box(1, third), sum)
	from := x
	if second[x] == "" {
		from = index
		a.op("MOVL %s, %s", x, index)
	}
	a.op("MOVBLZX %s, %s", second[from], index)
	a.op("XORL %s, %s", box(2, index), sum)
	a.op("MOVBLZX %s, %s", x, first)
	a.op("ADDL %s, %s", box(3, first), sum)
}
