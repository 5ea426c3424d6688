// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 && gc && !purego

package argon2

import (
	"math/rand/v2"
	"testing"

	"fount/internal/test/registers"
)

// The assembly leaves nothing of a block in the registers that it uses, and without it something is left.
func TestRegisters(t *testing.T) {
	var b [4][words]uint64 // with no word zero, so that none is in a register by chance
	for i := range b {
		for w := range b[i] {
			b[i][w] = rand.Uint64() | 1
		}
	}
	out, x, y, z := &b[0], &b[1], &b[2], &b[3]
	for _, c := range []struct {
		level, reach int
		call         func()
	}{
		{avx2, 16, func() { compressAVX2(out, x, y, true, z, nil) }},
		{avx512, 32, func() { compressAVX512(out, x, y, true, nil) }},
	} {
		t.Run(ladder[c.level], func(t *testing.T) {
			if c.level > fastest() {
				t.Skipf("this processor lacks %s", ladder[c.level])
			}
			if !registers.Clears(fastest() >= avx512, 0, c.reach, c.call) {
				t.Error("bits are left in the vector registers")
			}
			if !registers.Leaves(fastest() >= avx512, 0, c.reach, func() {}) {
				t.Error("registers that were filled were read as zero")
			}
		})
	}
}
