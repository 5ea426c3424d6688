// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// Which rows differ: all comparisons of which a conclusion may speak are entered before any of them is judged, so that
// it is free to choose among them.

import (
	"math"
	"strings"

	"fount/internal/judge"
)

// A Docket is the comparisons of rows, each round with the same round. They are a family of [judge.Family]; of rows that
// cost the same, at most 5 % of dockets hold any that differ.
//
// The zero value is empty.
type Docket struct {
	family  judge.Family
	entries map[entry]*judge.Verdict
}

// An entry names a comparison: the figure, and two rows.
type entry struct{ figure, a, b string }

// tick is what a time of 0 is taken for: a clock that counts ns can't tell less.
const tick = 0.5

// Enter has two rows compared by a figure, unless one of them lacks it or they have been.
func (d *Docket) Enter(figure string, of func(Row) *Sample, a, b Row) {
	name := entry{figure, a.Name, b.Name}
	if d.entries == nil {
		d.entries = map[entry]*judge.Verdict{}
	}
	x, y := of(a), of(b)
	if a.Err != nil || b.Err != nil || x == nil || y == nil || name.a == name.b || d.entries[name] != nil || d.entries[name.turned()] != nil {
		return
	}
	logs := both(x.Values, y.Values, func(x, y float64) float64 { return math.Log(max(x, tick) / max(y, tick)) })
	d.entries[name] = d.family.Add(judge.Split(logs).Estimate(), 0)
}

func (e entry) turned() entry { return entry{e.figure, e.b, e.a} }

// EnterPairs has each row of one list compared with each of another.
func (d *Docket) EnterPairs(figure string, of func(Row) *Sample, list, with []Row) {
	for _, a := range list {
		for _, b := range with {
			d.Enter(figure, of, a, b)
		}
	}
}

// EnterCosts has the rows compared by their costs, and returns the docket, judged.
func EnterCosts(rows, with []Row) *Docket {
	d := new(Docket)
	d.EnterPairs(Mean, Cost, rows, with)
	d.Decide()
	return d
}

// Mean is the name of the costs among the figures.
const Mean = "mean"

// Decide judges what was entered.
func (d *Docket) Decide() { d.family.Decide() }

// Less reports whether row a's figure is less than row b's, for sure.
func (d *Docket) Less(figure, a, b string) bool {
	if v := d.entries[entry{figure, a, b}]; v != nil {
		return v.Below()
	}
	v := d.entries[entry{figure, b, a}]
	return v != nil && v.Above()
}

// Differ reports whether the figures of two rows differ, for sure.
func (d *Docket) Differ(figure, a, b string) bool {
	return d.Less(figure, a, b) || d.Less(figure, b, a)
}

// Costs reports whether the costs of two rows differ, for sure.
func (d *Docket) Costs(a, b string) bool { return d.Differ(Mean, a, b) }

// Any reports whether any two rows differ in any figure.
func (d *Docket) Any() bool {
	for _, v := range d.entries {
		if v.Sure {
			return true
		}
	}
	return false
}

// Ordered is the names of rows that are sorted by their costs, with ~ between neighbours whose costs do not differ, and what ~
// is.
func (d *Docket) Ordered(rows []Row) string {
	var b strings.Builder
	unsure := ""
	for i, r := range rows {
		switch {
		case i == 0:
		case d.Costs(rows[i-1].Name, r.Name):
			b.WriteString(", ")
		default:
			b.WriteString(" ~ ")
			unsure = " (~: no measurable difference)"
		}
		b.WriteString(r.Name)
	}
	return b.String() + unsure
}
