// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of rows and of what is said of them.

package measure

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// A docket compares each round with itself, either way round, and only what was entered and measured.
func TestDocket(t *testing.T) {
	slow := []float64{1, 3, 2, 5, 1, 4, 2} // the machine, round by round
	times := func(x float64, off ...float64) *Sample {
		s := Times(slow, x)
		for i, o := range off {
			s[i] *= 1 + o
		}
		return Of(s...)
	}
	rows := []Row{
		{Name: "std", NS: times(10)}, {Name: "half", NS: times(5, 0.01, -0.01, 0.02)}, {Name: "alike", NS: times(10, 0.3, -0.3, 0.2, -0.2)},
		{Name: "nothing", NS: Of(0, 0, 0, 0, 0, 0, 0)}, {Name: "absent"}, Failed(Method{Name: "broken"}, errors.New("broken")),
	}
	d := EnterCosts(rows, rows)
	if len(d.entries) != 6 {
		t.Errorf("%d comparisons of four rows that were measured, want 6", len(d.entries))
	}
	for _, test := range []struct {
		a, b       string
		less, more bool
	}{
		{"half", "std", true, false}, {"half", "alike", true, false}, {"alike", "std", false, false}, {"nothing", "half", true, false},
		{"absent", "half", false, false}, {"broken", "half", false, false}, {"half", "half", false, false},
	} {
		a, b := test.a, test.b
		if less, more := d.Less(Mean, a, b), d.Less(Mean, b, a); less != test.less || more != test.more || d.Costs(a, b) != (less || more) {
			t.Errorf("%s is less than %s: %v, and the other way round %v; want %v, %v", a, b, less, more, test.less, test.more)
		}
	}
	if d.Less("core", "half", "std") {
		t.Error("a figure that was not entered is judged")
	}
	if got, want := d.Ordered([]Row{rows[1], rows[0], rows[2]}), "half, std ~ alike (~: no measurable difference)"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
}

func TestRows(t *testing.T) {
	times := func(ns ...time.Duration) *Histogram {
		h := NewHistogram(2)
		for range 1000 {
			for _, d := range ns {
				h.Add(d)
			}
		}
		return h
	}
	broken := errors.New("broken")
	counted := []Result{
		{Costs: []*Sample{nil, Of(10, 20)}, Runs: [][]Run{nil, {{Values: 5, CPU: 100}, {Values: 10, CPU: 100}}}},
		{Err: broken},
		{Costs: []*Sample{nil, Of(1, 2)}, Runs: [][]Run{nil, {{Values: 5}, {Values: 10}}}},
	}
	timed := []Result{
		{Runs: [][]Run{nil, {{Draws: times(1, 2, 3), First: times(7)}, {Draws: times(4, 5, 6), First: times(8)}}}},
		{},
		{Err: broken},
	}
	rows := Rows(counted, timed, 1)
	r := rows[0]
	for i, got := range []*Sample{r.NS, r.CoreNS, r.P50NS, r.P99NS, r.FirstNS} {
		if want := [][]float64{{10, 20}, {20, 10}, {2, 5}, {3, 6}, {7, 8}}[i]; !slices.Equal(got.Values, want) {
			t.Errorf("figure %d is %v, want %v", i, got.Values, want)
		}
	}
	if !slices.Equal(r.Drawn, []int{5, 10}) {
		t.Errorf("drawn %v", r.Drawn)
	}
	if rows[1].Err != broken || rows[2].Err != broken || rows[2].NS != nil {
		t.Errorf("what failed once has rows %+v, %+v", rows[1], rows[2])
	}
	// Without a clock for the CPU and without timed draws there are no such figures.
	if r := Rows(counted, nil, 1)[2]; r.CoreNS != nil || r.P50NS != nil || r.FirstNS != nil || !slices.Equal(r.NS.Values, []float64{1, 2}) {
		t.Errorf("%+v", r)
	}
	// A figure that one run lacks is not there.
	timed[0].Runs[1][1].Draws = NewHistogram(2)
	if r := Rows(counted, timed, 1)[0]; r.P50NS != nil {
		t.Errorf("p50 %v of two runs, of which one is empty", r.P50NS)
	}
}
