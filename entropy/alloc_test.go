// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race

// Not under the race detector, whose instrumentation of the buffer allocates.

package entropy

import "testing"

func TestKernelDoesNotAllocate(t *testing.T) {
	Kernel(make([]byte, 1))
	draw := func() {
		var b [32]byte
		Kernel(b[:])
	}
	// What else runs in the process may allocate meanwhile; what Kernel
	// allocates it allocates each time.
	least := testing.AllocsPerRun(100, draw)
	for i := 0; i < 4 && least > 0; i++ {
		least = min(least, testing.AllocsPerRun(100, draw))
	}
	if least > 0 {
		t.Errorf("%v allocations", least)
	}
}
