// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What the assembly leaves in the vector registers: nothing that is secret.

//go:build arm64 && gc && !purego

package chacha

import (
	"testing"

	"fount/internal/test/registers"
)

// TestRegisters looks for set bits after fillNEON in V0 to V27, which hold key, state or keystream
// on the way. V31, which it does not use, shows that bits which are left would have been seen.
func TestRegisters(t *testing.T) {
	key := randomKey(11)
	var dst [1024]byte
	for _, n := range []int{256, 512, 1024} {
		call := func() { fillNEON(&dst[0], n, &key, 0) }
		for i := range 28 {
			if !registers.Clears(i, i+1, call) {
				t.Errorf("%d bytes: bits are left in V%d", n, i)
			}
		}
		if !registers.Leaves(31, 32, call) {
			t.Errorf("%d bytes: no bit is left in V31", n)
		}
	}
}

// TestRegistersControl shows that a bit left in any register is seen.
func TestRegistersControl(t *testing.T) {
	for i := range 32 {
		if !registers.Leaves(i, i+1, func() {}) {
			t.Errorf("V%d was filled and read as zero", i)
		}
	}
}

// TestKeyInDst lets the key lie anywhere in what is overwritten.
func TestKeyInDst(t *testing.T) {
	key := randomKey(12)
	var want [1024]byte
	reference(want[:], &key, 0)
	for at := range len(want) - len(key) + 1 {
		var dst [1024]byte
		copy(dst[at:], key[:])
		if fillNEON(&dst[0], len(dst), (*[32]byte)(dst[at:]), 0); dst != want {
			t.Fatalf("with the key at byte %d the keystream differs from x/crypto", at)
		}
	}
}
