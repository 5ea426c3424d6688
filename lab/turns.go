// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// Rows that a study measures by itself: whole loads and starts of processes, for which the harness is no help.

import (
	"math/rand/v2"
	"slices"
)

// A Way is such a row. Turn measures it once: a figure for each column, NaN where there is none.
type Way struct {
	Row
	Turn func(round int) ([]float64, error)
}

// Turns has ways take turns, in each round in another order, and adds the group of them. --only leaves those that it matches and
// their bases, --count sets the rounds. A way that fails has its error in place of figures.
func (r *Run) Turns(g Group, rounds int, ways []Way) *Group {
	if r.Count > 0 {
		rounds = r.Count
	}
	ways = r.wanted(g.Name, ways)
	values := make([][][]float64, len(ways)) // by way and column
	for i := range values {
		values[i] = make([][]float64, len(g.Columns))
	}
	for round := range rounds {
		for k, i := range rand.Perm(len(ways)) {
			if r.Over() {
				return &g
			}
			if ways[i].Error != "" {
				continue
			}
			r.Show("%s, %d of %d", ways[i].Name, round*len(ways)+k+1, rounds*len(ways))
			figures, err := ways[i].Turn(round)
			if err != nil {
				ways[i].Error = reason(err)
				continue
			}
			for column, v := range figures {
				values[i][column] = append(values[i][column], v)
			}
		}
	}
	if r.Over() || len(ways) == 0 {
		return &g
	}
	for i, w := range ways {
		if w.Error == "" {
			for _, list := range values[i] {
				w.Figures = append(w.Figures, Of(list...))
			}
		}
		g.Rows = append(g.Rows, w.Row)
	}
	return r.Add(g)
}

// wanted are the ways that --only asks for, with their bases, which are their own.
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
