// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// Percentiles of many short times, in memory that does not grow with their number.

import (
	"math"
	"math/bits"
	"time"
)

// A Histogram counts times in buckets: of 1 ns below 64 ns, of at most 1/32 (3 %) of the time above. To count a time
// takes 2 ns, and 5 KiB hold any number of them; a slice to be sorted would grow by 8 bytes for each, 1 MiB in a turn
// of 10 ms. The zero value is empty. One goroutine uses it.
type Histogram struct {
	counts [buckets]uint32
	n      uint64
}

const (
	fine    = 5                            // bits of a time that tell buckets of one power of two apart
	longest = 40                           // bits of the longest time, 18 minutes
	buckets = (longest - fine + 1) << fine // the first two rows, of 32 each, are those of 1 ns
)

// Add counts a time. A negative one, which no monotonic clock gives, counts as 0, and one above 18 minutes as 18 minutes.
func (h *Histogram) Add(d time.Duration) {
	h.counts[bucket(uint64(min(max(d, 0), 1<<longest-1)))]++
	h.n++
}

// bucket is the index of the bucket of a time in ns below 1<<longest: the place of its highest bit chooses the row, the
// five bits that follow it the bucket in the row.
func bucket(ns uint64) int {
	row := max(0, bits.Len64(ns)-fine-1)
	return row<<fine + int(ns>>row)
}

// middle is the middle of a bucket, in ns.
func middle(bucket int) float64 {
	row := max(0, bucket>>fine-1)
	low := uint64(bucket-row<<fine) << row
	return float64(low) + float64(uint64(1)<<row-1)/2
}

// Count is how many times have been counted.
func (h *Histogram) Count() uint64 { return h.n }

// Merge adds what another histogram has counted.
func (h *Histogram) Merge(other *Histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
	h.n += other.n
}

// Quantile is the time in ns that the share q of all times do not exceed, to 1.6 %. It is NaN if fewer times lie above
// than one: a hundred times have no 99.9th percentile.
func (h *Histogram) Quantile(q float64) float64 {
	if float64(h.n)*(1-q) < 1-1e-9 {
		return math.NaN()
	}
	rank := uint64(math.Ceil(q*float64(h.n) - 1e-9))
	var seen uint64
	for i, n := range h.counts {
		if seen += uint64(n); seen >= rank && seen > 0 {
			return middle(i)
		}
	}
	return math.NaN()
}
