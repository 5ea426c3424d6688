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

// TestSourceSeed: Seed neither repeats nor stops anything.
func TestSourceSeed(t *testing.T) {
	seen := map[uint64]bool{}
	for range 100 {
		var s Source
		s.Seed(1)
		v := s.Uint64()
		if seen[v] {
			t.Fatalf("%#x came twice after Seed(1)", v)
		}
		seen[v] = true
	}
}

// TestNewRandShared has the race detector watch one Rand in many goroutines, each
// of which calls every method. Without the detector it still sees that no value
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
				r.ExpFloat64()
				r.Float32()
				r.Float64()
				r.Int()
				r.Int32()
				r.Int32N(7919)
				r.Int64()
				r.Int64N(7919)
				r.IntN(7919)
				r.NormFloat64()
				r.Perm(3)
				r.Shuffle(3, func(i, j int) {})
				r.Uint()
				r.Uint32()
				r.Uint32N(7919)
				r.Uint64N(7919)
				r.UintN(7919)
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

func TestAllocationsSource(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector changes what escapes and what sync.Pool keeps")
	}
	v1, v2 := mathrand.New(Source{}), NewRand()
	for name, call := range map[string]func(){
		"Source.Uint64":    func() { Source{}.Uint64() },
		"Source.Int63":     func() { Source{}.Int63() },
		"math/rand Intn":   func() { v1.Intn(7919) },
		"NewRand().IntN":   func() { v2.IntN(7919) },
		"NewRand().Uint64": func() { v2.Uint64() },
	} {
		if got := testing.AllocsPerRun(1000, call); got != 0 {
			t.Errorf("%s: %v allocations, want 0", name, got)
		}
	}
}
