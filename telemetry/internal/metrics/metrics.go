// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package metrics says what is told to libraries of metrics: each metric once, under Prometheus's names.
package metrics

import "fount/password"

// A Family is one metric: its name, and its values in a snapshot S.
type Family[S any] struct {
	Name, Help string
	Kind       Kind
	Labels     []string
	Of         func(S, *Output)
}

// A Kind is a metric's type.
type Kind int

// The kinds.
const (
	Counter Kind = iota
	Gauge
	Histogram
)

// Values has the values of a series' labels, in the family's order.
type Values [3]string

// An Output takes the values of one family.
type Output struct {
	Number    func(v float64, of Values)                       // of a counter or a gauge
	Durations func(first int, h password.Histogram, of Values) // of a histogram whose octaves begin at 2^first s
}

// Octaves are the buckets of those that want few: as many, 2^first to 2^(first+Octaves-1) s, and one without an end. They
// have the counts of a password.Histogram's buckets.
const (
	Octaves   = 13
	LongCalls = -8  // 3.9 ms to 16 s
	Lateness  = -14 // 61 µs to 250 ms
)

// ByOctave returns the counts of octaves that begin at 2^first s, with the one without an end: Octaves+1.
func ByOctave(first int, h password.Histogram) (counts [Octaves + 1]uint64) {
	for i, n := range h.Counts {
		counts[Octave(first, i)] += n
	}
	return counts
}

// Octave returns where ByOctave counts bucket i of a password.Histogram.
func Octave(first, i int) int {
	const per = 1 << password.HistogramScale
	end := i + password.HistogramOffset // the bucket ends at 2^(end/per) s
	octave := (end + per - 1) >> password.HistogramScale
	return min(max(octave-first, 0), Octaves)
}

func (o *Output) number(v float64, of ...string) {
	var values Values
	copy(values[:], of)
	o.Number(v, values)
}

// truth is 1 or 0.
func (o *Output) truth(v bool, of ...string) {
	if v {
		o.number(1, of...)
	} else {
		o.number(0, of...)
	}
}

func (o *Output) durations(first int, h password.Histogram, of ...string) {
	var values Values
	copy(values[:], of)
	o.Durations(first, h, values)
}
