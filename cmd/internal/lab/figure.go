// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// Figures: of rounds, of what was counted once, and as text.

import (
	"fmt"
	"math"
	"slices"

	"fount/cmd/internal/lab/show"
)

// Of returns the figure of rounds. It is nil if there are none, or if one is no finite number.
func Of(rounds ...float64) *Figure {
	isNotFinite := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	if len(rounds) == 0 || slices.ContainsFunc(rounds, isNotFinite) {
		return nil
	}

	n := len(rounds)
	sorted := slices.Sorted(slices.Values(rounds))
	f := &Figure{Value: (sorted[(n-1)/2] + sorted[n/2]) / 2, Rounds: rounds}
	f.Low, f.High = f.interval(agree(n, 1))
	return f
}

// interval returns the ends of the interval of the sign test: of n rounds in order, round n+1-agree
// and round agree. They are nil if n is less than agree.
func (f *Figure) interval(agree int) (low, high *float64) {
	sorted := slices.Sorted(slices.Values(f.Rounds))
	if agree > len(sorted) {
		return nil, nil
	}
	return &sorted[len(sorted)-agree], &sorted[agree-1]
}

// Once returns the figure of a value that was counted or computed once. It is nil if v is no finite
// number.
func Once(v float64) *Figure {
	f := Of(v)
	if f != nil {
		f.Rounds = nil
	}
	return f
}

// Wilson returns the 95 % interval of a share that is p among n samples (Wilson, 1927). n need not
// be whole: samples of unequal weight count as fewer samples of equal weight.
func Wilson(p, n float64) (low, high float64) {
	const z = 1.96
	if !(n >= 0.5) || math.IsNaN(p) { // no sample: a whole one is 1, but for rounding
		return 0, 1
	}

	p = max(0, min(p, 1)) // sums round
	scale := 1 + z*z/n
	center := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	low = (center - half) / scale
	high = (center + half) / scale
	return max(0, min(p, low)), min(1, max(p, high)) // p is in it, whatever is rounded
}

// figure returns the row's figure in the column, or nil if it has none.
func (r Row) figure(column int) *Figure {
	if column >= len(r.Figures) {
		return nil
	}
	return r.Figures[column]
}

// published returns the row's published figure, or nil if there is none.
func (r Row) published() *Figure {
	if r.Then == 0 {
		return nil
	}
	return Once(r.Then)
}

// text returns the figure in a unit, or - if f is nil.
func (f *Figure) text(unit string) string {
	if f == nil {
		return "-"
	}
	isCount := unit == "" && len(f.Rounds) <= 1 && f.Low == nil && f.Value == math.Trunc(f.Value) && math.Abs(f.Value) < 1e9
	if isCount {
		return show.Count(int64(f.Value))
	}
	return show.Figure(f.Value, unit)
}

// spread returns how far the interval reaches from the figure, or - if there is none.
func (f *Figure) spread() string {
	switch {
	case f == nil || f.Low == nil:
		return "-"
	case f.Value == 0 && *f.High == 0:
		return "0"
	case f.Value == 0:
		return "< " + Once(*f.High).text("")
	}
	reach := max(*f.High-f.Value, f.Value-*f.Low)
	return fmt.Sprintf("±%.0f%%", 100*reach/math.Abs(f.Value))
}
