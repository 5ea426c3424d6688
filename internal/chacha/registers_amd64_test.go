// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What the assembly leaves in the vector registers: nothing.

//go:build amd64 && gc && !purego

package chacha

import (
	"testing"

	"fount/internal/test/registers"
)

// TestRegisters looks for set bits after each function, in the registers that its instructions can
// reach. All are set before it, and those it works with hold the key on the way.
func TestRegisters(t *testing.T) {
	top, _ := fastest()
	wide := top >= avx512vl
	key := randomKey(11)
	dst := make([]byte, 2048)
	for _, c := range []struct {
		level int32
		reach int
		name  string
		call  func()
	}{
		{avx512, 32, "columnsAVX512", func() { columnsAVX512(&dst[0], 2048, &key, 0) }},
		{avx512vl, 32, "columnsVL", func() { columnsVL(&dst[0], 1024, &key, 0) }},
		{avx512vl, 16, "rowsVL", func() { rowsVL((*[256]byte)(dst), &key, 0) }},
		{avx2, 16, "columnsAVX2", func() { columnsAVX2(&dst[0], 1024, &key, 0) }},
		{avx2, 16, "rowsAVX2", func() { rowsAVX2((*[256]byte)(dst), &key, 0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs(t, c.level)
			if !registers.Clears(0, c.reach, c.call) {
				t.Error("bits are left in the vector registers")
			}
			// What it does not use shows that bits which are left would have been seen.
			if wide && c.reach == 16 && !registers.Leaves(16, 32, c.call) {
				t.Error("no bit is left in registers 16 to 31, which it does not use")
			}
		})
	}
}

// TestRegistersControl shows that a bit left in any register is seen.
func TestRegistersControl(t *testing.T) {
	runs(t, avx2)
	top, _ := fastest()
	wide, last := top >= avx512vl, 16
	if wide {
		last = 32
	}
	for i := range last {
		if !registers.Leaves(i, i+1, func() {}) {
			t.Errorf("register %d was filled and read as zero", i)
		}
	}
}
