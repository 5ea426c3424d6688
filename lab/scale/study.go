// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package scale measures how the drawing of random values scales on this machine: on 1 to N bound threads, in 1 to N
// processes, on 1 to N NUMA nodes, and with up to 100,000 goroutines on the same cores; and how often a single draw takes
// long. It simulates nothing: what machines with more sockets would do is modelled in package model.
package scale

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"fount/lab"
	"fount/lab/machine"
	"fount/lab/measure"
)

// Study is fount bench scale. Threads are bound to a core each, then processes, in the way of will-it-scale. What all cores
// draw is held against what one draws in the same round, and fount's gain against 0.95 of the number of cores.
var Study = lab.Study{Name: name, About: "values a second on 1 to N cores and nodes", Time: 60 * time.Second, Run: run, Child: serve}

const name = "scale"

const (
	passRounds = 32
	runRounds  = 4    // that threads and processes live for
	gainBar    = 0.95 // of the number of cores
)

func run(r *lab.Run) {
	rounds, turn := passRounds, 8*time.Millisecond
	if r.Quick {
		rounds, turn = rounds/2, turn/4
	}
	if r.Count > 0 {
		rounds = r.Count
	}
	cpus := allowed()
	cpus = cpus[:min(len(cpus), runtime.GOMAXPROCS(0))]
	cores := onCores(cpus)
	nodes, err := onNodes(cpus)
	if err != nil {
		r.Note("NUMA nodes: %v", err)
	}
	notes(r, cpus, nodes)

	var contests []*contest
	for _, size := range []int{16, 4096} {
		for _, l := range []ladder{cores, cores.as("process", "processes"), nodes} {
			if c := newContest(r, l, size, turn); len(c.methods) > 0 {
				contests = append(contests, c)
			}
		}
	}
	for round := range rounds {
		for _, i := range rand.Perm(len(contests)) {
			if r.Over() {
				break
			}
			r.Show("round %d of %d", round+1, rounds)
			r.Fail(contests[i].round(r.Context, round))
		}
	}
	for _, c := range contests {
		c.close()
		if c.rounds() > 0 {
			r.Add(c.group(rounds))
		}
	}
	goroutines(r)
}

// notes are what is to be known before the figures are read.
func notes(r *lab.Run, cpus []int, nodes ladder) {
	facts := machine.Inspect()
	if !canPin {
		r.Note("Threads are not bound to cores: a program can't do that on %s.", facts.OS)
	}
	if len(cpus) == 1 {
		r.Note("There is one core, so nothing can be said of scaling.")
	}
	if len(nodes.steps) > 0 && nodes.steps[len(nodes.steps)-1].x == 1 {
		r.Note("This machine has one NUMA node, so nothing can be said of several.")
	}
	if facts.CPULimit > 0 && facts.CPULimit < float64(len(cpus)) {
		r.Note("A cgroup limits this process to %.3g cores: more threads than that wait.", facts.CPULimit)
	}
	if facts.Cores > len(cpus) {
		r.Note("%d of %d cores are used.", len(cpus), facts.Cores)
	}
}

// A ladder is the numbers of workers that take turns, and where they stand.
type ladder struct {
	one, many string // what a step counts
	steps     []step
	base      int // the step that the others are compared with
	cpus      []int
	spots     []spot // where threads have to be found, on nodes
	on        []int  // the index of each worker's node, on nodes
}

// A step is so many workers.
type step struct {
	workers int
	x       int // cores or nodes; 0: less than a node
}

// onCores has 1 to all of the cores.
func onCores(cpus []int) ladder {
	l := ladder{one: "thread", many: "threads", cpus: cpus}
	for _, n := range counts(len(cpus)) {
		l.steps = append(l.steps, step{n, n})
	}
	return l
}

func (l ladder) as(one, many string) ladder {
	l.one, l.many = one, many
	return l
}

// counts are the numbers of threads: all up to 8, then about eight for each doubling less, and the last.
func counts(cores int) (list []int) {
	for n, step := 1, 1; n < cores; n += step {
		if n >= 8 && n&(n-1) == 0 {
			step = n / 4
		}
		list = append(list, n)
	}
	return append(list, cores)
}

// onNodes has one thread, all of a node, of two, and so on.
func onNodes(cpus []int) (ladder, error) {
	p, err := newPlacement(cpus)
	if err == nil && len(p.Nodes) == 0 {
		err = errors.New("no node has a CPU that this process may use")
	}
	if err != nil {
		return ladder{}, err
	}
	l := ladder{one: "node", many: "nodes", spots: p.spots(), on: p.on()}
	for i, n := range p.threads() {
		if i == 0 && n > 1 {
			l.steps, l.base = []step{{1, 0}}, 1
		}
		l.steps = append(l.steps, step{n, i + 1})
	}
	for _, s := range l.spots {
		l.cpus = append(l.cpus, s.cpu)
	}
	return l, nil
}

// name is a row's: the method, and the step.
func (l ladder) name(method string, s step) string {
	switch s.x {
	case 0:
		return method + ", one thread"
	case 1:
		return method + ", 1 " + l.one
	}
	return fmt.Sprintf("%s, %d %s", method, s.x, l.many)
}

// crew is what turns are made with: a team or a family.
type crew interface {
	turn(m measure.Method, what task, workers int) (turned, error)
	close()
}

// A contest is methods that take turns on all steps of a ladder with values of one size.
type contest struct {
	ladder
	name    string
	task    task
	methods []measure.Method
	runs    [][][]turned // by method, step and round
	failed  []error      // by method
	crew    crew
}

func newContest(r *lab.Run, l ladder, size int, turn time.Duration) *contest {
	c := &contest{ladder: l, name: fmt.Sprintf("Values of %d bytes, by %s", size, l.many)}
	c.task = task{Size: size, Cores: len(l.cpus), Nodes: min(2, len(l.cpus)), Turn: turn}
	if l.on != nil && len(l.steps) > 0 {
		c.task.Nodes = l.steps[len(l.steps)-1].x
	}
	if len(l.steps) == 0 {
		return c
	}
	s := c.task.setting()
	s.On = l.on
	wanted := func(m measure.Method) bool {
		return slices.ContainsFunc(l.steps, func(s step) bool { return r.Wants(c.name, l.name(m.Name, s)) })
	}
	if c.methods = Methods(s); !slices.ContainsFunc(c.methods, wanted) {
		c.methods = nil
	}
	c.methods = slices.DeleteFunc(c.methods, func(m measure.Method) bool { return m.Name != Arithmetic && !wanted(m) })
	c.runs, c.failed = make([][][]turned, len(c.methods)), make([]error, len(c.methods))
	for i := range c.runs {
		c.runs[i] = make([][]turned, len(c.steps))
	}
	return c
}

// round makes a turn of each method with each step. All steps of a method follow each other, so that a slow phase of the machine
// meets all alike; the orders are drawn anew, so that nobody always has the same neighbour.
func (c *contest) round(ctx context.Context, round int) (err error) {
	if round%runRounds == 0 {
		c.close()
		if c.crew, err = c.open(ctx); err != nil {
			return err
		}
	}
	for _, i := range rand.Perm(len(c.methods)) {
		for _, k := range rand.Perm(len(c.steps)) {
			if c.failed[i] != nil || ctx.Err() != nil {
				continue
			}
			t, err := c.crew.turn(c.methods[i], c.task, c.steps[k].workers)
			if errors.As(err, new(*lost)) || errors.As(err, new(*misplaced)) {
				return err
			}
			if c.failed[i] = err; err == nil {
				c.runs[i][k] = append(c.runs[i][k], t)
			}
		}
	}
	return ctx.Err()
}

func (c *contest) open(ctx context.Context) (crew, error) {
	if c.many == "processes" {
		return newFamily(ctx, c.cpus)
	}
	t, err := newTeam(c.cpus)
	if err == nil {
		t.spots = c.spots
	}
	return t, err
}

func (c *contest) close() {
	if c.crew != nil {
		c.crew.close()
		c.crew = nil
	}
}

// rounds is how many rounds were made whole.
func (c *contest) rounds() int {
	least := -1
	for i, steps := range c.runs {
		for _, runs := range steps {
			if c.failed[i] == nil && (least < 0 || len(runs) < least) {
				least = len(runs)
			}
		}
	}
	return least
}

// group is the figures.
func (c *contest) group(pass int) lab.Group {
	g := lab.Group{Name: c.name, X: c.many, Procs: runtime.GOMAXPROCS(0), Pass: pass, Columns: []lab.Column{
		{Name: "values", Unit: "op/s", Judged: true, Clock: true}, {Name: "core ns", Unit: "core-ns/op", Judged: true}, {Name: "cores", Unit: "cores"},
	}}
	if c.spots != nil {
		g.Columns = append(g.Columns, lab.Column{Name: "waiting at most"}, lab.Column{Name: "asleep"})
	}
	for i, m := range c.methods {
		if c.failed[i] != nil {
			text, _, _ := strings.Cut(c.failed[i].Error(), "\n")
			g.Rows = append(g.Rows, lab.Row{Name: m.Name, Base: len(g.Rows), Error: text})
			continue
		}
		base := len(g.Rows) + c.base
		for k, s := range c.steps {
			row := lab.Row{Name: c.ladder.name(m.Name, s), X: float64(s.x), Base: base, Figures: c.figures(c.runs[i][k], c.runs[i][0])}
			if m.Name == "fount" && s.workers == len(c.cpus) && s.x > 1 && c.spots == nil {
				row.Verdicts = []*lab.Verdict{{Bar: gainBar * float64(s.workers)}}
			}
			if s.x == 0 {
				row.Base = len(g.Rows)
			}
			g.Rows = append(g.Rows, row)
		}
		g.Share = max(g.Share, c.share(i))
	}
	return g
}

// figures are those of a step; alone are the turns of one thread in the same rounds.
func (c *contest) figures(runs, alone []turned) []*lab.Figure {
	of := func(known func(turned) bool, f func(k int) float64) *lab.Figure {
		if slices.ContainsFunc(runs, func(t turned) bool { return !known(t) }) {
			return nil
		}
		list := make([]float64, min(len(runs), len(alone)))
		for k := range list {
			list[k] = f(k)
		}
		return lab.Of(list...)
	}
	always := func(turned) bool { return true }
	timed := func(t turned) bool { return t.cpu > 0 }
	accounted := func(t turned) bool { return t.accounted && t.cpu > 0 }
	list := []*lab.Figure{
		of(always, func(k int) float64 { return runs[k].rate() }),
		of(timed, func(k int) float64 { return runs[k].coreNS() }),
		of(timed, func(k int) float64 { return runs[k].cores() }),
	}
	if c.spots != nil {
		list = append(list, of(accounted, func(k int) float64 { return runs[k].waiting(alone[k]) }),
			of(accounted, func(k int) float64 { return runs[k].asleep() }))
	}
	return list
}

// share is the part of its cores that a method had where it had least, 0 if not known: what never waits tells how quiet the
// machine was.
func (c *contest) share(method int) float64 {
	least := 1.0
	for k, s := range c.steps {
		f := c.figures(c.runs[method][k], c.runs[method][0])[2]
		if f == nil {
			return 0
		}
		least = min(least, f.Value/float64(s.workers))
	}
	return least
}
