// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the statistics.

package lab

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

func TestSample(t *testing.T) {
	for _, test := range []struct {
		s                Sample
		median, min, max float64
	}{
		{Sample{5}, 5, 5, 5},
		{Sample{5, 1}, 3, 1, 5},
		{Sample{9, 1, 5}, 5, 1, 9},
		{Sample{4, 1, 3, 2}, 2.5, 1, 4},
		{Sample{}, math.NaN(), math.NaN(), math.NaN()},
	} {
		before := slices.Clone(test.s)
		for i, got := range []float64{test.s.Median(), test.s.Min(), test.s.Max()} {
			want := []float64{test.median, test.min, test.max}[i]
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%v: median, min, max: %d is %v, want %v", test.s, i, got, want)
			}
		}
		if !slices.Equal(test.s, before) {
			t.Errorf("%v was changed to %v", before, test.s)
		}
	}
}

func TestMinus(t *testing.T) {
	got := Sample{10, 20, 30}.Minus(Sample{1, 2})
	if !slices.Equal(got, Sample{9, 18}) {
		t.Errorf("got %v, want [9 18]", got)
	}
	if s := (Sample{1, 2}); !slices.Equal(s.Times(3), Sample{3, 6}) || s[0] != 1 {
		t.Errorf("Times changed %v", s)
	}
}

// TestInterval counts the outcomes of n throws of a coin with whole numbers: the interval from the k-th least to the k-th
// greatest value misses the median in 2*sum(binomial(n, i), i < k) of 2^n cases, and k is the largest with at most 5 %.
func TestInterval(t *testing.T) {
	for n := range 100 {
		s := make(Sample, n)
		for i := range s {
			s[i] = float64((i*37 + 11) % 101) // 101 is prime: a permutation, so order matters
		}
		want := 0
		for k := 1; k <= n/2; k++ {
			misses := new(big.Int)
			for i := range k {
				misses.Add(misses, new(big.Int).Binomial(int64(n), int64(i)))
			}
			misses.Mul(misses, big.NewInt(2*20))
			if misses.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(n))) <= 0 {
				want = k
			}
		}
		lo, hi, ok := s.Interval()
		if ok != (want > 0) {
			t.Errorf("n = %d: ok %v, want %v", n, ok, want > 0)
			continue
		}
		sorted := slices.Sorted(slices.Values(s))
		if ok && (lo != sorted[want-1] || hi != sorted[n-want]) {
			t.Errorf("n = %d: %v to %v, want the values %d from the ends, %v to %v", n, lo, hi, want, sorted[want-1], sorted[n-want])
		}
	}
	// Spot values of the sign test's table (5 %, two-sided): W. J. Conover, Practical Nonparametric Statistics, the
	// interval for the median.
	for n, k := range map[int]int{6: 1, 9: 2, 15: 4, 20: 6, 31: 10} {
		s := make(Sample, n)
		for i := range s {
			s[i] = float64(i + 1)
		}
		if lo, hi, _ := s.Interval(); lo != float64(k) || hi != float64(n+1-k) {
			t.Errorf("n = %d: %v to %v, want %d to %d", n, lo, hi, k, n+1-k)
		}
	}
}
