// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package erase

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"fount/internal/turn"
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

// On one P another goroutine runs while much is wiped.
func TestLargeYields(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b := slices.Repeat([]uint64{7}, 4*turn.Looks*piece/8)
	var ran atomic.Bool
	go ran.Store(true)
	Large(b)
	if !ran.Load() {
		t.Error("nobody ran until all was wiped")
	}
}

// What Map gives is zero and its caller's, and gone when it is given back.
func TestMap(t *testing.T) {
	a, unmapA := Map[[1024]byte](3000)
	b, unmapB := Map[uint32](1)
	defer unmapB()
	if len(a) != 3000 || len(b) != 1 {
		t.Fatalf("%d and %d values, want 3000 and 1", len(a), len(b))
	}
	for i := range a {
		if a[i] != ([1024]byte{}) {
			t.Fatalf("value %d is not zero", i)
		}
		a[i][1023] = 1
	}
	if b[0] != 0 {
		t.Error("two Maps overlap")
	}
	unmapA()
}
