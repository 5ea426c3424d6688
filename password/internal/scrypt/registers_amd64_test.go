// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 && gc && !purego

package scrypt

import (
	"math/rand/v2"
	"testing"

	"fount/internal/test/registers"
)

// The assembly leaves nothing of a block in the registers that it uses. Package chacha's tests show
// that what is left in any would be seen.
func TestRegisters(t *testing.T) {
	var t0, even, odd [blockWords]uint32
	var both, table [2 * blockWords]uint32
	for _, words := range [][]uint32{t0[:], both[:], table[:]} {
		for i := range words {
			words[i] = rand.Uint32() | 1 // so that no register is zero by chance
		}
	}
	eachLevel(t, func(t *testing.T) {
		call := func() { blocksAt(inUse, &t0, even[:], odd[:], both[:], table[:]) }
		if inUse > 0 && !registers.Clears(0, 10, call) {
			t.Error("bits are left in the vector registers")
		}
	})
}
