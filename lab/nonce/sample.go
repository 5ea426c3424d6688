// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// What rounds of measurement say together.

import (
	"math"
	"slices"

	"fount/internal/judge"
	"fount/lab/show"
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
func (s Sample) String() string { return show.NS(s.Median()) }

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

// estimate is what the rounds say of the figure together.
func (s Sample) estimate() judge.Estimate { return judge.Split(s).Estimate() }
