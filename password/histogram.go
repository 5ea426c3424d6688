// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"math"
	"time"
)

// Bucket i ends at 2^(firstBucket+i/4) s: the first at 61 µs, the last but one at 128 s.
const (
	firstBucket = -14
	buckets     = 4*(7-firstBucket) + 2
)

// roots are the powers of the fourth root of two below 2.
var roots = [4]float64{1, math.Sqrt2 / rootOfSqrt2, math.Sqrt2, math.Sqrt2 * rootOfSqrt2}

const rootOfSqrt2 = 1.18920711500272106671749997056047591529297209246381741301900222

// A Histogram counts durations in 86 buckets. Their bounds double every four, from 61 µs to 128 s,
// as in Prometheus's native histograms of schema 2 and OpenTelemetry's exponential ones of scale 2.
type Histogram struct {
	// Counts[i] is of durations above bucket i-1, up to HistogramBounds()[i]; the last has no
	// bound.
	Counts [buckets]uint64 `json:"counts"`
	Sum    time.Duration   `json:"sum"` // of all durations
}

func (h *Histogram) record(d time.Duration) {
	h.Counts[bucket(d)]++
	h.Sum += d
}

// bucket returns the first bucket whose end is not below d.
func bucket(d time.Duration) int {
	i := math.Ceil(4 * (math.Log2(max(d, 1).Seconds()) - firstBucket))
	return min(max(int(i), 0), buckets-1)
}

// HistogramBounds returns the upper bounds of a Histogram's buckets but the last, in seconds.
func HistogramBounds() []float64 {
	bounds := make([]float64, buckets-1)
	for i := range bounds {
		bounds[i] = math.Ldexp(roots[i%4], firstBucket+i/4)
	}
	return bounds
}

// Add returns the sum of h and o.
func (h Histogram) Add(o Histogram) Histogram {
	for i, n := range &o.Counts {
		h.Counts[i] += n
	}
	h.Sum += o.Sum
	return h
}

// Count returns how many durations were counted.
func (h Histogram) Count() (n uint64) {
	for _, c := range &h.Counts {
		n += c
	}
	return n
}

// Quantile returns the upper bound of the bucket that has the quantile q, 0 to 1, such as 0.99: at
// most a fifth too high. It returns at least 61 µs and at most 128 s, or 0 if h is empty.
func (h Histogram) Quantile(q float64) time.Duration {
	all := h.Count()
	if all == 0 {
		return 0
	}

	rank := max(q*float64(all), 1)
	bounds := HistogramBounds()
	i := 0
	for n := h.Counts[0]; float64(n) < rank && i < len(bounds)-1; n += h.Counts[i] {
		i++
	}
	return time.Duration(bounds[i] * float64(time.Second))
}
