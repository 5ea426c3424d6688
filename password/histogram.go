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

// A Histogram counts durations in 86 buckets, whose ends double every four, from 61 µs to 128 s, as
// in Prometheus's native histograms of schema 2 and OpenTelemetry's exponential ones of scale 2.
type Histogram struct {
	// Counts[i] is of those above bucket i-1, up to HistogramBounds()[i]; the last has no end.
	Counts [buckets]uint64 `json:"counts"`
	Sum    time.Duration   `json:"sum"` // of all that were counted
}

// note counts d.
func (h *Histogram) note(d time.Duration) {
	h.Counts[bucket(d)]++
	h.Sum += d
}

// bucket returns the first bucket whose end is not below d.
func bucket(d time.Duration) int {
	fraction, exponent := math.Frexp(max(d, 1).Seconds()) // fraction is at least a half
	i := 4 * (exponent - 1 - firstBucket)
	for _, root := range roots {
		if 2*fraction > root {
			i++
		}
	}
	return min(max(i, 0), buckets-1)
}

// HistogramBounds returns the ends of all buckets of a Histogram but the last, in seconds.
func HistogramBounds() []float64 {
	bounds := make([]float64, buckets-1)
	for i := range bounds {
		bounds[i] = math.Ldexp(roots[i%4], firstBucket+i/4)
	}
	return bounds
}

// Add returns a histogram of all that h and o have counted.
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

// Quantile returns the quantile q, 0 to 1, such as 0.99: the end of its bucket, at most a fifth too
// high, so 61 µs for all that is shorter, and 128 s for all that is longer. It is 0 if h is empty.
func (h Histogram) Quantile(q float64) time.Duration {
	all := h.Count()
	if all == 0 {
		return 0
	}
	bounds, i, n := HistogramBounds(), 0, h.Counts[0]
	for rank := max(q*float64(all), 1); float64(n) < rank && i < len(bounds)-1; n += h.Counts[i] {
		i++
	}
	return time.Duration(bounds[i] * float64(time.Second))
}
