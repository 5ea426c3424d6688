// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the histogram against sorted slices.

package measure

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestHistogram(t *testing.T) {
	h := NewHistogram(2)
	for i := range 1000 {
		h.Add(time.Duration((i*373)%1000 + 1)) // 1 to 1000 ns, in disorder
	}
	for q, want := range map[float64]float64{0.001: 1, 0.05: 50, 0.5: 500, 0.99: 990, 0.999: 999} {
		if got := h.Quantile(q); math.Abs(got-want) > want/64 {
			t.Errorf("quantile %v of 1 to 1000 is %v, want %v", q, got, want)
		}
	}
	if h.Count() != 1000 || math.Abs(h.Max()-1000) > 1000/64 {
		t.Errorf("%d times, the longest %v; want 1000", h.Count(), h.Max())
	}
	for q, n := range map[float64]int{0.5: 2, 0.99: 100, 0.999: 1000} {
		few := NewHistogram(3)
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
	odd := NewHistogram(2)
	odd.Add(-5)
	odd.Add(1<<62 - 1)
	if low, high := odd.Quantile(0.5), odd.Max(); low != 1 || math.Abs(high/float64(time.Hour)-1) > 1.0/64 {
		t.Errorf("a negative time and one of a century count as %v and %v ns, want 1 and an hour", low, high)
	}
	if n := testing.AllocsPerRun(100, func() { h.Add(12345) }); n > 0 {
		t.Errorf("%v allocations to count a time", n)
	}
}

func FuzzQuantile(f *testing.F) {
	f.Add([]byte{1, 2, 3, 200, 255, 7}, 0.5)
	f.Add([]byte("\x01\x02\x03Ȃ6\xbcS\xa5OM\x1cJK5\u03826\xbc\xce\aD\xff\xf1"), 0.5) // 6 of 12: half a rank below was rank 5
	f.Fuzz(func(t *testing.T, data []byte, q float64) {
		if !(q > 0 && q < 1) || len(data) < 2 {
			t.Skip("no quantile")
		}
		h := NewHistogram(2)
		var sorted []float64
		for i := range len(data) / 2 {
			d := time.Duration(max(1, data[2*i])) << (data[2*i+1] % 30)
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
