// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// Percentiles of many times, in memory that does not grow with their number.

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A Histogram counts times from 1 ns to an hour in buckets. One goroutine uses it.
type Histogram struct{ h *hdrhistogram.Histogram }

const longest = time.Hour

// NewHistogram keeps times to so many decimal digits: 2 take 37 KiB, 3 take 300 KiB.
func NewHistogram(digits int) *Histogram {
	return &Histogram{hdrhistogram.New(1, int64(longest), digits)}
}

// Add counts a time. One below 1 ns counts as 1 ns, one above an hour as an hour.
func (h *Histogram) Add(d time.Duration) {
	if err := h.h.RecordValue(int64(min(max(d, 1), longest))); err != nil {
		panic(err) // the value is in range
	}
}

// Count is how many times have been counted.
func (h *Histogram) Count() int64 { return h.h.TotalCount() }

// Max is the longest time in ns, 0 if none has been counted.
func (h *Histogram) Max() float64 { return float64(h.h.Max()) }

// Quantile is the time in ns that the share q of all times does not exceed. It is NaN if less than
// one time lies above it: a hundred times have no 99.9th percentile.
func (h *Histogram) Quantile(q float64) float64 {
	n := float64(h.Count())
	if n*(1-q) < 1-1e-9 {
		return math.NaN()
	}
	rank := max(1, math.Ceil(q*n-1e-9))
	// The library rounds to the nearest rank: a quarter below it, either side has room.
	return float64(h.h.ValueAtPercentile((rank - 0.25) / n * 100))
}
