// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The sweep as a picture: goodput, and how late the rest of the process is, over the load.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"fount/lab/machine"
	"fount/lab/show/figure"
)

// ErrNoSweep is the error of SVG for a study that is not a sweep.
var ErrNoSweep = errors.New("the study is no sweep over the load")

// colors of the mechanisms, in the order of measuring.
var colors = []figure.Color{figure.Vermilion, figure.Orange, figure.Purple, figure.Blue, figure.BluishGreen}

// SVG draws a sweep that was measured on m.
func (s *Study) SVG(m machine.Facts) ([]byte, error) {
	base := s.capacityOf(Pool)
	if s.Name != sweepName || len(s.Runs) == 0 || base <= 0 {
		return nil, ErrNoSweep
	}
	load := figure.Axis{Label: "logins asked for, in multiples of what the pool does with one hash at a time"}
	good := figure.Lines{X: load, Y: figure.Axis{Label: "goodput: logins/s in time"}}
	late := figure.Lines{X: load, Y: figure.Axis{Label: "a 1 ms tick is late, p99 (ms)", Log: true}}
	most, low, high := base, 1.0, 1.0
	for i, mechanism := range s.mechanisms() {
		goodput := figure.Series{Name: mechanism, Look: figure.Look{Color: colors[i%len(colors)]}}
		tick := goodput
		for _, r := range s.Runs {
			if r.Config.Mechanism != mechanism {
				continue
			}
			x := r.Config.Rate / base
			good.X.Max = max(good.X.Max, 1.02*x)
			goodput.Points = append(goodput.Points, figure.Point{X: x, Y: r.Goodput})
			most = max(most, r.Goodput)
			if r.Heartbeat != nil && r.Heartbeat.P99 != nil {
				y := max(*r.Heartbeat.P99, 0.01)
				low, high = min(low, y), max(high, y)
				tick.Points = append(tick.Points, figure.Point{X: x, Y: y})
			}
		}
		good.Series = append(good.Series, goodput)
		if len(tick.Points) > 0 {
			late.Series = append(late.Series, tick)
		}
	}
	late.X.Max, good.Y.Max = good.X.Max, 1.1*most
	late.Y.Min, late.Y.Max = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(1.01*high)))
	end := min(good.X.Max, good.Y.Max/base)
	good.Series = append(good.Series, figure.Series{Name: "asked for",
		Look: figure.Look{Color: figure.Gray, Dashed: true, Plain: true}, Points: []figure.Point{{}, {X: end, Y: end * base}}})
	c := s.Runs[0].Config
	return figure.Stack{
		Title:  fmt.Sprintf("Logins answered within %v, bcrypt cost %d, as more are asked for", time.Duration(c.Deadline), c.Cost),
		Panels: []figure.Lines{good, late},
		Caption: []string{
			fmt.Sprintf("%s, GOMAXPROCS %d, %s. Poisson arrivals; latency counts from the intended start.", m.CPU, m.GOMAXPROCS, m.GoVersion),
			fmt.Sprintf("Load 1 is %.3g logins/s, what the pool does with one hash at a time on a core.", base),
		},
	}.SVG()
}

// capacityOf is the compares a second that a mechanism did, 0 if that was not measured.
func (s *Study) capacityOf(mechanism string) float64 {
	for _, c := range s.Capacity {
		if c.Mechanism == mechanism {
			return c.PerSecond
		}
	}
	return 0
}

// mechanisms are those that were measured, in the order of measuring.
func (s *Study) mechanisms() (names []string) {
	for _, r := range s.Runs {
		if !slices.Contains(names, r.Config.Mechanism) {
			names = append(names, r.Config.Mechanism)
		}
	}
	return names
}
