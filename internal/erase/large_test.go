// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package erase

import (
	"slices"
	"testing"
)

func TestLarge(t *testing.T) {
	for _, n := range []int{0, 1, piece/8 - 1, piece / 8, piece/8 + 1, 3*piece/8 + 5} {
		all := slices.Repeat([]uint64{7}, n+2)
		Large(all[1 : n+1])
		if all[0] != 7 || all[n+1] != 7 {
			t.Errorf("%d words: wrote outside", n)
		}
		for i, w := range all[1 : n+1] {
			if w != 0 {
				t.Fatalf("%d words: word %d is %d", n, i, w)
			}
		}
	}
}

func TestLargeOfWideValues(t *testing.T) {
	type wide [piece + 1]byte
	b := make([]wide, 2)
	b[0][5], b[1][piece] = 1, 1
	if Large(b); b[0] != (wide{}) || b[1] != (wide{}) {
		t.Error("values wider than a piece were not cleared")
	}
}
