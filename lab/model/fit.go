// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// Fits: one parameter to one point.

import (
	"fmt"
	"math"
)

// The searches look for a far line of at most mostFar critical sections, and for work of at most mostWork.
const (
	mostFar  = 10
	mostWork = 3000
)

// bisect is the x from lo to hi, on a log scale, where f goes from one side of want to the other, to 0.1 %. ok is false
// if f(lo) and f(hi) lie on one side.
func bisect(lo, hi, want float64, f func(x float64) float64) (x float64, ok bool) {
	rises := f(hi) > want
	if f(lo) > want == rises {
		return 0, false
	}
	for hi/lo > 1.001 {
		middle := math.Sqrt(lo * hi)
		if f(middle) > want == rises {
			hi = middle
		} else {
			lo = middle
		}
	}
	return math.Sqrt(lo * hi), true
}

// calibrate is the far line in ns with which c on 4 sockets has the published throughput of one pool.
func (s *study) calibrate(c Config) float64 {
	one := s.on(c, []int{1})[0].PerSecond
	far, ok := bisect(c.Section/1000, mostFar*c.Section, onePool[3], func(far float64) float64 {
		c.Far = far
		return s.on(c, []int{4})[0].PerSecond / one
	})
	if !ok {
		s.fail(fmt.Errorf("no far line from %v to %v ns gives %v on 4 sockets; use another time of the critical section",
			c.Section/1000, mostFar*c.Section, onePool[3]))
	}
	return far
}

// fitFeed is the number of draws for each that takes from the input pool, with which a pool per node has the published
// throughput on 4 nodes.
func (s *study) fitFeed(c Config) float64 {
	c.Lock = Node
	every, ok := bisect(1, 1000, poolPerNode[3], func(every float64) float64 {
		c.FeedEvery = every
		return toFirst(s.on(c, []int{1, 4}))[1]
	})
	if !ok {
		s.fail(fmt.Errorf("no number of draws per feed from 1 to 1000 gives %v on 4 nodes; use a shorter far line",
			poolPerNode[3]))
	}
	return every
}

// A Section is a calibration at another time of the critical section.
type Section struct {
	NS     float64   `json:"section_ns"`
	FarNS  float64   `json:"far_ns"`
	Errors []float64 `json:"errors"` // 1 to 4 sockets
}

// sections calibrate at a fifth of the critical section to five times it.
func (s *study) sections() (list []Section) {
	for _, factor := range []float64{0.2, 0.5, 1, 2, 5} {
		c := s.o.config()
		c.Section *= factor
		c.Draws = s.few()
		c.Far = s.calibrate(c)
		r := s.row("", "", c, onePool)
		list = append(list, Section{c.Section, c.Far, r.Errors})
	}
	return list
}

// A Choice is what one of the model's choices, made another way, does to the rows: the far line and the input pool are
// fitted anew, to the same two points.
type Choice struct {
	Name      string    `json:"name"`
	FarNS     float64   `json:"far_ns"`
	FeedEvery float64   `json:"feed_every"`
	OnePool   []float64 `json:"one_pool"`      // 1 to 4 sockets
	PerNode   []float64 `json:"pool_per_node"` // with the input pool
	Errors    []float64 `json:"errors"`        // of OnePool to what is published
	NodeError []float64 `json:"node_errors"`
}

// choices are the model as it is, and with each choice made another way.
func (s *study) choices() (list []Choice) {
	for _, v := range []struct {
		name   string
		change func(*Config)
	}{
		{"as chosen", func(*Config) {}},
		{"a draw of half the time", func(c *Config) { c.Section /= 2 }},
		{"waiters fetch in random order", func(c *Config) { c.Random = true }},
		{"MCS hand-off", func(c *Config) { c.Lock = MCS }},
		{"constant times", func(c *Config) { c.Fixed = true }},
	} {
		c := s.o.config()
		c.Draws = s.few()
		v.change(&c)
		c.Far = s.calibrate(c)
		one := s.row("", "", c, onePool)
		fed := c
		fed.FeedEvery = s.fitFeed(c)
		fed.Lock = Node
		node := s.row("", "", fed, poolPerNode)
		list = append(list, Choice{v.name, c.Far, fed.FeedEvery, one.Modelled, node.Modelled, one.Errors, node.Errors})
	}
	return list
}

// few is the number of draws of a run in a search.
func (s *study) few() int64 { return max(s.o.Draws/4, 250) }
