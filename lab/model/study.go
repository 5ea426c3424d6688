// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The study: the patch's table, calibrated and predicted, and what follows from it.

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// Options are what the study takes for given. Times are in ns.
type Options struct {
	Cores   int     `json:"cores"`      // of a socket
	Threads int     `json:"threads"`    // of a core
	Near    float64 `json:"near_ns"`    // a line between cores of one socket
	Section float64 `json:"section_ns"` // a draw under the lock: it is the unit, as only ratios are published
	Work    float64 `json:"work_ns"`    // between two draws of a thread
	Draws   int64   `json:"draws"`      // of each run, 1000 to 1e9; searches use a quarter
	Seed    int64   `json:"seed"`

	Progress func(step string) `json:"-"` // is told what comes next, if not nil
}

// Usual are the options of the results in the documentation.
func Usual() Options {
	return Options{Cores: patchCores, Threads: patchThreads, Near: 25, Section: 3000, Work: 10000, Draws: 400_000, Seed: 1}
}

// Check finds what can't be modelled, at no cost.
func (o Options) Check() error {
	err := inRange(
		quantity{"number of draws", float64(o.Draws), 1000, 1e9}, quantity{"number of cores", float64(o.Cores), 1, 256},
		quantity{"number of threads", float64(o.Threads), 1, 8}, quantity{"time in ns of a near line", o.Near, 0, 1e4},
		quantity{"time in ns of a critical section", o.Section, 10, 5e4}, quantity{"time in ns of work", o.Work, 0, 1e6},
	)
	if err != nil {
		return err
	}
	c := o.config()
	c.Sockets, c.Section = mostSockets, 5*o.Section // the largest that it will be
	c.Far, c.Work = mostFar*c.Section, mostWork*c.Section
	return c.Check()
}

// config is a run of one socket of the patch's machine.
func (o Options) config() Config {
	return Config{Sockets: 1, Cores: o.Cores, Threads: o.Threads, Lock: Ticket, Near: o.Near, Section: o.Section,
		Work: o.Work, Draws: o.Draws, Seed: o.Seed}
}

// A Result is what the study found. All of its figures are modelled but those named published.
type Result struct {
	Note    string  `json:"note"`
	Options Options `json:"options"`
	Draws   int64   `json:"simulated_draws"` // of all runs

	FarNS     float64 `json:"far_ns"`     // calibrated
	FeedEvery float64 `json:"feed_every"` // fitted
	Rows      []Row   `json:"rows"`

	Waiting          []float64 `json:"waiting"` // share of time, one pool, 1 to 4 sockets
	WaitingPublished float64   `json:"waiting_published_above"`

	Cliff    Cliff         `json:"cliff"`
	Designs  []Design      `json:"designs"`
	Far      []Sensitivity `json:"far"`
	Sections []Section     `json:"sections"`
	Choices  []Choice      `json:"choices"`
	Forms    []Form        `json:"forms"`
}

// fittedPoints is how many published points the study fits a cost to: [study.calibrate] and [study.fitFeed], one each.
const fittedPoints = 2

// publishedPoints is how many there are: those of one socket are 1 by definition.
var publishedPoints = len(onePool) - 1 + len(poolPerNode) - 1

// note is the first sentence about a Result, wherever it is shown.
var note = fmt.Sprintf("Everything here is modelled, nothing measured, and fitted to %d of %d published points, with the other %d in "+
	"sight; published figures are those of %s.", fittedPoints, publishedPoints, publishedPoints-fittedPoints, Patch)

// A Row is a line of the patch's table, for 1 to 4 sockets.
type Row struct {
	Name      string    `json:"name"`
	How       string    `json:"how"` // which of its points were fitted, and with what
	Published []float64 `json:"published"`
	Modelled  []float64 `json:"modelled"`
	Errors    []float64 `json:"errors"` // of modelled to published, as a share
	Runs      []Figures `json:"runs"`
}

// Run makes the study: a few hundred runs of Simulate, on all cores. The same Options give the same Result.
func Run(ctx context.Context, o Options) (Result, error) {
	if err := o.Check(); err != nil {
		return Result{}, err
	}
	s := &study{ctx: ctx, o: o}
	r := Result{Note: note, Options: o, WaitingPublished: patchWaiting}
	s.step("calibrating the far line")
	r.FarNS = s.calibrate(o.config())
	base := o.config()
	base.Far = r.FarNS
	s.step("fitting the input pool")
	r.FeedEvery = s.fitFeed(base)
	s.step("the patch's table")
	r.Rows = s.rows(base, r.FeedEvery)
	for _, run := range r.Rows[0].Runs {
		r.Waiting = append(r.Waiting, run.Waiting)
	}
	s.step("other critical sections")
	r.Sections = s.sections()
	s.step("other choices")
	r.Choices = s.choices()
	s.step("the locking cliff")
	r.Cliff = s.cliff(base)
	s.step("designs on up to 8 sockets")
	r.Designs = s.designs(base)
	s.step("other far lines")
	r.Far = s.sensitivity(base, r.FeedEvery)
	s.step("closed forms")
	r.Forms = s.forms()
	r.Draws = s.draws
	return r, s.err
}

// A study is one call of Run.
type study struct {
	ctx   context.Context
	o     Options
	draws int64
	err   error // the first one; then nothing more is run
}

func (s *study) step(name string) {
	if s.o.Progress != nil && s.err == nil {
		s.o.Progress(name)
	}
}

// fail keeps the first error.
func (s *study) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// runs simulates them at once, as many as there are cores for. After an error all its figures are zero.
func (s *study) runs(list []Config) []Figures {
	figures, errs := make([]Figures, len(list)), make([]error, len(list))
	if s.err != nil {
		return figures
	}
	var wait sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, c := range list {
		wait.Go(func() {
			turn <- struct{}{}
			figures[i], errs[i] = Simulate(s.ctx, c)
			<-turn
		})
		s.draws += c.Draws
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			s.fail(err)
			return make([]Figures, len(list))
		}
	}
	return figures
}

// on runs c on each number of sockets.
func (s *study) on(c Config, sockets []int) []Figures {
	var list []Config
	for _, n := range sockets {
		c.Sockets = n
		list = append(list, c)
	}
	return s.runs(list)
}

// toFirst is the throughput of each run to that of the first.
func toFirst(runs []Figures) (ratios []float64) {
	for _, f := range runs {
		ratios = append(ratios, f.PerSecond/runs[0].PerSecond)
	}
	return ratios
}

// row runs c on 1 to 4 sockets.
func (s *study) row(name, how string, c Config, published []float64) Row {
	r := Row{Name: name, How: how, Published: published, Runs: s.on(c, patchSockets)}
	r.Modelled = toFirst(r.Runs)
	for i, m := range r.Modelled {
		r.Errors = append(r.Errors, m/published[i]-1)
	}
	return r
}

// rows are the patch's two, the second in two versions, and the control: a lock whose handover does not grow.
func (s *study) rows(base Config, feedEvery float64) []Row {
	node := base
	node.Lock = Node
	fed := node
	fed.FeedEvery = feedEvery
	mcs := base
	mcs.Lock = MCS
	mcs.Far = s.calibrate(mcs)
	return []Row{
		s.row("one pool, ticket lock", "far line fitted on 4 sockets", base, onePool),
		s.row("a pool per node", "no further parameter", node, poolPerNode),
		s.row("a pool per node, one input pool", "draws per feed fitted on 4 nodes", fed, poolPerNode),
		s.row("control: one pool, MCS lock", fmt.Sprintf("far line fitted on 4 sockets: %.0f ns", mcs.Far), mcs, onePool),
	}
}
