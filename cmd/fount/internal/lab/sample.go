// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// What rounds of measurement say together.

import (
	"math"
	"slices"

	"fount/cmd/fount/internal/screen"
)

// A Sample is a method's cost in ns per nonce, one figure for each round, in the order of the rounds.
type Sample []float64

// Median is the middle value, NaN of an empty Sample.
func (s Sample) Median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	switch n := len(sorted); {
	case n == 0:
		return math.NaN()
	case n%2 == 0:
		return (sorted[n/2-1] + sorted[n/2]) / 2
	default:
		return sorted[n/2]
	}
}

// String is the median as the tables print it.
func (s Sample) String() string { return screen.NS(s.Median()) }

// Min is the least value, NaN of an empty Sample.
func (s Sample) Min() float64 { return s.extreme(slices.Min[Sample]) }

// Max is the greatest value, NaN of an empty Sample.
func (s Sample) Max() float64 { return s.extreme(slices.Max[Sample]) }

func (s Sample) extreme(of func(Sample) float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	return of(s)
}

// Minus is the difference round by round, of as many rounds as both have. What slows a whole round drops out of it.
func (s Sample) Minus(t Sample) Sample {
	d := make(Sample, min(len(s), len(t)))
	for i := range d {
		d[i] = s[i] - t[i]
	}
	return d
}

// Times is the Sample with every value multiplied by x.
func (s Sample) Times(x float64) Sample {
	p := slices.Clone(s)
	for i := range p {
		p[i] *= x
	}
	return p
}

// Interval is the narrowest symmetric interval of order statistics that holds the median of what was sampled with a
// probability of at least 95 %, whatever the distribution: from the k-th least to the k-th greatest value, where k is the
// largest number for which a fair coin falls heads fewer than k times, or tails fewer than k times, in at most 5 % of
// trials of n throws. (A Summary's may be narrower on one side.) With fewer than 6 values there is none, and ok is false.
func (s Sample) Interval() (lo, hi float64, ok bool) {
	n := len(s)
	k, tail := 0, 0.0 // tail: probability of fewer than k heads in n throws
	for c := math.Exp2(-float64(n)); 2*(tail+c) <= 0.05; k++ {
		tail += c
		c *= float64(n-k) / float64(k+1)
	}
	if k == 0 {
		return math.NaN(), math.NaN(), false
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[k-1], sorted[n-k], true
}
