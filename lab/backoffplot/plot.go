// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The plot: one panel for each case, one above the other.

import (
	"fmt"
	"time"

	"fount/lab/show/figure"
)

func plot(cases []*spread) ([]byte, error) {
	stack := figure.Stack{Title: fmt.Sprintf("%d,%03d clients fail together: when they retry (Base %d ms)",
		clients/1000, clients%1000, base.Milliseconds())}
	for _, s := range cases {
		stack.Panels = append(stack.Panels, panel(s))
	}
	return stack.SVG()
}

// panel draws one case: a column for each slot, a level for what was expected of it, and a dashed line at what is
// allowed.
func panel(s *spread) figure.Lines {
	l := figure.Lines{
		Title: fmt.Sprintf("%s: the fullest slot holds %.2f × the mean", s.title, float64(s.peak())/s.mean()),
		X:     figure.Axis{Label: s.axis, Min: ms(s.low), Max: ms(s.high)},
		Y: figure.Axis{Label: fmt.Sprintf("clients per %d ms", s.width().Milliseconds()),
			Max: 1.2 * max(float64(s.peak()), s.allowed*s.mean())},
	}
	columns := figure.Series{Name: "clients in the slot", Look: figure.Look{Color: figure.SkyBlue, Steps: true, Filled: true}}
	expected := figure.Series{Name: "expected if drawn perfectly", Look: figure.Look{Color: figure.Black, Steps: true}}
	for i := range len(s.counts) + 1 {
		at := ms(s.low + time.Duration(i)*s.width())
		l.X.Ticks = append(l.X.Ticks, figure.Tick{At: at, Label: fmt.Sprintf("%.0f", at)})
		last := min(i, len(s.counts)-1)
		columns.Points = append(columns.Points, figure.Point{X: at, Y: float64(s.counts[last])})
		expected.Points = append(expected.Points, figure.Point{X: at, Y: s.expected[last]})
	}
	l.Series = []figure.Series{columns, expected}
	if s.allowed != 0 {
		y := s.allowed * s.mean()
		l.Series = append(l.Series, figure.Series{
			Name:   fmt.Sprintf("allowed: %.4g × the mean", s.allowed),
			Look:   figure.Look{Color: figure.Vermilion, Dashed: true, Plain: true},
			Points: []figure.Point{{X: l.X.Min, Y: y}, {X: l.X.Max, Y: y}},
		})
	}
	return l
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
