// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Two studies as pictures: the sweep's goodput, and how late the rest of the process is, over the load; and the compares of
// the post's mechanisms over the callers.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"fount/lab/machine"
	"fount/lab/show/figure"
)

// ErrNoPicture is the error of SVG for a study that it can't draw.
var ErrNoPicture = errors.New("the study has no picture")

// colors of the mechanisms, in the order of measuring.
var colors = []figure.Color{figure.Vermilion, figure.Orange, figure.Purple, figure.Blue, figure.BluishGreen}

// SVG draws a study that was measured on m.
func (s *Study) SVG(m machine.Facts) ([]byte, error) {
	base := s.capacityOf(Pool)
	switch {
	case s.Name == callersName && len(s.Runs) > 0:
		return s.drawCallers(m)
	case s.Name == sweepName && len(s.Runs) > 0 && base > 0:
		return s.drawSweep(m, base)
	}
	return nil, ErrNoPicture
}

func (s *Study) drawSweep(m machine.Facts, base float64) ([]byte, error) {
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

// drawCallers draws the graph to the post: what it counted, and what the cores did.
func (s *Study) drawCallers(m machine.Facts) ([]byte, error) {
	callers := figure.Axis{Label: "callers", Log: true}
	counted := figure.Lines{X: callers, Y: figure.Axis{Label: "compares that ended in time to count"}}
	done := figure.Lines{X: callers, Y: figure.Axis{Label: "compares/s until the last ended"}}
	var posts []figure.Series // last: so that a mechanism has the same mark in both halves
	for i, mechanism := range s.mechanisms() {
		in := figure.Series{Name: mechanism, Look: figure.Look{Color: colors[i%len(colors)]}}
		until := in
		for _, r := range s.Runs {
			if r.Config.Mechanism != mechanism {
				continue
			}
			x := float64(r.Config.Callers)
			in.Points = append(in.Points, figure.Point{X: x, Y: float64(r.Compares)})
			counted.Y.Max = max(counted.Y.Max, 1.1*float64(r.Compares))
			if r.Finished != nil {
				until.Points = append(until.Points, figure.Point{X: x, Y: *r.Finished})
				done.Y.Max = max(done.Y.Max, 1.1**r.Finished)
			}
		}
		post := figure.Series{Name: "the post, " + mechanism, Look: figure.Look{Color: figure.Gray, Dashed: true}}
		for _, p := range postRuns {
			if p.mechanism == mechanism && (mechanism == MaxOut || p.workers == 2 || p.callers == 90) {
				post.Points = append(post.Points, figure.Point{X: float64(p.callers), Y: float64(p.compares)})
			}
		}
		counted.Series, posts = append(counted.Series, in), append(posts, post)
		if len(until.Points) > 0 {
			done.Series = append(done.Series, until)
		}
	}
	counted.Series = append(counted.Series, posts...)
	c := s.Runs[0].Config
	return figure.Stack{
		Title:  fmt.Sprintf("Compares in %v, bcrypt cost %d, as callers are added", c.Duration, c.Cost),
		Panels: []figure.Lines{counted, done},
		Caption: []string{
			fmt.Sprintf("%s, GOMAXPROCS %d, %s. buffered: a worker for each core, callers that fan in.", m.CPU, m.GOMAXPROCS, m.GoVersion),
			"The post: a Core 2 Duo; with 90 callers buffered had three workers. Compares under way when the clock stops are in the lower half alone.",
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
