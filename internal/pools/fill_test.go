// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import "testing"

// Whether a clone was noticed is asked once, after the kernel has answered: of one
// in between the bytes may be the clone's too.
func TestFillAsksAfterTheKernel(t *testing.T) {
	for _, settles := range []bool{false, true} {
		var b, zero [64]byte
		asked := 0
		fillWhile(b[:], func() bool {
			if asked++; b == zero {
				t.Error("asked before the kernel had answered")
			}
			return settles
		})
		if asked != 1 {
			t.Errorf("asked %d times, want once", asked)
		}
	}
}
