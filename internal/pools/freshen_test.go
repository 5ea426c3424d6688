// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package pools

import (
	"testing"

	"fount/entropy"
	"fount/internal/seam"
)

// Where kernel and pools say the same to two clones, the processor tells their next large
// seeds apart, and the time their next small ones.
func TestSeedsDifferWhereKernelAndPoolsDoNot(t *testing.T) {
	seam.SetRoute(seam.RouteZero)
	defer seam.SetRoute(seam.RouteKernel)
	var a, b [keySize + 2]byte
	freshen(a[:keySize], false)
	freshen(b[:keySize], false)
	if [8]byte(a[:]) == [8]byte{} || [8]byte(a[:]) == [8]byte(b[:]) {
		t.Errorf("with a kernel that says zeros alone two small seeds are %x and %x", a, b)
	}
	if [keySize - 6]byte(a[8:]) != [keySize - 6]byte{} {
		t.Errorf("with a kernel that says zeros alone a small seed is %x, want zeros after the time", a)
	}
	if !entropy.MixCPU(make([]byte, 8)) {
		t.Skip("this processor or build has no random numbers of its own")
	}
	clear(a[:])
	clear(b[:])
	freshen(a[:], true)
	freshen(b[:], true)
	for i := 0; i < keySize; i += 8 {
		if [8]byte(a[i:]) == [8]byte{} || [8]byte(a[i:]) == [8]byte(b[i:]) {
			t.Errorf("with a kernel that says zeros alone bytes %d to %d of two large seeds are %x and %x", i, i+7, a[i:i+8], b[i:i+8])
		}
	}
}

// Just after a clone the kernel may answer all clones alike: then every word has the processor's
// numbers in it, and at other times none has (the control).
func TestFillMixesTheProcessorAfterAClone(t *testing.T) {
	seam.SetRoute(seam.RouteZero)
	defer seam.SetRoute(seam.RouteKernel)
	have := entropy.MixCPU(make([]byte, 8))
	for _, settles := range []bool{false, true} {
		var b [64]byte
		fillWhile(b[:], func() bool { return settles })
		for i := 0; i < len(b); i += 8 {
			if mixed := [8]byte(b[i:]) != [8]byte{}; mixed != (settles && have) {
				t.Errorf("settling %v, a kernel that says zeros: bytes %d to %d are %x", settles, i, i+7, b[i:i+8])
			}
		}
	}
}
