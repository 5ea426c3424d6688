// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The places of the interval's lower end in a table of the sign test, by number of rounds.
func TestOrderInterval(t *testing.T) {
	for n, place := range map[int]int{6: 1, 8: 1, 9: 2, 12: 3, 15: 4, 17: 5, 20: 6, 25: 8, 31: 10} {
		rounds := make([]float64, n)
		for i, k := range rand.Perm(n) {
			rounds[i] = float64(k + 1)
		}
		f := Of(rounds...)
		if f.Low == nil || *f.Low != float64(place) || *f.High != float64(n+1-place) || f.Value != float64(n+1)/2 {
			t.Errorf("%d rounds: %+v, want the places %d and %d", n, f, place, n+1-place)
		}
	}
	if f := Of(1, 2, 3, 4, 5); f.Low != nil || f.High != nil {
		t.Errorf("five rounds have an interval: %+v", f)
	}
	for _, odd := range []float64{math.NaN(), math.Inf(1)} {
		if f := Of(1, 2, odd); f != nil {
			t.Errorf("a figure with %v in it: %+v", odd, f)
		}
	}
}

// Figures for 5 and 0 of 10 of Brown, Cai and DasGupta, "Interval Estimation for a Binomial
// Proportion" (2001), as R's prop.test(correct=FALSE) gives them. What rounding and empty profiles
// make of shares has an interval too: within 0 and 1, with the share in it.
func TestWilson(t *testing.T) {
	for _, test := range []struct{ p, n, low, high float64 }{{0.5, 10, 0.2366, 0.7634}, {0, 10, 0, 0.2775}, {1, 10, 0.7225, 1}} {
		low, high := Wilson(test.p, test.n)
		if math.Abs(low-test.low) > 1e-4 || math.Abs(high-test.high) > 1e-4 {
			t.Errorf("Wilson(%v, %v) = %.4f, %.4f, want %.4f, %.4f", test.p, test.n, low, high, test.low, test.high)
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, p := range []float64{nan, -0.01, -1e-17, -1e-9, 0, 0.5, 1, 1 + 1e-12, inf} {
		for _, n := range []float64{nan, -1, 0, 5e-324, 0.5, 1, 2.5, 10, 1e12} {
			low, high := Wilson(p, n)
			in := max(0, min(p, 1))
			if !(0 <= low && low <= high && high <= 1) || p == p && (in < low || in > high) {
				t.Errorf("Wilson(%v, %v) = %v, %v", p, n, low, high)
			}
		}
	}
}
