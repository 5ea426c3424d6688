// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// What a reader should take home: a figure and a chart for each question.

import (
	"html/template"
	"slices"
	"strings"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/show"
)

// A finding is a study's headline with the figure and the bars of its results.
type finding struct {
	lab.Headline
	Study  string
	Figure string
	Drawn  []bar
}

// A bar is a label in the chart, and the figure.
type bar struct {
	Label, Text string
	Bar         template.HTML
}

// Fount reports whether the bar is fount's.
func (b bar) Fount() bool { return strings.HasPrefix(b.Label, "fount") }

// findings returns those that the results hold, in the order of the studies.
func findings(studies []lab.Study, results []lab.Result) (list []finding) {
	for _, s := range studies {
		if s.Headline == nil {
			continue
		}

		for _, r := range results {
			for _, g := range r.Groups {
				f := finding{Headline: *s.Headline, Study: s.Name}
				if r.Study == s.Name && strings.HasPrefix(g.Name, f.Group) && f.answer(g) {
					list = append(list, f)
				}
			}
		}
	}
	return list
}

// answer sets the figure and the bars, and reports whether the group has the row. The figure is ? if
// it was not judged.
func (f *finding) answer(g lab.Group) bool {
	column := slices.IndexFunc(g.Columns, func(c lab.Column) bool { return f.Unit == "" || c.Unit == f.Unit })
	if column < 0 {
		return false
	}

	t := judged{Group: g, column: column, table: g.Table()}
	row, ok := t.last(f.Row)
	if !ok {
		return false
	}

	text := t.text(row, f.Tells)
	switch {
	case !g.Tells(column):
		f.Figure = "?"
		f.Says = "not told: " + g.Share.String()
		return true
	case text == "-":
		f.Figure = "?"
		f.Says = "not told: too few rounds"
		return true
	case text == "~":
		f.Figure = text
		f.Says = "not told apart: " + f.Says
	case f.Tells == lab.TellFigure:
		f.Figure = text
	default:
		f.Figure = text + "×"
	}

	f.draw(t)
	return true
}

// draw sets the bars, which are of figures or ratios.
func (f *finding) draw(t judged) {
	tells := f.Tells
	if tells == lab.TellFewer {
		tells = lab.TellFigure
	}

	full := 0.0
	for _, b := range f.Bars {
		if row, ok := t.last(b.Row); ok {
			full = max(full, t.figure(row, tells).Value)
		}
	}

	for _, b := range f.Bars {
		if row, ok := t.last(b.Row); ok {
			f.Drawn = append(f.Drawn, bar{Label: b.Label, Text: t.text(row, tells), Bar: drawBar(t.figure(row, tells), full)})
		}
	}
}

// A judged is the column of a group that answers a question.
type judged struct {
	lab.Group
	column int
	table  show.Table
}

// last returns the last row of this name, or of the line of this name, that has a figure.
func (t judged) last(name string) (row int, ok bool) {
	for i, r := range t.Rows {
		line := r.Name
		if comma := strings.LastIndex(line, ", "); comma >= 0 && r.X != 0 {
			line = line[:comma]
		}
		if line == name && t.column < len(r.Figures) && r.Figures[t.column] != nil {
			row = i
			ok = true
		}
	}
	return row, ok
}

func (t judged) figure(row int, tells lab.Telling) *lab.Figure {
	r := t.Rows[row]
	if tells == lab.TellRatio && r.Verdict != nil {
		return &r.Verdict.Ratio
	}
	return r.Figures[t.column]
}

func (t judged) text(row int, tells lab.Telling) string {
	v := t.Rows[row].Verdict
	switch {
	case tells == lab.TellFewer:
		return v.Fewer()
	case tells == lab.TellRatio && v != nil:
		return v.Times()
	}
	return t.table.Rows[row][slices.Index(t.table.Head, t.Columns[t.column].Name)]
}
