// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"math"
	"math/big"
	"testing"
	"time"
)

// exceeds reports whether d is above 2^(firstBucket+i/4) s, in whole numbers: the fourth powers are
// compared.
func exceeds(d time.Duration, i int) bool {
	left := new(big.Int).Exp(big.NewInt(int64(d)), big.NewInt(4), nil)
	right := new(big.Int).Exp(big.NewInt(1e9), big.NewInt(4), nil)
	if e := i + 4*firstBucket; e >= 0 {
		right.Lsh(right, uint(e))
	} else {
		left.Lsh(left, uint(-e))
	}
	return left.Cmp(right) > 0
}

// Each bucket ends at the last whole nanosecond that is not above a power of the fourth root of
// two.
func TestHistogramBuckets(t *testing.T) {
	for i, end := range HistogramBounds() {
		d := time.Duration(end * 1e9)
		if exceeds(d, i) || !exceeds(d+1, i) {
			t.Errorf("bucket %d ends at %d ns, which is not 2^(-14+%d/4) s, rounded down", i, d, i)
		}
		if got, next := bucket(d), bucket(d+1); got != i || next != i+1 {
			t.Errorf("%d ns and one more are in the buckets %d and %d, want %d and %d", d, got, next, i, i+1)
		}
	}
	for d, want := range map[time.Duration]int{
		math.MinInt64: 0, -1: 0, 0: 0, 1: 0, time.Second: 56, time.Second + 1: 57,
		128 * time.Second: 84, 128*time.Second + 1: 85, math.MaxInt64: 85,
	} {
		if got := bucket(d); got != want {
			t.Errorf("%v is in bucket %d, want %d", d, got, want)
		}
	}
}

// What is noted is counted once, also what overflows, and quantiles are ends of buckets.
func TestHistogram(t *testing.T) {
	var h Histogram
	if q := h.Quantile(0.5); q != 0 {
		t.Errorf("the median of nothing is %v", q)
	}
	for _, d := range []time.Duration{1, time.Second, time.Second, time.Hour} {
		h.note(d)
	}
	if h.Count() != 4 || h.Sum != time.Hour+2*time.Second+1 || h.Counts[85] != 1 || h.Counts[0] != 1 {
		t.Errorf("%d durations of %v, %v", h.Count(), h.Sum, h.Counts)
	}
	for q, want := range map[float64]time.Duration{0: 61035, 0.25: 61035, 0.26: time.Second, 0.75: time.Second, 1: 128 * time.Second} {
		if got := h.Quantile(q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
}
