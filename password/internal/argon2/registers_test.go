// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build (amd64 || arm64) && gc && !purego

package argon2

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"fount/internal/test/registers"
)

// The assembly leaves nothing of a block in the registers that it uses. Package chacha's tests show
// that what is left in any would be seen.
func TestRegisters(t *testing.T) {
	var b [4]Block // with no word zero, so that none is in a register by chance
	for i := range b {
		for w := range b[i] {
			b[i][w] = rand.Uint64() | 1
		}
	}
	used := map[string][]int{"amd64": {0, 16, 32}, "arm64": {0, 24}}[runtime.GOARCH]
	eachLevel(t, func(t *testing.T) {
		for _, xor := range []bool{false, true} {
			call := func() { assembly(inUse, &b[0], &b[1], &b[2], xor, &b[3], nil) }
			if inUse > 0 && !registers.Clears(0, used[inUse], call) {
				t.Errorf("xor %v: bits are left in the vector registers", xor)
			}
		}
	})
}
