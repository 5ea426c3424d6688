// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race

// Not under the race detector, whose instrumentation of the buffer allocates.

package pools

import "testing"

func TestMixDoesNotAllocate(t *testing.T) {
	w := newWorld()
	w.constant = nil // the kernel itself
	p := w.pools(2)
	mixes := map[string]func(){
		"Mix":           func() { var b [keySize]byte; p.mix(&b) },
		"the first Mix": func() { clear(p.nodes); *p.arena = arena{}; var b [keySize]byte; p.mix(&b) },
	}
	for name, mix := range mixes {
		// What else runs in the process may allocate meanwhile; what Mix allocates it
		// allocates each time.
		least := testing.AllocsPerRun(100, mix)
		for i := 0; i < 4 && least > 0; i++ {
			least = min(least, testing.AllocsPerRun(100, mix))
		}
		if least > 0 {
			t.Errorf("%s: %v allocations", name, least)
		}
	}
}
