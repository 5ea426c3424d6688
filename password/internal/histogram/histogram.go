// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package histogram counts durations in fixed buckets, four to an octave. Their ends are powers of the fourth root of two, in
// seconds: those of Prometheus's native histograms of schema 2 and of OpenTelemetry's exponential ones of scale 2, so that
// neither has to guess where in a bucket a duration was.
package histogram

import (
	"math"
	"math/bits"
	"time"
)

// The buckets: the first ends at 2^-14 s, 61 µs, and the last but one at 2^7 s, 128 s. The last has no end.
const (
	Scale     = 2            // 2^Scale buckets to an octave
	Offset    = -14 << Scale // bucket i ends at 2^((i+Offset)/2^Scale) s
	Ends      = 21<<Scale + 1
	Buckets   = Ends + 1
	perOctave = 1 << Scale
)

// A Histogram counts durations. Its user sees to it that one goroutine at a time uses it.
type Histogram struct {
	Counts [Buckets]uint64 `json:"counts"`
	Sum    time.Duration   `json:"sum"`
}

// Note counts d.
func (h *Histogram) Note(d time.Duration) {
	h.Counts[Index(d)]++
	h.Sum += d
}

// Add returns what both have counted.
func (h Histogram) Add(o Histogram) Histogram {
	for i, n := range &o.Counts {
		h.Counts[i] += n
	}
	h.Sum += o.Sum
	return h
}

// Sub returns what was counted after o, an earlier h.
func (h Histogram) Sub(o Histogram) Histogram {
	for i, n := range &o.Counts {
		h.Counts[i] -= n
	}
	h.Sum -= o.Sum
	return h
}

// Quantile returns a duration that the share q of all, 0 to 1, does not exceed: the end of a bucket, so at most a fifth too
// high, and never below 61 µs. Above 128 s it is 128 s. It is 0 for an empty histogram.
func (h *Histogram) Quantile(q float64) time.Duration {
	n := h.Count()
	if n == 0 {
		return 0
	}
	rank := max(uint64(math.Ceil(q*float64(n))), 1)
	for i, n := range h.Counts[:Ends] {
		if n >= rank {
			return End(i)
		}
		rank -= n
	}
	return End(Ends - 1)
}

// Bounds returns where the buckets end, in seconds, but for the last, which has no end.
func Bounds() []float64 {
	bounds := make([]float64, Ends)
	for i := range bounds {
		bounds[i] = Seconds(i)
	}
	return bounds
}

// Count returns how many durations were added.
func (h *Histogram) Count() uint64 {
	var a, b uint64 // of two sums neither waits for the other
	for i := 0; i < Buckets; i += 2 {
		a += h.Counts[i]
		b += h.Counts[i+1]
	}
	return a + b
}

// Index returns the first bucket whose end is not below d.
func Index(d time.Duration) int {
	if d <= ends[0] {
		return 0
	}
	i := int(near[bits.Len64(uint64(d))])
	for i < Ends && d > ends[i] {
		i++
	}
	return i
}

// Seconds returns where bucket i ends, 0 to Ends-1.
func Seconds(i int) float64 {
	i += Offset
	return math.Ldexp(roots[i&(perOctave-1)], i>>Scale)
}

// End returns the longest duration of bucket i, 0 to Ends-1: where it ends, in whole nanoseconds.
func End(i int) time.Duration { return ends[i] }

// roots are the powers of the fourth root of two below 2.
var roots = [perOctave]float64{1, math.Sqrt2 / rootOfSqrt2, math.Sqrt2, math.Sqrt2 * rootOfSqrt2}

const rootOfSqrt2 = 1.18920711500272106671749997056047591529297209246381741301900222471946666822691715987078134453813767

// ends are the ends, and near is, for each length in bits, the first bucket that has durations of it.
var ends, near = func() (ends [Ends]time.Duration, near [65]uint8) {
	for i := range ends {
		ends[i] = time.Duration(Seconds(i) * 1e9)
	}
	i := 0
	for n := 1; n < len(near); n++ {
		for i < Ends && bits.Len64(uint64(ends[i])) < n {
			i++
		}
		near[n] = uint8(i)
	}
	return ends, near
}()
