// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build gc && !race && !purego && go1.26 && !go1.28

package shard

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// Each P that draws gets a state of its own, and keeps it.
func TestEachPHasItsState(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10000 {
				Uint64()
			}
		})
	}
	wg.Wait()
	owners := map[*State]int{}
	for p := range perP {
		s := perP[p].Load()
		if s == nil {
			continue
		}
		if q, ok := owners[s]; ok {
			t.Errorf("P %d and P %d have one state", p, q)
		}
		owners[s] = p
	}
	if len(owners) == 0 {
		t.Error("no P has a state")
	}
}

// More Ps than places: those beyond are served by the kernel itself.
func TestPsBeyondTheTable(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("starts over 1000 threads; set FOUNT_LONG=1 to run it")
	}

	const beyond = 16
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(maxP + beyond))

	var reached atomic.Int32
	var wg sync.WaitGroup
	for range maxP + beyond {
		wg.Go(func() {
			// Spin, so that every goroutine needs a P of its own to run on.
			for i := 0; i < 1e8 && reached.Load() == 0; i++ {
				p := procPin()
				procUnpin()
				if p < maxP {
					continue
				}

				var b [16]byte
				Read(b[:])
				if b == [16]byte{} || Uint64() == 0 {
					t.Error("a P beyond the table was served zeros")
				}
				reached.Add(1)
			}
		})
	}
	wg.Wait()

	if reached.Load() == 0 {
		t.Errorf("no goroutine ran on a P beyond %d", maxP)
	}

	for p := range perP {
		if s := perP[p].Load(); s != nil && s.left > Full {
			t.Errorf("P %d's state says %d bytes are left", p, s.left)
		}
	}
}
