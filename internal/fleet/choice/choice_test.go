// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package choice

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestView(t *testing.T) {
	at := time.Now()
	v := View{Heard: at, Wait: 50 * time.Millisecond, Mine: 20 * time.Millisecond}
	for after, want := range map[time.Duration]time.Duration{0: 70 * time.Millisecond, 30 * time.Millisecond: 40 * time.Millisecond, time.Second: 0} {
		if got := v.Now(at.Add(after)); got != want {
			t.Errorf("after %v the wait is %v; want %v", after, got, want)
		}
	}
	if v.Missing(at.Add(Quiet)) || !v.Missing(at.Add(Quiet+1)) {
		t.Errorf("a worker is not gone just after %v", Quiet)
	}
	for _, gone := range []View{{Heard: at, Gone: true}, {Heard: at, Draining: true}, {}} {
		if gone.Fresh(at) {
			t.Errorf("%+v may be chosen", gone)
		}
	}
}

// Each pair is drawn equally often, and none is drawn twice.
func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const runs = 60_000
	pairs := map[[2]int]int{}
	for range runs {
		got := Draw([]int{0, 1, 2, 3}, 2, rng.IntN)
		slices.Sort(got)
		pairs[[2]int(got)]++
	}
	for pair, n := range pairs { // 6 pairs; the standard deviation is 91
		if pair[0] == pair[1] || n < runs/6-500 || n > runs/6+500 {
			t.Errorf("%v is drawn %d times of %d", pair, n, runs)
		}
	}
	if len(pairs) != 6 {
		t.Errorf("%d pairs; want 6", len(pairs))
	}
	if got := Draw([]int{7}, 2, rng.IntN); len(got) != 1 {
		t.Errorf("of one candidate %d are drawn", len(got))
	}
}

func TestBest(t *testing.T) {
	of := func(d time.Duration) time.Duration { return d % 10 }
	if best, ok := Best([]time.Duration{15, 12, 22, 13}, of); !ok || best != 12 {
		t.Errorf("%v, %v; want the first of the least", best, ok)
	}
	if _, ok := Best(nil, of); ok {
		t.Error("the best of none")
	}
}
