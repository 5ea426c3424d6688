// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// What rounds say together.

import (
	"math"
	"slices"

	"fount/internal/judge"

	"golang.org/x/perf/benchmath"
)

// A Figure is the median of some rounds, with its 95 % interval, which fewer than 6 rounds don't have. Of a speedup
// and of stalls a second it is the mean of the runs' figures, with Student's interval over the runs (see package judge).
type Figure struct {
	Median float64   `json:"median"`
	Low    float64   `json:"low,omitempty"`
	High   float64   `json:"high,omitempty"`
	Values []float64 `json:"values"` // round by round

	estimate judge.Estimate // of runs
}

// newRuns sums runs of so many rounds up; nil if there are none.
func newRuns(values []float64, rounds int) *Figure {
	if len(values) == 0 {
		return nil
	}
	f := &Figure{Values: values, estimate: judge.Every(values, max(1, rounds)).Estimate()}
	f.Median = f.estimate.Center
	if low, high, ok := f.estimate.Interval(); ok {
		f.Low, f.High = low, high
	}
	return f
}

// newFigure sums the values up; nil if there are none.
func newFigure(values []float64) *Figure {
	if len(values) == 0 {
		return nil
	}
	sum := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), 0.95)
	f := &Figure{Median: sum.Center, Values: values}
	if !math.IsInf(sum.Lo, 0) && !math.IsInf(sum.Hi, 0) {
		f.Low, f.High = sum.Lo, sum.Hi
	}
	return f
}

// Interval is the ends, and whether there are any.
func (f *Figure) Interval() (low, high float64, ok bool) {
	return f.Low, f.High, f.High != 0 || f.Low != 0
}

// divided is a/b, round by round.
func divided(a, b []float64) []float64 {
	q := make([]float64, min(len(a), len(b)))
	for i := range q {
		q[i] = a[i] / b[i]
	}
	return q
}

// scaled is factor*a, round by round.
func scaled(a []float64, factor float64) []float64 {
	q := make([]float64, len(a))
	for i := range q {
		q[i] = factor * a[i]
	}
	return q
}

// minus is a-b, round by round.
func minus(a, b []float64) []float64 {
	d := make([]float64, min(len(a), len(b)))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}
