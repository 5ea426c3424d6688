// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// How long things took, in buckets.

import (
	"math"
	"time"

	"fount/password/internal/histogram"
)

// The buckets of a Histogram are the same in each, and in each release. Bucket i has the
// durations up to 2^((i+HistogramOffset)/4) seconds that are above those of bucket i-1: the
// first ends at 2^-14 s (61 µs), each of the others a fifth (19 %) after the one before it,
// the last but one at 128 s. The last has no end.
//
// They are the buckets of an exponential histogram of OpenTelemetry of scale 2, and of a
// native histogram of Prometheus of schema 2 with the zero threshold 2^-14. Every fourth ends
// at a power of two.
const (
	HistogramScale   = histogram.Scale   // 2: 2^2 buckets to an octave
	HistogramOffset  = histogram.Offset  // -56
	HistogramBuckets = histogram.Buckets // 86
)

// HistogramBounds returns where the buckets of a Histogram end, in seconds, but for the
// last, which has no end.
func HistogramBounds() []float64 {
	bounds := make([]float64, histogram.Ends)
	for i := range bounds {
		bounds[i] = histogram.Seconds(i)
	}
	return bounds
}

// A Histogram counts durations.
type Histogram struct {
	Count  uint64        `json:"count"`
	Sum    time.Duration `json:"sum"`
	Counts []uint64      `json:"counts"` // by bucket, all HistogramBuckets, also the empty ones; nil in the zero Histogram
}

// Quantile returns a duration that the share q of all, 0 to 1, does not exceed: the end
// of a bucket, so at most a fifth too high, and never below 61 µs. Above 128 s it is
// 128 s. It is 0 for an empty histogram.
func (h Histogram) Quantile(q float64) time.Duration {
	if h.Count == 0 {
		return 0
	}
	rank := max(uint64(math.Ceil(q*float64(h.Count))), 1)
	for i, n := range h.Counts[:histogram.Ends] {
		if n >= rank {
			return histogram.End(i)
		}
		rank -= n
	}
	return histogram.End(histogram.Ends - 1)
}

// Add returns the histogram of what both have counted.
func (h Histogram) Add(o Histogram) Histogram {
	return h.with(o, func(a, b uint64) uint64 { return a + b }, h.Sum+o.Sum)
}

// Sub returns the histogram of what was counted after o, an earlier snapshot of h.
func (h Histogram) Sub(o Histogram) Histogram {
	return h.with(o, func(a, b uint64) uint64 { return a - b }, h.Sum-o.Sum)
}

// include adds what o has counted to h, in place: h has all its counts to itself.
func (h *Histogram) include(o Histogram) {
	h.Count += o.Count
	h.Sum += o.Sum
	for i, n := range o.Counts {
		h.Counts[i] += n
	}
}

func (h Histogram) with(o Histogram, f func(a, b uint64) uint64, sum time.Duration) Histogram {
	r := Histogram{Count: f(h.Count, o.Count), Sum: sum, Counts: make([]uint64, HistogramBuckets)}
	copy(r.Counts, h.Counts)
	for i, n := range o.Counts {
		r.Counts[i] = f(r.Counts[i], n)
	}
	return r
}

func emptyHistogram() Histogram { return Histogram{Counts: make([]uint64, HistogramBuckets)} }

// histogramOf returns h, whose counts nothing changes any more, without copying them.
func histogramOf(h *histogram.Histogram) Histogram {
	return Histogram{Count: h.Count(), Sum: h.Sum, Counts: h.Counts[:]}
}
