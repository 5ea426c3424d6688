// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of rows and of the statistics of golang.org/x/perf as they are used here.

package lab

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

// The critical values of U for p < 0.05, two-sided: n = 4: 0, n = 5: 2 (H. B. Mann and D. R. Whitney, On a Test of Whether
// one of Two Random Variables is Stochastically Larger than the Other, 1947, table I; one-sided 0.025).
func TestDiffers(t *testing.T) {
	for _, test := range []struct {
		a, b Sample
		want bool
	}{
		{Sample{1, 2, 3}, Sample{7, 8, 9}, false}, // p = 0.1
		{Sample{1, 2, 3, 4}, Sample{7, 8, 9, 10}, true},
		{Sample{1, 2, 3, 7.5}, Sample{7, 8, 9, 10}, false}, // U = 1
		{Sample{1, 2, 3, 4, 7.5}, Sample{7, 8, 9, 10, 11}, true},
		{Sample{1, 2, 3, 4, 9.5}, Sample{7, 8, 9, 10, 11}, false}, // U = 3
		{Sample{5, 5, 5, 5, 5, 5}, Sample{5, 5, 5, 5, 5, 5}, false},
		{Sample{5, 5, 5, 5, 5, 5}, Sample{6, 6, 6, 6, 6, 6}, true},
		{nil, Sample{1, 2, 3, 4}, false},
		{nil, nil, false},
	} {
		if got := test.a.Differs(test.b); got != test.want {
			t.Errorf("%v differs from %v: %v, want %v", test.a, test.b, got, test.want)
		}
		if got := test.b.Differs(test.a); got != test.want {
			t.Errorf("%v differs from %v: %v, want %v", test.b, test.a, got, test.want)
		}
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
