// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// How rows take turns, whether the harness or the study measures them.

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"fount/cmd/internal/lab/measure"
	"fount/internal/cputime"
)

// A Way is a row that a study measures by itself, such as a whole load or the start of processes.
// Turn measures it once. It returns a figure for each column, NaN where there is none.
type Way struct {
	Row
	Turn func(round int) ([]float64, error)
}

// Turns has ways take turns, in each round in another order, and adds g with their figures. Only
// keeps the ways that it matches and their bases; Count sets the rounds. A way that fails has an
// error instead of figures. The control has a turn in each round, as in Compare.
func (r *Run) Turns(g Group, rounds int, ways []Way) *Group {
	if r.Count > 0 {
		rounds = r.Count
	}

	control := measure.Plan{Turn: defaultTurn, CPU: measure.ProcessCPU, Thread: cputime.Thread}.By(runtime.GOMAXPROCS(0))
	c := r.contest(g, rounds, ways, &control)

	if len(c.ways) > 0 {
		r.rounds([]*contest{c})
	}

	return c.group
}

// A contest has the ways of a group while they take turns.
type contest struct {
	group  *Group
	ways   []Way
	rounds int
	plan   *measure.Plan // of the control
	made   [][][]float64 // by complete round, way and column

	used, could time.Duration // CPU time that the control had in all rounds, and that there was
}

// contest adds a group, whose rows will be those of the ways that are wanted.
func (r *Run) contest(g Group, rounds int, ways []Way, control *measure.Plan) *contest {
	return &contest{group: r.Add(g), rounds: rounds, ways: r.wanted(g.Name, ways), plan: control}
}

// rounds runs the rounds of all contests, in each round in another order.
func (r *Run) rounds(contests []*contest) {
	most := 0
	for _, c := range contests {
		most = max(most, c.rounds)
	}

	for round := range most {
		for _, i := range rand.Perm(len(contests)) {
			if c := contests[i]; round < c.rounds {
				c.round(r, round)
			}
		}
	}

	if r.err != nil && r.Context.Err() == nil {
		return // after a failure no row holds
	}

	for _, c := range contests {
		c.sum()
	}
}

// round makes a turn of each way that has not failed. A round that is not complete does not count.
func (c *contest) round(r *Run, n int) {
	r.Show("round %d of %d", n+1, c.rounds)

	made := make([][]float64, len(c.ways))
	for _, i := range rand.Perm(len(c.ways) + 1) {
		if r.Over() {
			return
		}

		if i == len(c.ways) {
			c.control()
			continue
		}

		w := &c.ways[i]
		if w.Error != "" {
			continue
		}

		if c.group.Workers == 0 { // else they are too many a second
			r.Show("%s, round %d of %d", w.Name, n+1, c.rounds)
		}

		var err error
		if made[i], err = w.Turn(n); err != nil && !r.Over() {
			w.Error = reason(err)
		}
	}

	if !r.Over() {
		c.made = append(c.made, made)
	}
}

// control makes a turn of the control.
func (c *contest) control() {
	if c.plan.CPU == nil {
		return
	}
	if run, err := c.plan.Measure(control); err == nil {
		c.used += run.CPU
		c.could += time.Duration(float64(run.Elapsed) * min(float64(c.plan.Workers), measure.Usable()))
	}
}

// sum sets the group's rows from all complete rounds.
func (c *contest) sum() {
	if len(c.made) == 0 {
		return
	}

	if c.could > 0 {
		c.group.Share = measure.Share(min(1, float64(c.used)/float64(c.could)))
	}

	c.group.Rows = nil
	for i, w := range c.ways {
		for column := range c.group.Columns {
			var list []float64
			for _, round := range c.made {
				if column < len(round[i]) {
					list = append(list, round[i][column])
				}
			}

			if w.Error == "" {
				w.Figures = append(w.Figures, Of(list...))
			}
		}

		c.group.Rows = append(c.group.Rows, w.Row)
	}
}

// wanted returns the ways that Only matches, with their bases. A base is its own base.
func (r *Run) wanted(group string, ways []Way) (kept []Way) {
	places := make(map[int]int)
	for i, way := range ways {
		if r.Wants(group, way.Name) || slices.ContainsFunc(ways, func(w Way) bool { return w.Base == i && r.Wants(group, w.Name) }) {
			places[i] = len(kept)
			kept = append(kept, way)
		}
	}

	for i := range kept {
		kept[i].Base = places[kept[i].Base]
	}
	return kept
}
