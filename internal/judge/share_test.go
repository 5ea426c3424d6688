// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package judge

import (
	"math"
	"testing"
)

// Wilson's interval: the figures for 5 of 10 and 0 of 10 are those of Brown, Cai and DasGupta, "Interval Estimation for a
// Binomial Proportion" (2001), as R's prop.test(correct=FALSE) gives them.
func TestWilson(t *testing.T) {
	for _, test := range []struct {
		k, n      int64
		low, high float64
	}{{5, 10, 0.2366, 0.7634}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {0, 0, 0, 1}} {
		low, high := Wilson(float64(test.k)/float64(test.n), float64(test.n))
		if math.Abs(low-test.low) > 1e-4 || math.Abs(high-test.high) > 1e-4 {
			t.Errorf("Wilson(%d, %d) = %.4f, %.4f, want %.4f, %.4f", test.k, test.n, low, high, test.low, test.high)
		}
	}
}

// What rounding and empty profiles make of shares has an interval, too: within 0 and 1, with the share in it.
func TestWilsonAtTheEdges(t *testing.T) {
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
