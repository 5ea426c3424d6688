// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Do the methods make nonces, and leave nothing behind?

package nonce

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"fount/cmd/internal/lab/measure"
)

func all() []measure.Method {
	return append(Standard(), postMethods(cryptoRead)...)
}

// Of 100,000 nonces that 32 goroutines draw in pieces of changing length, none is zero and none
// comes twice; synctest fails if a goroutine is left after Close.
func TestMethods(t *testing.T) {
	for _, m := range all() {
		t.Run(m.Name, func(t *testing.T) {
			need(t, m)
			synctest.Test(t, func(t *testing.T) {
				src := opened(t, m)
				defer src.Close()
				halves := make([]uint64, 0, 100_000)
				for _, n := range draws(src, 32, cap(halves)) {
					halves = append(halves, binary.NativeEndian.Uint64(n[:]))
				}
				slices.Sort(halves)
				if halves[0] == 0 || len(slices.Compact(halves)) < cap(halves) { // by chance in 1 of 3 billion
					t.Error("half a nonce is zero or comes twice")
				}
			})
		})
	}
}

// Draws don't allocate: a collection would count as the method's cost, or its neighbour's.
func TestDrawsDoNotAllocate(t *testing.T) {
	for _, m := range postMethods(cryptoRead) {
		need(t, m)
		src := opened(t, m)
		w := src.Worker(0)
		if n := testing.AllocsPerRun(100, func() { w.Draw(64) }); n > 0 {
			t.Errorf("%s: %v allocations for 64 nonces, want 0", m.Name, n)
		}
		w.Close()
		src.Close()
	}
}

// need skips a test where this system lacks what a method needs.
func need(t *testing.T, m measure.Method) {
	if _, err := (measure.Plan{Workers: 1}).Measure(m); errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
}

func opened(t *testing.T, m measure.Method) measure.Source {
	src, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// draws takes n nonces from workers goroutines.
func draws(src measure.Source, workers, n int) []Nonce {
	nonces := make([]Nonce, n)
	var wg sync.WaitGroup
	for share := range slices.Chunk(nonces, n/workers) {
		wg.Go(func() {
			w := src.Worker(0).(*worker)
			defer w.Close()
			for n := 1; len(share) > 0; n = n%67 + 1 {
				piece := share[:min(n, len(share))]
				w.Fill(piece)
				share = share[len(piece):]
			}
		})
	}
	wg.Wait()
	return nonces
}
