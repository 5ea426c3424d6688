// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"math/bits"
	"time"
)

// The buckets of a histogram: four to an octave, from 64 µs on. The last one has
// no end. Their ends are at most a quarter apart, and so is a quantile from the
// true one.
const (
	octaves = 21 // to 134 s
	parts   = 4
	buckets = 1 + octaves*parts
	first   = 64 * time.Microsecond
)

type histogram struct {
	count [buckets]uint64
	sum   time.Duration
}

func (h *histogram) add(d time.Duration) {
	h.count[bucket(d)]++
	h.sum += d
}

// bucket returns the index of the first bucket whose end is not below d.
func bucket(d time.Duration) int {
	if d <= first {
		return 0
	}
	n := uint64(d-1) / uint64(first/parts) // in quarters of the first end: at least parts
	octave := bits.Len64(n) - 3            // n is in [4·2^octave, 8·2^octave)
	return min(1+octave*parts+int(n>>octave)-parts, buckets-1)
}

// end returns the end of bucket i, which belongs to it.
func end(i int) time.Duration {
	if i == 0 {
		return first
	}
	octave, part := (i-1)/parts, (i-1)%parts
	return first / parts << octave * time.Duration(parts+part+1)
}

// A Histogram is a snapshot of durations by bucket.
type Histogram struct {
	Count   uint64
	Sum     time.Duration
	Buckets []Bucket // that hold anything, in order
}

// A Bucket counts durations that are at most To and above the bucket before.
type Bucket struct {
	To    time.Duration
	Count uint64
}

func (h *histogram) snapshot() Histogram {
	s := Histogram{Sum: h.sum}
	for i, n := range h.count {
		if n > 0 {
			s.Count += n
			s.Buckets = append(s.Buckets, Bucket{end(i), n})
		}
	}
	return s
}
