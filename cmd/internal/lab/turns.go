// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// How rows take turns, whether the harness or the study measures them:
//
//	way      a row, with the function that measures it
//	turn     one measurement of a way
//	control  work that tells what part of the cores other programs left; it takes turns too
//	round    a turn of each way of a group, and of the control, in random order
//	contest  the ways of a group, and their rounds

import (
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
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
	control := r.Plan()
	if r.Count == 0 {
		control.Rounds = rounds
	}

	c := r.newContest(g, ways, control)
	if len(c.ways) > 0 {
		r.takeAllTurns([]*contest{c})
	}
	return c.group
}

// A contest has the ways of a group while they take turns.
type contest struct {
	group    *Group
	ways     []Way
	plan     measure.Plan // of the control, with the number of rounds
	complete []round

	used, usable time.Duration // CPU time that the control had in all rounds, and that there was
}

// A round is the figures of each way's turn, by column.
type round [][]float64

// newContest adds a group. Its rows will be the ways that are wanted.
func (r *Run) newContest(g Group, ways []Way, control measure.Plan) *contest {
	return &contest{group: r.Add(g), ways: r.wanted(g.Name, ways), plan: control}
}

// wanted returns the ways that Only matches, with their bases. A base is its own base.
func (r *Run) wanted(group string, ways []Way) (kept []Way) {
	isKept := make([]bool, len(ways))
	for i, w := range ways {
		if r.Wants(group, w.Name) {
			isKept[i] = true
			isKept[w.Base] = true
		}
	}

	places := make(map[int]int)
	for i, w := range ways {
		if isKept[i] {
			places[i] = len(kept)
			kept = append(kept, w)
		}
	}

	for i := range kept {
		kept[i].Base = places[kept[i].Base]
	}
	return kept
}

// takeAllTurns makes all rounds of the contests, each time in another order, and sets their groups'
// rows.
func (r *Run) takeAllTurns(contests []*contest) {
	rounds := 0
	for _, c := range contests {
		rounds = max(rounds, c.plan.Rounds)
	}

	for n := range rounds {
		for _, i := range rand.Perm(len(contests)) {
			if c := contests[i]; n < c.plan.Rounds {
				c.takeTurns(r, n)
			}
		}
	}

	if r.err != nil && r.Context.Err() == nil {
		return // after a failure no row holds
	}
	for _, c := range contests {
		c.setRows()
	}
}

// takeTurns makes a round: a turn of the control, and of each way that has not failed. A round that
// is not complete does not count.
func (c *contest) takeTurns(r *Run, n int) {
	r.Show("round %d of %d", n+1, c.plan.Rounds)

	figures := make(round, len(c.ways))
	turns := []func(){c.control}
	for i := range c.ways {
		turns = append(turns, func() { figures[i] = c.turn(r, &c.ways[i], n) })
	}

	for _, i := range rand.Perm(len(turns)) {
		if r.Over() {
			return
		}
		turns[i]()
	}

	if !r.Over() {
		c.complete = append(c.complete, figures)
	}
}

// turn makes the turn of a way, unless it has failed, and returns its figures.
func (c *contest) turn(r *Run, w *Way, n int) []float64 {
	if w.Error != "" {
		return nil
	}
	if c.group.Workers == 0 { // else they are too many a second
		r.Show("%s, round %d of %d", w.Name, n+1, c.plan.Rounds)
	}

	figures, err := w.Turn(n)
	if err != nil && !r.Over() {
		w.Error = reason(err)
	}
	return figures
}

// reason returns err as one line.
func reason(err error) string {
	if errors.Is(err, errors.ErrUnsupported) {
		return "not on " + machine.OSName()
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// controlMethod keeps a core busy, so that it tells what part of the cores other programs left.
var controlMethod = measure.Method{Name: "control", Alone: true, Open: func() (measure.Source, error) {
	return measure.Workers(func(int) measure.Worker {
		x := uint64(1)
		return measure.Loop{Do: func(n int) {
			for range n {
				x = x*6364136223846793005 + 1
			}
		}}
	}), nil
}}

// control makes a turn of the control.
func (c *contest) control() {
	if c.plan.CPU == nil {
		return
	}
	if turn, err := c.plan.Measure(controlMethod); err == nil {
		cores := min(float64(c.plan.Workers), measure.Usable())
		c.used += turn.CPU
		c.usable += time.Duration(float64(turn.Elapsed) * cores)
	}
}

// setRows sets the group's share and rows from all complete rounds.
func (c *contest) setRows() {
	if len(c.complete) == 0 {
		return
	}
	if c.usable > 0 {
		c.group.Share = measure.Share(min(1, float64(c.used)/float64(c.usable)))
	}

	c.group.Rows = nil
	for i, w := range c.ways {
		if w.Error == "" {
			w.Figures = c.figures(i)
		}
		c.group.Rows = append(c.group.Rows, w.Row)
	}
}

// figures returns the figures of a way, by column.
func (c *contest) figures(way int) (list []*Figure) {
	for column := range c.group.Columns {
		var rounds []float64
		for _, round := range c.complete {
			if turn := round[way]; column < len(turn) {
				rounds = append(rounds, turn[column])
			}
		}
		list = append(list, Of(rounds...))
	}
	return list
}
