// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The locking cliff: how much work between draws keeps 2 sockets from falling over the lock, and how much 4.

import (
	"errors"
	"math"
)

// A Cliff is the range of work between two draws in which one pool's lock serves 2 sockets and not 4: 2 sockets hold,
// as they give at least what one gives, and 4 fall over, as they give less than one.
type Cliff struct {
	FromNS float64 `json:"from_ns"` // of work: below it 2 sockets don't hold
	ToNS   float64 `json:"to_ns"`   // above it 4 hold too

	WorkNS  float64   `json:"work_ns"` // the middle of the range
	Ratios  []float64 `json:"ratios"`  // there, throughput of 1 to 4 sockets to that of one
	Waiting []float64 `json:"waiting"` // there, share of time
	PerNode []float64 `json:"per_node"`

	Curve []CliffPoint `json:"curve"` // from a tenth of the range's start to ten times its end
}

// A CliffPoint is the throughput of one pool at one amount of work.
type CliffPoint struct {
	WorkNS    float64   `json:"work_ns"`
	PerSecond []float64 `json:"draws_per_s"` // of 1, 2 and 4 sockets
}

// cliff finds it by bisection.
func (s *study) cliff(c Config) (f Cliff) {
	c.Draws = s.few()
	f.FromNS, f.ToNS = s.holds(c, 2), s.holds(c, 4)
	f.WorkNS = math.Sqrt(f.FromNS * f.ToNS)
	c.Work, c.Draws = f.WorkNS, s.o.Draws
	runs := s.on(c, patchSockets)
	f.Ratios = toFirst(runs)
	for _, run := range runs {
		f.Waiting = append(f.Waiting, run.Waiting)
	}
	c.Lock = Node
	f.PerNode = toFirst(s.on(c, patchSockets))
	c.Lock, c.Draws = Ticket, s.few()
	f.Curve = s.curve(c, f.FromNS/10, 10*f.ToNS)
	return f
}

// curve runs 25 amounts of work, at equal steps on a log scale.
func (s *study) curve(c Config, from, to float64) (list []CliffPoint) {
	const points = 25
	for i := range points {
		c.Work = from * math.Pow(to/from, float64(i)/(points-1))
		p := CliffPoint{WorkNS: c.Work}
		for _, run := range s.on(c, []int{1, 2, 4}) {
			p.PerSecond = append(p.PerSecond, run.PerSecond)
		}
		list = append(list, p)
	}
	return list
}

// holds is the least work at which so many sockets give what one gives.
func (s *study) holds(c Config, sockets int) float64 {
	work, ok := bisect(c.Section/10, mostWork*c.Section, 1, func(work float64) float64 {
		c.Work = work
		return toFirst(s.on(c, []int{1, sockets}))[1]
	})
	if !ok {
		s.fail(errors.New("no work between draws makes several sockets hold; use a shorter near line"))
	}
	return work
}
