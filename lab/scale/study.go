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
var Study = lab.Study{Name: name, About: "values a second on 1 to N cores and nodes", Time: 25 * time.Second, Run: run, Child: serve}

const name = "scale"

const (
	passRounds = 32
	runRounds  = 4    // that processes live for; threads live for a turn
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
	nodes, spots := place(r)
	notes(r, len(spots))
	var contests []*contest
	for _, size := range []int{16, 4096} {
		for _, of := range []string{"threads", "processes"} {
			if c := newContest(r, of, nodes, spots, size, turn); len(c.methods) > 0 {
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
		c.family.close()
		if c.rounds() == 0 {
			continue
		}
		r.Add(c.group(c.of, c.steps, rounds))
		if c.of == "threads" && len(nodes) > 1 {
			r.Add(c.group("nodes", whole(nodes), rounds))
		}
	}
}

// notes are what is to be known before the figures are read.
func notes(r *lab.Run, cpus int) {
	facts := machine.Inspect()
	if !canPin {
		r.Note("Threads are not bound to cores: a program can't do that on %s.", facts.OS)
	}
	if facts.CPULimit > 0 && facts.CPULimit < float64(cpus) {
		r.Note("A cgroup limits this process to %.3g cores: more threads than that wait.", facts.CPULimit)
	}
}

// whole are the threads of 1, 2 and more nodes.
func whole(nodes []int) (list []int) {
	n := 0
	for _, size := range nodes {
		n += size
		list = append(list, n)
	}
	return list
}

// counts are the numbers of threads: powers of 2, all, and those of whole nodes.
func counts(nodes []int) []int {
	list := whole(nodes)
	for n, all := 1, list[len(list)-1]; n < all; n *= 2 {
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A fatal is an error after which no row holds: a process that is lost, a thread that ran elsewhere than it was to.
type fatal struct{ error }

// A contest is methods that take turns on 1 to all cores with values of one size.
type contest struct {
	of      string // threads or processes
	size    int
	steps   []int // numbers of workers
	spots   []spot
	task    task
	methods []measure.Method
	runs    [][][]turned // by method, step and round
	failed  []error      // by method
	family  *family      // of processes
}

func newContest(r *lab.Run, of string, nodes []int, spots []spot, size int, turn time.Duration) *contest {
	c := &contest{of: of, size: size, steps: counts(nodes), spots: spots, task: task{Setting: Setting{size, on(nodes)}, Turn: turn}}
	wanted := func(m measure.Method) bool {
		return slices.ContainsFunc(c.steps, func(n int) bool {
			return r.Wants(c.name(of), row(m.Name, of, n)) || of == "threads" && r.Wants(c.name("nodes"), row(m.Name, "nodes", n))
		})
	}
	all := Methods(c.task.Setting)
	if slices.ContainsFunc(all, wanted) {
		c.with(slices.DeleteFunc(all, func(m measure.Method) bool { return m.Name != arithmetic && !wanted(m) })...)
	}
	return c
}

func (c *contest) name(of string) string { return fmt.Sprintf("Values of %d bytes, by %s", c.size, of) }

func row(method, of string, n int) string { return fmt.Sprintf("%s, %s: %d", method, of, n) }

// on are the indices of the workers' nodes. Of one node two halves are made, so that the method that has a generator for each has two.
func on(nodes []int) (list []int) {
	if len(nodes) == 1 {
		nodes = []int{(nodes[0] + 1) / 2, nodes[0] / 2}
	}
	for i, size := range nodes {
		list = append(list, slices.Repeat([]int{i}, size)...)
	}
	return list
}

// with sets the methods.
func (c *contest) with(methods ...measure.Method) {
	c.methods, c.runs, c.failed = methods, make([][][]turned, len(methods)), make([]error, len(methods))
	for i := range c.runs {
		c.runs[i] = make([][]turned, len(c.steps))
	}
}

// round makes a turn of each method with each step. All steps of a method follow each other, so that a slow phase of the machine
// meets all alike; the orders are drawn anew, so that nobody always has the same neighbour.
func (c *contest) round(ctx context.Context, round int) (err error) {
	if c.of == "processes" && round%runRounds == 0 {
		c.family.close()
		if c.family, err = newFamily(ctx, c.spots); err != nil {
			return err
		}
	}
	for _, i := range rand.Perm(len(c.methods)) {
		for _, k := range rand.Perm(len(c.steps)) {
			if c.failed[i] != nil || ctx.Err() != nil {
				continue
			}
			t, err := c.turn(c.methods[i], c.steps[k])
			if errors.As(err, new(fatal)) {
				return err
			}
			if c.failed[i] = err; err == nil {
				c.runs[i][k] = append(c.runs[i][k], t)
			}
		}
	}
	return ctx.Err()
}

// turn has so many workers draw.
func (c *contest) turn(m measure.Method, workers int) (turned, error) {
	if c.of == "processes" {
		return c.family.turn(m, c.task, workers)
	}
	return threads(m, c.task, c.spots[:workers])
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

// columns are the figures of a turn; alone is the turn of one thread in the same round.
var columns = []struct {
	lab.Column
	of func(t, alone turned) float64
}{
	{lab.Column{Name: "values", Unit: "op/s", Judged: true, Clock: true}, func(t, _ turned) float64 { return t.rate() }},
	{lab.Column{Name: "core ns", Unit: "core-ns/op", Judged: true}, func(t, _ turned) float64 { return t.coreNS() }},
	{lab.Column{Name: "cores", Unit: "cores"}, func(t, _ turned) float64 { return t.cores() }},
	{lab.Column{Name: "waiting at most"}, func(t, alone turned) float64 { return t.waiting(alone) }},
	{lab.Column{Name: "asleep"}, func(t, _ turned) float64 { return t.asleep() }},
}

// coresColumn is the place of the cores.
const coresColumn = 2

// group is the figures of some of the steps: all, or those of whole nodes.
func (c *contest) group(of string, steps []int, pass int) lab.Group {
	g := lab.Group{Name: c.name(of), X: of, Procs: runtime.GOMAXPROCS(0), Pass: pass}
	for _, column := range columns {
		g.Columns = append(g.Columns, column.Column)
	}
	for i, m := range c.methods {
		base, least := len(g.Rows), 1.0
		if c.failed[i] != nil {
			text, _, _ := strings.Cut(c.failed[i].Error(), "\n")
			g.Rows = append(g.Rows, lab.Row{Name: m.Name, Base: base, Error: text})
			continue
		}
		for x, n := range steps {
			count := n
			if of == "nodes" {
				count = x + 1
			}
			r := lab.Row{Name: row(m.Name, of, count), X: float64(count), Base: base, Figures: figures(c.runs[i][slices.Index(c.steps, n)], c.runs[i][0])}
			if m.Name == "fount" && n == len(c.spots) && n > 1 && of != "nodes" {
				r.Verdicts = []*lab.Verdict{{Bar: gainBar * float64(n)}}
			}
			g.Rows = append(g.Rows, r)
			if f := r.Figures[coresColumn]; f != nil {
				least = min(least, f.Value/float64(n))
			} else {
				least = 0
			}
		}
		g.Share = max(g.Share, least) // what never waits tells how quiet the machine was
	}
	return g
}

// figures are those of a step, round by round.
func figures(runs, alone []turned) (list []*lab.Figure) {
	for _, column := range columns {
		rounds := make([]float64, min(len(runs), len(alone)))
		for k := range rounds {
			rounds[k] = column.of(runs[k], alone[k])
		}
		list = append(list, lab.Of(rounds...))
	}
	return list
}
