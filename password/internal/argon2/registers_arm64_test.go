// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build arm64 && gc && !purego

package argon2

import (
	"math/rand/v2"
	"testing"

	"fount/internal/chacha/registers"
)

// left reports whether a bit is set in the vector registers from first to last after call, before which
// all bits were. It tries a few times: should this goroutine lose its thread before they are read, they are
// another's.
func left(first, last int, call func()) bool {
	for range 5 {
		var v [32][16]byte
		registers.Fill()
		call()
		registers.Read(&v)
		set := false
		for _, r := range v[first : last+1] {
			set = set || r != [16]byte{}
		}
		if !set {
			return false
		}
	}
	return true
}

// The assembly leaves nothing of a block in V0 to V23, and without it bits are left in each. In V31, which
// it does not use, they are left with it, too.
func TestRegisters(t *testing.T) {
	var b [4][words]uint64 // with no word zero, so that none is in a register by chance
	for i := range b {
		for w := range b[i] {
			b[i][w] = rand.Uint64() | 1
		}
	}
	out, x, y, z := &b[0], &b[1], &b[2], &b[3]
	for _, xor := range []bool{false, true} {
		call := func() { compressNEON(out, x, y, xor, z, nil) }
		if left(0, 23, call) {
			t.Errorf("xor %v: bits are left in the vector registers", xor)
		}
		if !left(31, 31, call) {
			t.Errorf("xor %v: V31 was filled, not used, and read as zero", xor)
		}
	}
	for i := range 32 {
		if !left(i, i, func() {}) {
			t.Errorf("V%d was filled and read as zero", i)
		}
	}
}
