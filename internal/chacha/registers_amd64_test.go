// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What the assembly leaves in the vector registers: nothing.

//go:build amd64 && gc && !purego

package chacha

import (
	"testing"

	"fount/internal/chacha/registers"
)

// A dump is Z0 to Z31, or Y0 to Y15 where there is no AVX-512.
type dump [32][64]byte

// around returns what is in the vector registers after call, all of whose bits were set before. Go clears
// the low half of X15 at each border between its code and assembly.
func around(call func()) (d dump) {
	if fastest() >= avx512vl {
		registers.Fill512()
		call()
		registers.Read512((*[32][64]byte)(&d))
		return d
	}
	var y [16][32]byte
	registers.Fill256()
	call()
	registers.Read256(&y)
	for i := range y {
		copy(d[i][:], y[i][:])
	}
	return d
}

// anySet reports whether a bit is set in registers from to below to.
func (d *dump) anySet(from, to int) bool {
	for _, r := range d[from:to] {
		if r != ([64]byte{}) {
			return true
		}
	}
	return false
}

// ever tries f a few times until it is true: should this goroutine lose its thread between call and
// Read512, the registers are another's.
func ever(f func() bool) bool {
	for range 5 {
		if f() {
			return true
		}
	}
	return false
}

// TestRegisters looks for set bits after each function, in the registers that its instructions can
// reach. All are set before it, and those it works with hold the key on the way.
func TestRegisters(t *testing.T) {
	key := randomKey(11)
	dst := make([]byte, 2048)
	for _, c := range []struct {
		level int32
		reach int
		name  string
		call  func()
	}{
		{avx512, 32, "fillAVX512, columns", func() { fillAVX512(&dst[0], 1024, &key, 0) }},
		{avx512, 32, "fillAVX512, 8 rows twice", func() { fillAVX512(&dst[0], 1000, &key, 0) }},
		{avx512, 32, "fillAVX512, columns and rows", func() { fillAVX512(&dst[0], 1100, &key, 0) }},
		{avx512, 32, "fillAVX512, 8 rows", func() { fillAVX512(&dst[0], 512, &key, 0) }},
		{avx512, 32, "fillAVX512, 4 rows", func() { fillAVX512(&dst[0], 256, &key, 0) }},
		{avx512, 32, "fillAVX512, rows in part", func() { fillAVX512(&dst[0], 1, &key, 0) }},
		{avx512vl, 32, "columnsVL", func() { columnsVL(&dst[0], 1024, &key, 0) }},
		{avx512vl, 16, "rowsVL", func() { rowsVL((*[256]byte)(dst), &key, 0) }},
		{avx2, 16, "columnsAVX2", func() { columnsAVX2(&dst[0], 1024, &key, 0) }},
		{avx2, 16, "rowsAVX2", func() { rowsAVX2((*[256]byte)(dst), &key, 0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			need(t, c.level)
			if !ever(func() bool { d := around(c.call); return !d.anySet(0, c.reach) }) {
				t.Error("bits are left in the vector registers")
			}
			// What it does not use shows that bits which are left would have been seen.
			if fastest() >= avx512vl && c.reach == 16 &&
				!ever(func() bool { d := around(c.call); return d.anySet(16, 32) }) {
				t.Error("no bit is left in registers 16 to 31, which it does not use")
			}
		})
	}
}

// TestRegistersControl shows that a bit left in any register is seen.
func TestRegistersControl(t *testing.T) {
	need(t, avx2)
	seen := func(i int) bool {
		return ever(func() bool { d := around(func() {}); return d.anySet(i, i+1) })
	}
	last := 16
	if fastest() >= avx512vl {
		last = 32
	}
	for i := range last {
		if !seen(i) {
			t.Errorf("register %d was filled and read as zero", i)
		}
	}
}
