// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build arm64 && gc && !purego

package argon2

import (
	"math/rand/v2"
	"testing"

	"fount/internal/test/registers"
)

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
		if !registers.Clears(0, 24, call) {
			t.Errorf("xor %v: bits are left in the vector registers", xor)
		}
		if !registers.Leaves(31, 32, call) {
			t.Errorf("xor %v: V31 was filled, not used, and read as zero", xor)
		}
	}
	for i := range 32 {
		if !registers.Leaves(i, i+1, func() {}) {
			t.Errorf("V%d was filled and read as zero", i)
		}
	}
}
