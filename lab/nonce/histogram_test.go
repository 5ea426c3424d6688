// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the histogram against sorted slices.

package nonce

import (
	"math"
	"slices"
	"testing"
	"time"
)

// Buckets follow each other without a gap or an overlap, each holds its own middle, and none is wider than 1/32.
func TestBuckets(t *testing.T) {
	if got := bucket(1<<longest - 1); got != buckets-1 {
		t.Errorf("the longest time is in bucket %d, want the last, %d", got, buckets-1)
	}
	last := -1
	for ns := uint64(0); ns < 1<<14; ns++ {
		b := bucket(ns)
		if b != last && b != last+1 {
			t.Fatalf("%d ns is in bucket %d, %d ns in %d", ns, b, ns-1, last)
		}
		last = b
		if m := middle(b); math.Abs(m-float64(ns)) > float64(ns)/64 {
			t.Fatalf("the middle of the bucket of %d ns is %v", ns, m)
		}
		if ns < 64 && middle(b) != float64(ns) {
			t.Fatalf("%d ns is not kept exactly", ns)
		}
	}
	for bit := 14; bit < longest; bit++ {
		for _, ns := range []uint64{1 << bit, 1<<bit + 1, 1<<(bit+1) - 1} {
			b := bucket(ns)
			if m := middle(b); bucket(uint64(m)) != b || math.Abs(m-float64(ns)) > float64(ns)/64 {
				t.Errorf("the middle of the bucket of %d ns is %v", ns, m)
			}
		}
		if low, high := bucket(1<<bit-1), bucket(1<<bit); high != low+1 {
			t.Errorf("between %d and %d ns lie %d buckets", uint64(1)<<bit-1, uint64(1)<<bit, high-low)
		}
	}
}

func TestHistogram(t *testing.T) {
	var h, one, two Histogram
	for i := range 1000 {
		d := time.Duration((i*373)%1000 + 1) // 1 to 1000 ns, in disorder
		h.Add(d)
		[]*Histogram{&one, &two}[i%2].Add(d)
	}
	for q, want := range map[float64]float64{0.001: 1, 0.05: 50, 0.5: 500, 0.99: 990, 0.999: 999} {
		if got := h.Quantile(q); math.Abs(got-want) > want/64 {
			t.Errorf("quantile %v of 1 to 1000 is %v, want %v", q, got, want)
		}
	}
	one.Merge(&two)
	if one != h || one.Count() != 1000 {
		t.Error("two halves together are not the whole")
	}
	for q, n := range map[float64]int{0.5: 2, 0.99: 100, 0.999: 1000} {
		var few Histogram
		for range n - 1 {
			few.Add(5)
		}
		if got := few.Quantile(q); !math.IsNaN(got) {
			t.Errorf("quantile %v of %d times is %v, want NaN", q, n-1, got)
		}
		few.Add(5)
		if got := few.Quantile(q); got != 5 {
			t.Errorf("quantile %v of %d times is %v, want 5", q, n, got)
		}
	}
	var odd Histogram
	odd.Add(-5)
	odd.Add(1<<62 - 1)
	if odd.counts[0] != 1 || odd.counts[buckets-1] != 1 {
		t.Error("a negative time is not in the first bucket, or one of a century not in the last")
	}
	if n := testing.AllocsPerRun(100, func() { h.Add(12345) }); n > 0 {
		t.Errorf("%v allocations to count a time", n)
	}
}

func FuzzQuantile(f *testing.F) {
	f.Add([]byte{1, 2, 3, 200, 255, 7}, 0.5)
	f.Fuzz(func(t *testing.T, data []byte, q float64) {
		if !(q > 0 && q < 1) || len(data) < 2 {
			t.Skip("no quantile")
		}
		var h Histogram
		var sorted []float64
		for i := range len(data) / 2 {
			d := time.Duration(data[2*i]) << (data[2*i+1] % 30)
			h.Add(d)
			sorted = append(sorted, float64(d))
		}
		slices.Sort(sorted)
		got := h.Quantile(q)
		if math.IsNaN(got) {
			if float64(len(sorted))*(1-q) >= 1 {
				t.Errorf("quantile %v of %d times is NaN", q, len(sorted))
			}
			return
		}
		rank := int(math.Ceil(q*float64(len(sorted)) - 1e-9))
		if want := sorted[max(rank, 1)-1]; math.Abs(got-want) > want/64 {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	})
}

func BenchmarkHistogramAdd(b *testing.B) {
	var h Histogram
	for i := range b.N {
		h.Add(time.Duration(i * 7919 & (1<<20 - 1)))
	}
}
