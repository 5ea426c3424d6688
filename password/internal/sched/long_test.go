// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"os"
	"testing"
	"time"
)

// What a MaxWait of 300 ms costs hashes that are not short beside it, of the goodput at the same load with one of 2 s, for
// callers who wait a minute.
func TestLongHashes(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this simulates 32 loads of two minutes each, and shorter ones say nothing")
	}
	goodput := func(hashMS float64, lanes int, principals uint64, load float64, maxWait time.Duration) (part float64) {
		bubble(t, func(t *testing.T) {
			relative := oneLane
			if lanes > 1 {
				relative = lanesTime
			}
			l := newLab(t, Config{Workers: 2, MaxWait: maxWait, Lanes: lanes, Relative: relative})
			l.noise = l.lognormal(0.1)
			capacity := 2 * float64(lanes) / relative(lanes) * relative(1) * 1000 / hashMS
			const seconds = 120.0
			all := l.open(l.Do, arrivals{rate: load * capacity, lasts: seconds * time.Second,
				within: func() time.Duration { return time.Minute },
				make: func() *Task {
					k := task(hash)
					k.Units, k.Principal = hashMS, l.rng.Uint64N(principals)
					return k
				}})
			part = float64(count(all, verdict.good)) / (seconds * capacity)
		})
		return part
	}
	for _, c := range []struct {
		hashMS float64
		lanes  int
		least  [4]float64 // at the load 1 for one principal and for many, and at 3
	}{
		{50, 1, [4]float64{0.90, 0.92, 0.97, 0.97}}, {50, 5, [4]float64{0.93, 0.94, 0.97, 0.97}},
		{100, 1, [4]float64{0.86, 0.89, 0.97, 0.97}}, {100, 5, [4]float64{0.90, 0.92, 0.97, 0.97}},
		{250, 1, [4]float64{0.75, 0.79, 0.94, 0.95}}, {250, 5, [4]float64{0.70, 0.75, 0.90, 0.94}},
		{500, 1, [4]float64{0.68, 0.66, 0.91, 0.91}}, {500, 5, [4]float64{0.43, 0.45, 0.58, 0.64}},
	} {
		i := 0
		for _, load := range []float64{1, 3} {
			for _, principals := range []uint64{1, 1000} {
				short := goodput(c.hashMS, c.lanes, principals, load, 300*ms)
				long := goodput(c.hashMS, c.lanes, principals, load, 2*time.Second)
				t.Logf("%3.0f ms, %d lanes, load %.0f, %4d principals: %.2f of capacity with 300 ms, %.2f with 2 s: %.2f",
					c.hashMS, c.lanes, load, principals, short, long, short/long)
				if short/long < c.least[i] {
					t.Errorf("that is %.2f; want %.2f", short/long, c.least[i])
				}
				i++
			}
		}
	}
}
