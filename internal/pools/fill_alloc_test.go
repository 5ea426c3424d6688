// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race

package pools

import "testing"

// Nothing that fills a seed may leave it on the heap.
func TestFillAllocates(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		var b [32]byte
		Fill(b[:])
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
