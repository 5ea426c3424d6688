// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// What rounds of measurement say together.

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"fount/internal/judge"
	"fount/lab/show"

	"golang.org/x/perf/benchmath"
)

// A Sample is a figure of each round and what they say together: the median with its 95 % interval, which fewer than 6 rounds
// do not have. Nil stands for a figure that was not measured.
type Sample struct {
	Median float64   `json:"median"`        // of ByRun, the mean of the runs' medians
	Low    *float64  `json:"low,omitempty"` // nil if there is no interval
	High   *float64  `json:"high,omitempty"`
	Values []float64 `json:"values"` // in the order of the rounds

	estimate *judge.Estimate // of ByRun
}

// Of sums up a figure of some rounds; nil of none. The interval is benchstat's, which assumes nothing about the distribution.
func Of(values ...float64) *Sample {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	s := &Sample{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Values: values}
	if low, high := ranks(n); low >= 0 {
		s.Low, s.High = &sorted[low], &sorted[high]
	}
	return s
}

// known are the ranks by number of values.
var known sync.Map

// ranks are the places of the interval's ends among n sorted values; low is -1 if there is none. They depend on n alone, and to
// find them takes some 10 µs.
func ranks(n int) (low, high int) {
	if r, ok := known.Load(n); ok {
		return r.([2]int)[0], r.([2]int)[1]
	}
	places := make([]float64, n)
	for i := range places {
		places[i] = float64(i)
	}
	low = -1
	sum := benchmath.AssumeNothing.Summary(benchmath.NewSample(places, &benchmath.DefaultThresholds), 0.95)
	if !math.IsInf(sum.Lo, 0) && !math.IsInf(sum.Hi, 0) {
		low, high = int(sum.Lo), int(sum.Hi)
	}
	known.Store(n, [2]int{low, high})
	return low, high
}

// Median is the middle of values in any order, 0 of none.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// ByRun sums up runs of so many rounds each, as package judge does; nil of no rounds.
func ByRun(values []float64, rounds int) *Sample {
	if len(values) == 0 {
		return nil
	}
	e := judge.Every(values, max(1, rounds)).Estimate()
	s := &Sample{Median: e.Center, Values: values, estimate: &e}
	if low, high, ok := e.Interval(); ok {
		s.Low, s.High = &low, &high
	}
	return s
}

// Estimate is what may be judged: of ByRun over those runs, else over up to ten runs that the rounds are put into.
func (s *Sample) Estimate() judge.Estimate {
	if s.estimate != nil {
		return *s.estimate
	}
	return judge.Split(s.Values).Estimate()
}

// Interval is the ends of the 95 % interval. ok is false if there is none.
func (s *Sample) Interval() (low, high float64, ok bool) {
	if s.Low == nil || s.High == nil {
		return 0, 0, false
	}
	return *s.Low, *s.High, true
}

// Min is the least value.
func (s *Sample) Min() float64 { return slices.Min(s.Values) }

// Max is the greatest value.
func (s *Sample) Max() float64 { return slices.Max(s.Values) }

// String is the median of times in ns, as tables print it: 48.3; "-" of nil.
func (s *Sample) String() string {
	if s == nil {
		return "-"
	}
	return show.NS(s.Median)
}

// Percent is how far the interval reaches from the median, as benchstat prints it: 2%; "-" if there is none.
func (s *Sample) Percent() string {
	if s == nil {
		return "-"
	}
	low, high, ok := s.Interval()
	if !ok {
		return "-"
	}
	return benchmath.Summary{Center: s.Median, Lo: low, Hi: high}.PctRangeString()
}

// Ratio is the median of ratios with its interval: 1.97 (1.95 to 1.98); "-" of nil.
func (s *Sample) Ratio() string {
	if s == nil {
		return "-"
	}
	return s.text(show.Ratio, math.Inf(-1))
}

// Count is the median of numbers of events with its interval: 48.3 (47.0 to 49.6); "-" of nil.
func (s *Sample) Count() string {
	if s == nil {
		return "-"
	}
	return s.text(show.NS, 0)
}

func (s *Sample) text(number func(float64) string, least float64) string {
	text := number(s.Median)
	if low, high, ok := s.Interval(); ok {
		text += fmt.Sprintf(" (%s to %s)", number(max(least, low)), number(high))
	}
	return text
}

// Minus is a-b, round by round, of as many rounds as both have. What slows a whole round drops out of it.
func Minus(a, b []float64) []float64 {
	return both(a, b, func(x, y float64) float64 { return x - y })
}

// Over is a/b, round by round, of as many rounds as both have.
func Over(a, b []float64) []float64 {
	return both(a, b, func(x, y float64) float64 { return x / y })
}

func both(a, b []float64, of func(x, y float64) float64) []float64 {
	list := make([]float64, min(len(a), len(b)))
	for i := range list {
		list[i] = of(a[i], b[i])
	}
	return list
}

// Times is x*a, round by round.
func Times(a []float64, x float64) []float64 {
	list := slices.Clone(a)
	for i := range list {
		list[i] *= x
	}
	return list
}
