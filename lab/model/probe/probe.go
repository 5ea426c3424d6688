// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package probe measures on this machine what package model takes for given, a cache line's way from one core to
// another and a draw under a lock, and holds the model's prediction for two threads against the measurement. It is no
// benchmark of the locks: they are there to be predicted.
//
// probe.go has the report, crew.go the two pinned threads, line.go the ping-pong, window.go a draw under a lock.
package probe

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"fount"
	"fount/lab/machine"
	"fount/lab/model"
)

// stateLines is the number of cache lines of a generator that a nonce touches: its counters and the bytes. It is taken
// from the code, not from the measurement.
const stateLines = 2

// A Report is measured and modelled figures; the names say which.
type Report struct {
	Machine machine.Facts `json:"machine"`

	Pinned  bool   `json:"pinned"`            // each thread to a CPU of its own
	Windows int    `json:"windows"`           // of each figure, less those that were disturbed
	Line    Spread `json:"measured_line_ns"`  // one cache line from core to core
	State   Spread `json:"measured_state_ns"` // the same, and a generator's lines with it
	Cases   []Case `json:"cases"`
}

// A Case is one lock around one thing with one amount of work.
type Case struct {
	Lock  string  `json:"lock"`
	Guard string  `json:"guard"`             // what is done under it
	Alone Spread  `json:"measured_alone_ns"` // a draw of one thread: lock, guarded, unlock, work
	Work  float64 `json:"measured_work_ns"`  // of that, the work
	Two   Spread  `json:"measured_two_ns"`   // time of two threads together for each draw
	Model float64 `json:"modelled_two_ns"`   // the same by the model
	Error float64 `json:"error"`             // of modelled to measured, as a share
}

// What is guarded.
const (
	registers = "registers" // nothing that another core has written
	nonce     = "a nonce"   // of one generator
)

// steps are the amounts of work between draws, in steps of spin.
var steps = []int{0, 30, 150, 600}

// ErrBusy is the error of a Run that other programs kept from measuring.
var ErrBusy = errors.New("the machine is too busy to measure")

// Run measures that many windows of each figure, of a millisecond or less each, and models. It needs two CPUs, and on
// Linux leaves out windows in which another program had one of them.
func Run(ctx context.Context, windows int, progress func(done, all int)) (Report, error) {
	if n := min(runtime.NumCPU(), runtime.GOMAXPROCS(0)); n < 2 {
		return Report{}, fmt.Errorf("two threads at once need two CPUs, and there is %d", n)
	}
	c := newCrew()
	defer c.dismiss()
	p := prober{ctx: ctx, windows: windows, progress: progress}
	line := p.add(func() (float64, bool) { return c.line(0) })
	state := p.add(func() (float64, bool) { return c.line(stateLines) })
	groups := []*group{
		newGroup(&p, c, "ticket lock", new(ticket), nil),
		newGroup(&p, c, "ticket lock", new(ticket), fount.NewGenerator()),
		newGroup(&p, c, "sync.Mutex", new(sync.Mutex), fount.NewGenerator()),
	}
	if err := p.measure(); err != nil {
		return Report{}, err
	}
	r := Report{Machine: machine.Inspect(), Pinned: c.pinned, Windows: windows, Line: line.spread(), State: state.spread()}
	for _, g := range groups {
		moved := r.Line.Median
		if g.guard == nonce {
			moved = r.State.Median
		}
		cases, err := g.cases(ctx, moved)
		if err != nil {
			return Report{}, err
		}
		r.Cases = append(r.Cases, cases...)
	}
	return r, nil
}

// A group is one lock around one thing, with all amounts of work.
type group struct {
	lock, guard string
	alone, two  []*series // by steps
}

func newGroup(p *prober, c *crew, name string, lock sync.Locker, g *fount.Generator) *group {
	group := &group{lock: name, guard: nonce}
	if g == nil {
		group.guard = registers
	}
	for _, n := range steps {
		w := &window{lock: lock, generator: g, steps: n}
		group.alone = append(group.alone, p.add(func() (float64, bool) { return c.alone(w) }))
		group.two = append(group.two, p.add(func() (float64, bool) { return c.two(w) }))
	}
	return group
}

// cases are what was measured, and the model's prediction from the time of a handover and of the critical section,
// which is a draw of one thread without work.
func (g *group) cases(ctx context.Context, moved float64) (cases []Case, err error) {
	section := g.alone[0].spread().Median
	for i := range steps {
		c := Case{Lock: g.lock, Guard: g.guard, Alone: g.alone[i].spread(), Two: g.two[i].spread()}
		c.Work = max(c.Alone.Median-section, 0)
		f, err := model.Simulate(ctx, model.Config{Sockets: 1, Cores: 2, Threads: 1, Lock: model.Ticket, Near: moved,
			Section: section, Work: c.Work, Fixed: true, Draws: 10000, Seed: 1})
		if err != nil {
			return nil, err
		}
		c.Model = 1e9 / f.PerSecond
		c.Error = c.Model/c.Two.Median - 1
		cases = append(cases, c)
	}
	return cases, nil
}

// A prober measures series.
type prober struct {
	ctx      context.Context
	windows  int
	progress func(done, all int)
	list     []*series
}

// add makes a series of what run measures.
func (p *prober) add(run func() (float64, bool)) *series {
	s := &series{run: run}
	p.list = append(p.list, s)
	return s
}

// measure has all series take turns, so that a change of the machine's speed meets all.
func (p *prober) measure() error {
	for i := range p.windows {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		if p.progress != nil {
			p.progress(i, p.windows)
		}
		for _, s := range p.list {
			s.measure()
		}
	}
	for _, s := range p.list {
		if n := len(s.values); n < (p.windows+1)/2 {
			return fmt.Errorf("%w: %d of %d windows were undisturbed, and half of them are needed; try again when less runs",
				ErrBusy, n, p.windows)
		}
	}
	return nil
}

// A series is the windows of one figure.
type series struct {
	run    func() (ns float64, undisturbed bool) // a window
	values []float64
}

// tries is how often a window is measured until it is undisturbed.
const tries = 20

// measure adds an undisturbed window, if there is one.
func (s *series) measure() {
	for range tries {
		if ns, undisturbed := s.run(); undisturbed {
			s.values = append(s.values, ns)
			return
		}
	}
}

// A Spread is the middle of many windows, in ns.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // a quarter of the windows is below
	High   float64 `json:"high"` // a quarter is above
}

func (s *series) spread() Spread {
	v := slices.Sorted(slices.Values(s.values))
	n := len(v)
	return Spread{Median: v[n/2], Low: v[n/4], High: v[n-1-n/4]}
}
