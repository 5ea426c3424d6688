// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The study: the patch's table, what the model's choices do to it, the locking cliff, and designs on up to 8 sockets.

import (
	"fmt"
	"math"
	"sync"
	"time"

	"fount/lab"
)

// Study is fount bench model.
var Study = lab.Study{Name: "model", About: "locks on machines of several sockets, simulated (2015)", Time: 15 * time.Second, Run: run}

// Andi Kleen's patch of 2015, "Make /dev/urandom scalable", on a Xeon v3: the throughput of random bytes that all threads of 1
// to 4 sockets draw in parallel, to that of one socket.
const published = "Andi Kleen's patch of 2015, 4 sockets of 18 cores with 2 threads"

var (
	patchSockets = []int{1, 2, 3, 4}
	onePool      = []float64{1, 0.75, 0.55, 0.42} // over 80 % of the CPU time of 4 sockets waits for it
	poolPerNode  = []float64{1, 2, 2.4, 3}
)

// patch is one socket of that machine. Only ratios are published, so that the section is the unit: every other time is to be
// read as a multiple of it.
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
	s := &study{Run: r}
	for _, part := range []func(Config){s.table, s.choices, s.cliff, s.designs} {
		if part(base); r.Over() {
			return
		}
	}
}

// A study is one run. Where it fails or is interrupted, its figures mean nothing and are not shown.
type study struct {
	*lab.Run
	fits map[Config]Config
}

// sockets runs c on each number of sockets, all at once.
func (s *study) sockets(c Config, numbers []int) []Figures {
	figures, errs := make([]Figures, len(numbers)), make([]error, len(numbers))
	var wait sync.WaitGroup
	for i, n := range numbers {
		wait.Go(func() {
			c := c
			c.Sockets = n
			figures[i], errs[i] = Simulate(s.Context, c)
		})
	}
	wait.Wait()
	for _, err := range errs {
		s.Fail(err)
	}
	return figures
}

// ratios are the throughput of each run to that of the first.
func ratios(runs []Figures) (list []float64) {
	for _, f := range runs {
		list = append(list, f.PerSecond/runs[0].PerSecond)
	}
	return list
}

// add adds a group of modelled figures, each computed once.
func (s *study) add(g lab.Group) {
	if g.Origin = lab.Modelled; !s.Over() {
		s.Add(g)
	}
}

// wants reports whether --only asks for a group.
func (s *study) wants(group string, rows ...string) bool {
	for _, row := range rows {
		if s.Wants(group, row) {
			s.Show("%s", group)
			return !s.Over()
		}
	}
	return false
}

// line is a row for each number of sockets.
func line(name string, place int, runs []Figures, then []float64) (rows []lab.Row) {
	for i, f := range runs {
		row := lab.Row{Name: fmt.Sprintf("%s, %d", name, f.Sockets), X: float64(f.Sockets), Base: place + i,
			Figures: []*lab.Figure{lab.Once(f.PerSecond / runs[0].PerSecond), lab.Once(f.Waiting), lab.Once(f.Crossing), lab.Once(f.PerSecond)}}
		if then != nil {
			row.Then = then[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// lineColumns are the columns of line's rows.
var lineColumns = []lab.Column{{Name: "to one socket"}, {Name: "waiting"}, {Name: "from another socket"}, {Name: "draws/s", Unit: "op/s"}}

// table is the patch's two rows, the second in two versions, and a control: a lock whose handover does not grow.
func (s *study) table(base Config) {
	const name = "The patch's table: fitted on 4 sockets to one pool and to an input pool, with the other points in sight"
	lines := []struct {
		name string
		set  func(*Config)
		then []float64
	}{
		{"one pool", func(c *Config) { s.calibrate(c) }, onePool},
		{"a pool per node", func(c *Config) { s.calibrate(c); c.Lock = Node }, poolPerNode},
		{"a pool per node, one input pool", func(c *Config) { s.calibrate(c); s.fitFeed(c) }, poolPerNode},
		{"one pool, MCS lock", func(c *Config) { c.Lock = MCS; s.calibrate(c) }, onePool},
	}
	g := lab.Group{Name: name, X: "sockets", Published: published, Columns: lineColumns}
	for _, l := range lines {
		if s.wants(name, l.name) {
			c := base
			l.set(&c)
			g.Rows = append(g.Rows, line(l.name, len(g.Rows), s.sockets(c, patchSockets), l.then)...)
		}
	}
	s.add(g)
}

// choices are the model as it is, and with each choice made another way: the far line and the input pool are fitted anew.
func (s *study) choices(base Config) {
	const name = "What each choice does to the points that are not fitted: one pool, published 0.75 and 0.55; pools, 2 and 2.4"
	g := lab.Group{Name: name}
	for _, column := range []string{"one pool, 2", "3 sockets", "pools, 2", "3 nodes", "draws a feed"} {
		g.Columns = append(g.Columns, lab.Column{Name: column})
	}
	g.Columns = append(g.Columns, lab.Column{Name: "far line", Unit: "ns/op"})
	for _, choice := range []struct {
		name string
		set  func(*Config)
	}{
		{"as chosen", func(*Config) {}},
		{"a draw of half the time", func(c *Config) { c.Section /= 2 }},
		{"waiters fetch in random order", func(c *Config) { c.Random = true }},
		{"MCS hand-off", func(c *Config) { c.Lock = MCS }},
		{"constant times", func(c *Config) { c.Fixed = true }},
	} {
		if !s.wants(name, choice.name) {
			continue
		}
		c := base
		choice.set(&c)
		s.calibrate(&c)
		one := ratios(s.sockets(c, patchSockets))
		s.fitFeed(&c)
		node := ratios(s.sockets(c, patchSockets))
		row := lab.Row{Name: choice.name, Base: len(g.Rows)}
		for _, v := range []float64{one[1], one[2], node[1], node[2], c.FeedEvery, c.Far} {
			row.Figures = append(row.Figures, lab.Once(v))
		}
		g.Rows = append(g.Rows, row)
	}
	s.add(g)
}

// cliff is how one pool does with more and less work between two draws, and how much of it each number of sockets needs to give
// what one gives.
func (s *study) cliff(base Config) {
	const name, holds = "The locking cliff: one pool by work between two draws", "Least work between two draws at which so many sockets give what one gives"
	curve := lab.Group{Name: name, X: "ns of work", Columns: []lab.Column{{Name: "draws/s", Unit: "op/s"}, {Name: "waiting"}}}
	for _, n := range []int{1, 2, 4} {
		for _, work := range []float64{1e4, 3e4, 1e5, 2e5, 4e5, 1e6} {
			row := fmt.Sprintf("%s, %.0f µs", countOf(n), work/1000)
			if !s.wants(name, row) {
				continue
			}
			c := base
			s.calibrate(&c)
			c.Work = work
			f := s.sockets(c, []int{n})[0]
			curve.Rows = append(curve.Rows, lab.Row{Name: row, X: work, Base: len(curve.Rows),
				Figures: []*lab.Figure{lab.Once(f.PerSecond), lab.Once(f.Waiting)}})
		}
	}
	s.add(curve)
	least := lab.Group{Name: holds, Columns: []lab.Column{{Name: "work", Unit: "sec"}, {Name: "by the section"}}}
	for _, n := range []int{2, 4} {
		if row := countOf(n); s.wants(holds, row) {
			c := base
			s.calibrate(&c)
			work := s.holds(c, n)
			least.Rows = append(least.Rows, lab.Row{Name: row, Base: len(least.Rows),
				Figures: []*lab.Figure{lab.Once(work / 1e9), lab.Once(work / c.Section)}})
		}
	}
	s.add(least)
}

func countOf(sockets int) string {
	if sockets == 1 {
		return "1 socket"
	}
	return fmt.Sprintf("%d sockets", sockets)
}

// designs are ways to have many threads draw, on 1 to 8 sockets.
func (s *study) designs(base Config) {
	const name = "Designs: 16-byte draws with 100 ns between two, all threads of so many sockets"
	g := lab.Group{Name: name, X: "sockets", Columns: []lab.Column{lineColumns[3], lineColumns[0], lineColumns[1]}}
	for _, d := range []struct {
		name string
		set  func(*Config)
	}{
		{"one state, ticket lock", func(*Config) {}},
		{"one state, MCS lock", func(c *Config) { c.Lock = MCS }},
		{"a state per socket", func(c *Config) { c.Lock = Node }},
		{"fount: a state per thread", func(c *Config) {
			c.Lock, c.Section, c.Batch, c.Work = Node, fountNode, fountReseed, fountReseed*(fountNonce+designWork)
		}},
	} {
		if !s.wants(name, d.name) {
			continue
		}
		c := base
		s.calibrate(&c)
		c.Section, c.Work, c.Lines = fountNonce, designWork, stateLines
		d.set(&c)
		for _, row := range line(d.name, len(g.Rows), s.sockets(c, []int{1, 2, 4, 8}), nil) {
			row.Figures = []*lab.Figure{row.Figures[3], row.Figures[0], row.Figures[1]}
			g.Rows = append(g.Rows, row)
		}
	}
	s.add(g)
}

// calibrate sets the far line with which c on 4 sockets has the published throughput of one pool.
func (s *study) calibrate(c *Config) {
	if fitted, ok := s.fits[*c]; ok {
		*c = fitted
		return
	}
	given := *c
	c.Far = s.fit("far line", c.Section/1000, 10*c.Section, onePool[3], func(far float64) float64 {
		d := given
		d.Far, d.Draws = far, given.Draws/2
		return ratios(s.sockets(d, []int{1, 4}))[1]
	})
	if s.fits == nil {
		s.fits = map[Config]Config{}
	}
	s.fits[given] = *c
}

// fitFeed makes c a pool per node with so many draws for each that takes from the input pool, that 4 nodes have the published
// throughput.
func (s *study) fitFeed(c *Config) {
	c.Lock = Node
	c.FeedEvery = s.fit("number of draws a feed", 1, 1000, poolPerNode[3], func(every float64) float64 {
		d := *c
		d.FeedEvery, d.Draws = every, c.Draws/2
		return ratios(s.sockets(d, []int{1, 4}))[1]
	})
}

// holds is the least work at which so many sockets give what one gives.
func (s *study) holds(c Config, sockets int) float64 {
	return s.fit("work", c.Section/10, 3000*c.Section, 1, func(work float64) float64 {
		d := c
		d.Work, d.Draws = work, c.Draws/4
		return ratios(s.sockets(d, []int{1, sockets}))[1]
	})
}

// fit is the x from lo to hi, on a log scale, where f goes from one side of want to the other, to 0.1 %.
func (s *study) fit(what string, lo, hi, want float64, f func(x float64) float64) float64 {
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
	return math.Sqrt(lo * hi)
}
