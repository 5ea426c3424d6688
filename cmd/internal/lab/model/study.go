// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The study: the patch's table, and designs on up to 8 sockets.

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"fount/cmd/internal/lab"
)

// Study is fount bench model.
var Study = lab.Study{Name: "model", About: "locks on machines of several sockets, simulated (2015)", Time: 10 * time.Second, Run: run}

// Andi Kleen's patch of 2015, "Make /dev/urandom scalable", on a Xeon v3: the throughput of random
// bytes that all threads of 1 to 4 sockets draw in parallel, to that of one socket.
const published = "Andi Kleen's patch of 2015, 4 sockets of 18 cores with 2 threads"

var (
	onePool     = []float64{1, 0.75, 0.55, 0.42} // 4 sockets: over 80 % of the time waits
	poolPerNode = []float64{1, 2, 2.4, 3}
)

// patch is one socket of that machine. Only ratios are published, so that the section is the unit:
// every other time is to be read as a multiple of it.
var patch = Config{Sockets: 1, Cores: 18, Threads: 2, Lock: Ticket, Near: 25, Section: 3000, Work: 10000, Draws: 400_000, Seed: 1}

// What fount costs on the machine of docs/performance.md, which the designs are modelled with.
const (
	fountNonce  = 16.6  // ns for a 16-byte nonce
	fountNode   = 128   // ns for a draw on a node's pool, with its lock
	fountReseed = 65472 // nonces that a state makes of one such draw, on average
	stateLines  = 2     // cache lines of a state that a nonce touches: its counters and the bytes
	designWork  = 100   // ns that a thread does something else between two draws
)

func run(r *lab.Run) {
	base := patch
	if r.Quick {
		base.Draws /= 4
	}

	s := study{r}
	s.Note("Given: %d threads a socket, as published, %g ns for a near line, %g ns of work between two draws.",
		base.Cores*base.Threads, base.Near, base.Work)
	s.Note("Chosen with the published points in sight: a ticket lock, near lines first, %g ns for a draw under it.",
		base.Section)
	base.Far = s.far(base, Ticket)

	s.add(lab.Group{
		Name:      "The patch's table",
		Published: published,
		Columns:   []lab.Column{toOne, waiting, crossing, perSecond},
	}, base, []int{1, 2, 3, 4}, []line{
		{name: "one pool", then: onePool, set: func(*Config) {}}, // as base
		{name: "one number: 0.42^((n-1)/3)", then: onePool, law: func(n float64) float64 { return math.Pow(0.42, (n-1)/3) }},
		{name: "a pool per node", then: poolPerNode, set: func(c *Config) { c.Lock = Node }},
		{name: "a pool per node, one input pool", then: poolPerNode, set: s.fitFeed},
		{name: "one number: n/(1+(n-1)/9)", then: poolPerNode, law: func(n float64) float64 { return n / (1 + (n-1)/9) }},
		{name: "one pool, MCS lock", then: onePool, set: func(c *Config) {
			c.Lock = MCS
			c.Far = s.far(base, MCS)
		}},
	})

	s.add(lab.Group{
		Name:    "Designs: 16-byte draws with 100 ns between two, all threads of so many sockets",
		Columns: []lab.Column{perSecond, toOne, waiting},
	}, base, []int{1, 2, 4, 8}, []line{
		{name: "one state, ticket lock", set: nonces},
		{name: "one state, MCS lock", set: func(c *Config) {
			nonces(c)
			c.Lock = MCS
		}},
		{name: "a state per socket", set: func(c *Config) {
			nonces(c)
			c.Lock = Node
		}},
		{name: "fount: a state per thread", set: func(c *Config) {
			nonces(c)
			c.Lock = Node
			c.Section = fountNode
			c.Batch = fountReseed
			c.Work = fountReseed * (fountNonce + designWork)
		}},
	})
}

// nonces has c draw nonces.
func nonces(c *Config) {
	c.Section = fountNonce
	c.Work = designWork
	c.Lines = stateLines
}

// A study is one run. Where it fails or is interrupted, its figures mean nothing and are not shown.
type study struct{ *lab.Run }

// sockets runs c on each number of sockets, all at once.
func (s study) sockets(c Config, numbers []int) []Figures {
	figures := make([]Figures, len(numbers))
	errs := make([]error, len(numbers))

	var wait sync.WaitGroup
	for i, n := range numbers {
		wait.Go(func() {
			c := c
			c.Sockets = n
			figures[i], errs[i] = Simulate(s.Context, c)
		})
	}

	wait.Wait()
	s.Fail(errors.Join(errs...))
	return figures
}

// A line is a row for each number of sockets, simulated or by a law.
type line struct {
	name string
	then []float64 // as published
	set  func(*Config)
	law  func(sockets float64) (toOne float64)
}

// The columns of lines. A law has the first.
var (
	toOne     = lab.Column{Name: "to one socket"}
	waiting   = lab.Column{Name: "waiting"}
	crossing  = lab.Column{Name: "from another socket"}
	perSecond = lab.Column{Name: "draws/s", Unit: "op/s"}
)

// add adds a group of lines, all set from base, with a row for each number of sockets.
func (s study) add(g lab.Group, base Config, sockets []int, lines []line) {
	g.Origin = lab.Modelled
	g.X = "sockets"

	for _, l := range lines {
		if !s.Wants(g.Name, l.name) || s.Over() {
			continue
		}

		s.Show("%s: %s", g.Name, l.name)
		figures := s.figures(l, base, sockets)
		for i, n := range sockets {
			row := lab.Row{Name: fmt.Sprintf("%s, %d", l.name, n), X: float64(n), Base: len(g.Rows)}
			if l.then != nil {
				row.Then = l.then[i]
			}
			for _, c := range g.Columns {
				if v, ok := figures[i][c]; ok {
					row.Figures = append(row.Figures, lab.Once(v))
				}
			}
			g.Rows = append(g.Rows, row)
		}
	}

	if len(g.Rows) > 0 && !s.Over() {
		s.Add(g)
	}
}

// figures returns the figures of a line on each number of sockets.
func (s study) figures(l line, base Config, sockets []int) (list []map[lab.Column]float64) {
	if l.law != nil {
		for _, n := range sockets {
			list = append(list, map[lab.Column]float64{toOne: l.law(float64(n))})
		}
		return list
	}

	l.set(&base)
	runs := s.sockets(base, sockets)
	for _, f := range runs {
		list = append(list, map[lab.Column]float64{
			toOne:     f.PerSecond / runs[0].PerSecond,
			waiting:   f.Waiting,
			crossing:  f.Crossing,
			perSecond: f.PerSecond,
		})
	}
	return list
}

// four returns the throughput of 4 sockets, divided by that of one.
func (s study) four(c Config) float64 {
	c.Draws /= 2
	runs := s.sockets(c, []int{1, 4})
	return runs[1].PerSecond / runs[0].PerSecond
}

// far fits the cost of a far line: behind that lock 4 sockets then do as published of one pool.
func (s study) far(c Config, kind Lock) float64 {
	c.Lock = kind
	what := fmt.Sprintf("far line of the %s lock in ns", kind)
	return s.fit(what, c.Section/1000, 10*c.Section, onePool[3], func(far float64) float64 {
		c.Far = far
		return s.four(c)
	})
}

// fitFeed makes c a pool per node, and fits how many draws there are for each that takes from the
// input pool: 4 nodes then have the published throughput.
func (s study) fitFeed(c *Config) {
	c.Lock = Node
	d := *c
	c.FeedEvery = s.fit("number of draws a feed", 1, 1000, poolPerNode[3], func(every float64) float64 {
		d.FeedEvery = every
		return s.four(d)
	})
}

// fit returns x from lo to hi, to 0.1 %, at which f passes want, and notes it. f rises or falls.
func (s study) fit(what string, lo, hi, want float64, f func(x float64) float64) float64 {
	rises := f(hi) > want
	if f(lo) > want == rises {
		s.Fail(fmt.Errorf("no %s from %v to %v gives %v", what, lo, hi, want))
	}

	for hi/lo > 1.001 && !s.Over() {
		middle := math.Sqrt(lo * hi)
		if f(middle) > want == rises {
			hi = middle
		} else {
			lo = middle
		}
	}

	if !s.Over() {
		s.Note("Fitted to one point: %s: %.4g.", what, math.Sqrt(lo*hi))
	}
	return math.Sqrt(lo * hi)
}
