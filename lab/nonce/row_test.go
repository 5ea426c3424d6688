// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of rows and of the statistics of golang.org/x/perf as they are used here.

package nonce

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"
)

// The interval from the l-th least to the r-th least of n values misses the median in as many cases as n throws of a coin
// show fewer than l or at least r heads: in at most 5 %.
func TestSummary(t *testing.T) {
	for n := 6; n < 60; n++ {
		s := make(Sample, n)
		for i := range s {
			s[i] = float64((i*37 + 11) % 61) // 61 is prime: a permutation, so order matters
		}
		before := slices.Clone(s)
		got := s.Summary()
		if !slices.Equal(s, before) {
			t.Fatal("the sample was sorted: its order is that of the rounds")
		}
		sorted := slices.Sorted(slices.Values(s))
		l, r := slices.Index(sorted, got.Lo)+1, slices.Index(sorted, got.Hi)+1
		hits := new(big.Int)
		for i := l; i < r; i++ {
			hits.Add(hits, new(big.Int).Binomial(int64(n), int64(i)))
		}
		if all := new(big.Int).Lsh(big.NewInt(1), uint(n)); l == 0 || hits.Mul(hits, big.NewInt(20)).Cmp(all.Mul(all, big.NewInt(19))) < 0 {
			t.Errorf("n = %d: from the %d. to the %d. value is no 95 %% interval", n, l, r)
		}
		if got.Center != s.Median() {
			t.Errorf("n = %d: median %v, want %v", n, got.Center, s.Median())
		}
	}
	if got := (Sample{1, 2, 3, 4, 5}).Summary(); !math.IsInf(got.Lo, -1) && !math.IsInf(got.Hi, 1) {
		t.Errorf("5 values have the interval %v to %v, want none", got.Lo, got.Hi)
	}
}

// A docket compares each round with itself, either way round, and only what was entered and measured.
func TestDocket(t *testing.T) {
	row := func(m Method, cost Sample) Row { return Row{Method: m, Cost: cost} }
	slow := Sample{1, 3, 2, 5, 1, 4, 2} // the machine, round by round
	times := func(x float64, off ...float64) Sample {
		s := slow.Times(x)
		for i, o := range off {
			s[i] *= 1 + o
		}
		return s
	}
	rows := []Row{
		row(CryptoRand{}, times(10)), row(Fount{}, times(5, 0.01, -0.01, 0.02)), row(Strict{}, times(10, 0.3, -0.3, 0.2, -0.2)),
		row(MathRand{}, Sample{0, 0, 0, 0, 0, 0, 0}), row(Generator{}, nil), {Method: Empty{}, Err: errors.New("broken")},
	}
	d := EnterCosts(rows, rows)
	if d.Len() != 6 {
		t.Errorf("%d comparisons of four rows that were measured, want 6", d.Len())
	}
	for _, test := range []struct {
		a, b       Method
		less, more bool
	}{
		{Fount{}, CryptoRand{}, true, false}, {Fount{}, Strict{}, true, false}, {Strict{}, CryptoRand{}, false, false},
		{MathRand{}, Fount{}, true, false}, {Generator{}, Fount{}, false, false}, {Empty{}, Fount{}, false, false}, {Fount{}, Fount{}, false, false},
	} {
		a, b := test.a.Name(), test.b.Name()
		if less, more := d.Less(mean, a, b), d.Less(mean, b, a); less != test.less || more != test.more || d.Costs(a, b) != (less || more) {
			t.Errorf("%s is less than %s: %v, and the other way round %v; want %v, %v", a, b, less, more, test.less, test.more)
		}
	}
	if d.Less(core, "fount", "crypto/rand") {
		t.Error("a figure that was not entered is judged")
	}
	if got, want := d.ordered([]Row{rows[1], rows[0], rows[2]}), "fount, crypto/rand ~ fount.Strict"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
}

func TestRows(t *testing.T) {
	times := func(ns ...time.Duration) *Histogram {
		h := new(Histogram)
		for range 1000 {
			for _, d := range ns {
				h.Add(d)
			}
		}
		return h
	}
	broken := errors.New("broken")
	counted := []Result{
		{Method: CryptoRand{}, Costs: []Sample{nil, {10, 20}}, Runs: [][]Run{nil, {{Nonces: 5, CPU: 100}, {Nonces: 10, CPU: 100}}}},
		{Method: Fount{}, Err: broken},
		{Method: Strict{}, Costs: []Sample{nil, {1, 2}}, Runs: [][]Run{nil, {{Nonces: 5}, {Nonces: 10}}}},
	}
	timed := []Result{
		{Method: CryptoRand{}, Runs: [][]Run{nil, {{Draws: times(1, 2, 3), First: times(7)}, {Draws: times(4, 5, 6), First: times(8)}}}},
		{Method: Fount{}},
		{Method: Strict{}, Err: broken},
	}
	rows := Rows(counted, timed, 1)
	r := rows[0]
	for i, got := range []Sample{r.Cost, r.Core, r.P50, r.P99, r.First} {
		if want := []Sample{{10, 20}, {20, 10}, {2, 5}, {3, 6}, {7, 8}}[i]; !slices.Equal(got, want) {
			t.Errorf("figure %d is %v, want %v", i, []float64(got), []float64(want))
		}
	}
	if !slices.Equal(r.Drawn, []int{5, 10}) {
		t.Errorf("drawn %v", r.Drawn)
	}
	if rows[1].Err != broken || rows[2].Err != broken || rows[2].Cost != nil {
		t.Errorf("what failed once has rows %+v, %+v", rows[1], rows[2])
	}
	// Without a clock for the CPU and without timed draws there are no such figures.
	if r := Rows(counted, nil, 1)[2]; r.Core != nil || r.P50 != nil || r.First != nil || !slices.Equal(r.Cost, Sample{1, 2}) {
		t.Errorf("%+v", r)
	}
	// A figure that one run lacks is not there.
	timed[0].Runs[1][1].Draws = new(Histogram)
	if r := Rows(counted, timed, 1)[0]; r.P50 != nil {
		t.Errorf("p50 %v of two runs, of which one is empty", r.P50)
	}
}
