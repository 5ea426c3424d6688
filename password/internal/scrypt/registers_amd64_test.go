// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 && gc && !purego

package scrypt

import (
	"testing"

	"fount/internal/chacha/registers"
)

// left reports whether a bit is set in the vector registers 0 to n-1 after call, before which all bits
// were. It tries a few times: should this goroutine lose its thread before they are read, they are
// another's.
func left(n int, call func()) bool {
	for range 5 {
		var z [32][64]byte
		if fastest() >= avx512 {
			registers.Fill512()
			call()
			registers.Read512(&z)
		} else {
			var y [16][32]byte
			registers.Fill256()
			call()
			registers.Read256(&y)
			for i := range y {
				copy(z[i][:], y[i][:])
			}
		}
		set := false
		for _, r := range z[:n] {
			set = set || r != [64]byte{}
		}
		if !set {
			return false
		}
	}
	return true
}

// The assembly leaves nothing of a block in the registers that it uses, and without it something is left.
func TestRegisters(t *testing.T) {
	var even, odd [blockWords]uint32
	both, table, state := [2 * blockWords]uint32{1, 2, 3}, [2 * blockWords]uint32{4, 5, 6}, [blockWords]uint32{7}
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
			if left(c.reach, c.call) {
				t.Error("bits are left in the vector registers")
			}
			if !left(c.reach, func() {}) {
				t.Error("registers that were filled were read as zero")
			}
		})
	}
}
