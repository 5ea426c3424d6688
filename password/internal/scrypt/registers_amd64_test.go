// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 && gc && !purego

package scrypt

import (
	"math/rand/v2"
	"testing"

	"fount/internal/test/registers"
)

// The assembly leaves nothing of a block in the registers that it uses, and without it something is left.
func TestRegisters(t *testing.T) {
	var even, odd, state [blockWords]uint32
	var both, table [2 * blockWords]uint32
	for _, words := range [][]uint32{state[:], both[:], table[:]} { // with no word zero, so that no register is by chance
		for i := range words {
			words[i] = rand.Uint32() | 1
		}
	}
	for _, c := range []struct {
		level, reach int
		call         func()
	}{
		{avx, 10, func() { blocksAVX(&state[0], &even[0], &odd[0], &both[0], &table[0], 1) }},
		{avx512, 10, func() { blocksAVX512(&state[0], &even[0], &odd[0], &both[0], &table[0], 1) }},
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
