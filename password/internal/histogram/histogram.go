// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package histogram counts durations in fixed buckets, four to an octave: those of Prometheus's
// native histograms of schema 2 and of OpenTelemetry's exponential ones of scale 2.
package histogram

import (
	"math"
	"time"
)

// Bucket i ends at 2^(first+i/4) s: the first at 61 µs, the last but one at 128 s. The last has no
// end.
const (
	first   = -14
	Buckets = 4*(7-first) + 2
)

// roots are the powers of the fourth root of two below 2.
var roots = [4]float64{1, math.Sqrt2 / rootOfSqrt2, math.Sqrt2, math.Sqrt2 * rootOfSqrt2}

const rootOfSqrt2 = 1.18920711500272106671749997056047591529297209246381741301900222

// A Histogram counts durations. Its user sees to it that one goroutine at a time uses it.
type Histogram struct {
	Counts [Buckets]uint64 `json:"counts"`
	Sum    time.Duration   `json:"sum"`
}

// Note counts d.
func (h *Histogram) Note(d time.Duration) {
	h.Counts[bucket(d)]++
	h.Sum += d
}

// bucket returns the first bucket whose end is not below d.
func bucket(d time.Duration) int {
	fraction, exponent := math.Frexp(max(d, 1).Seconds()) // fraction is at least a half
	i := 4 * (exponent - 1 - first)
	for _, root := range roots {
		if 2*fraction > root {
			i++
		}
	}
	return min(max(i, 0), Buckets-1)
}

// Bounds returns where the buckets end, in seconds, but for the last.
func Bounds() []float64 {
	bounds := make([]float64, Buckets-1)
	for i := range bounds {
		bounds[i] = math.Ldexp(roots[i%4], first+i/4)
	}
	return bounds
}

// Add returns what both have counted.
func (h Histogram) Add(o Histogram) Histogram {
	for i, n := range &o.Counts {
		h.Counts[i] += n
	}
	h.Sum += o.Sum
	return h
}

// Count returns how many durations were counted.
func (h *Histogram) Count() (n uint64) {
	for _, c := range &h.Counts {
		n += c
	}
	return n
}

// Quantile returns a duration that the share q of all, 0 to 1, does not exceed: the end of a
// bucket, so at most a fifth too high, never below 61 µs, and at most 128 s. It is 0 for an empty
// histogram.
func (h *Histogram) Quantile(q float64) time.Duration {
	all := h.Count()
	if all == 0 {
		return 0
	}
	bounds, i, n := Bounds(), 0, h.Counts[0]
	for rank := max(q*float64(all), 1); float64(n) < rank && i < len(bounds)-1; n += h.Counts[i] {
		i++
	}
	return time.Duration(bounds[i] * float64(time.Second))
}
