// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package histogram

import (
	"math"
	"math/big"
	"testing"
	"time"
)

// exceeds reports whether d is above 2^((i+Offset)/4) s, in whole numbers: the fourth powers are compared.
func exceeds(d time.Duration, i int) bool {
	left := new(big.Int).Exp(big.NewInt(int64(d)), big.NewInt(4), nil)
	right := new(big.Int).Exp(big.NewInt(1e9), big.NewInt(4), nil)
	if e := i + Offset; e >= 0 {
		right.Lsh(right, uint(e))
	} else {
		left.Lsh(left, uint(-e))
	}
	return left.Cmp(right) > 0
}

// Each bucket ends at the last whole nanosecond that is not above a power of the fourth root of two, and holds that.
func TestBuckets(t *testing.T) {
	for i := range Ends {
		d := End(i)
		if exceeds(d, i) || !exceeds(d+1, i) {
			t.Errorf("bucket %d ends at %d ns, which is not 2^(%d/4) s, rounded down", i, d, i+Offset)
		}
		if got, next := Index(d), Index(d+1); got != i || next != i+1 {
			t.Errorf("%d ns and one more are in the buckets %d and %d, want %d and %d", d, got, next, i, i+1)
		}
		if s := Seconds(i); math.Abs(s*1e9-float64(d)) > 1 {
			t.Errorf("bucket %d ends at %v s and at %d ns", i, s, d)
		}
	}
	for d, want := range map[time.Duration]int{
		math.MinInt64: 0, -1: 0, 0: 0, 1: 0, time.Second: -Offset, time.Second + 1: -Offset + 1,
		128 * time.Second: Ends - 1, 128*time.Second + 1: Ends, math.MaxInt64: Ends,
	} {
		if got := Index(d); got != want {
			t.Errorf("%v is in bucket %d, want %d", d, got, want)
		}
	}
	if End(0) != 61035 || Seconds(0) != 1.0/(1<<14) || Buckets != 86 {
		t.Errorf("the first of %d buckets ends at %v, %v s", Buckets, End(0), Seconds(0))
	}
}

// What is added is counted once, also what overflows.
func TestAdd(t *testing.T) {
	var h Histogram
	for _, d := range []time.Duration{1, time.Millisecond, time.Second, time.Hour} {
		h.Note(d)
	}
	if h.Count() != 4 || h.Sum != time.Hour+time.Second+time.Millisecond+1 || h.Counts[Ends] != 1 || h.Counts[0] != 1 {
		t.Errorf("%d durations of %v, %v", h.Count(), h.Sum, h.Counts)
	}
}

func BenchmarkAdd(b *testing.B) {
	var h Histogram
	d := time.Duration(1)
	for b.Loop() {
		h.Note(d)
		d = d*1664525 + 1013904223
		d &= 1<<36 - 1
	}
}
