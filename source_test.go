// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Source under both math/rand packages, alone and shared by goroutines.

import (
	mathrand "math/rand"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"
)

var (
	_ mathrand.Source64 = Source{}
	_ rand.Source       = Source{}
)

func TestSource(t *testing.T) {
	if size := unsafe.Sizeof(Source{}); size != 0 {
		t.Errorf("a Source has %d bytes, want 0", size)
	}
	var s Source
	balanced(t, "Source.Uint64", 64, s.Uint64)
	balanced(t, "Source.Int63", 63, func() uint64 { return uint64(s.Int63()) })
	v1, v2 := mathrand.New(Source{}), NewRand()
	for name, draw := range map[string]func() int{
		"math/rand Intn":   func() int { return v1.Intn(3) },
		"math/rand Int63n": func() int { return int(v1.Int63n(3)) },
		"NewRand IntN":     func() int { return v2.IntN(3) },
	} {
		if got := spread(3, draws(3), draw); got > limits[2] {
			t.Errorf("%s: chi-square %.1f, limit %.1f", name, got, limits[2])
		}
	}
}

// TestNewRandShared has the race detector watch one Rand in many goroutines, each
// of which calls several methods. Without the detector it still sees that no value
// comes twice.
func TestNewRandShared(t *testing.T) {
	const goroutines, rounds = 8, 100
	r := NewRand()
	values := make([][rounds]uint64, goroutines)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range values {
		wg.Go(func() {
			<-start
			for j := range rounds {
				values[i][j] = r.Uint64()
				r.NormFloat64()
				r.Perm(3)
			}
		})
	}
	close(start)
	wg.Wait()
	seen := map[uint64]bool{}
	for i := range values {
		for _, v := range values[i] {
			if seen[v] {
				t.Fatalf("%#x came twice", v)
			}
			seen[v] = true
		}
	}
}
