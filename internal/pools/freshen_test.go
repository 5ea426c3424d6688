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
