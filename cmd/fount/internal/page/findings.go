// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// What a reader should take home: a figure and a chart for each question.

import (
	"html/template"
	"slices"
	"strings"

	"fount/cmd/internal/lab"
)

// A finding is a question with what one column of a study answers. Rows are named as in the study;
// of rows of one line the last counts.
type finding struct {
	Study       string
	group, unit string // how the group's name begins, and the column's unit; "": the first
	Asks        string
	row         string // whose figure is told
	times       bool   // or rather its ratio to its base
	fewer       bool   // or how many times its base's is that of the row
	Says        string // of the figure
	Charts      string // what the bars show
	rows        []bar  // of the chart

	Figure string
	Bars   []bar
}

// A bar is a row's name, or its label in the chart, and the figure.
type bar struct {
	row, Label, Text string
	Bar              template.HTML
}

// Fount reports whether the bar is fount's.
func (b bar) Fount() bool { return strings.HasPrefix(b.Label, "fount") }

// asked are the questions, in the order of the page.
var asked = []finding{
	{
		Study: "nonce", group: "Today: Go's way to the kernel, nothing after", unit: "core-ns/op",
		Asks: "What does a nonce cost?",
		row:  "fount", fewer: true,
		Says:   "as many from the same core time by fount as by crypto/rand",
		Charts: "core ns for 16 random bytes",
		rows: []bar{
			{row: "crypto/rand", Label: "crypto/rand"},
			{row: "Amortized", Label: "256 bytes kept by each goroutine (2016)"},
			{row: "fount", Label: "fount"},
		},
	},
	{
		Study: "scale", group: "Values of 16 bytes, by threads",
		Asks: "Do more cores make more?",
		row:  "fount", times: true,
		Says:   "as many values a second by fount on all cores as on one",
		Charts: "all cores to one, values a second",
		rows: []bar{
			{row: "arithmetic", Label: "arithmetic, which shares nothing"},
			{row: "fount", Label: "fount"},
			{row: "crypto/rand", Label: "crypto/rand"},
			{row: "one mutex", Label: "one generator behind a mutex"},
		},
	},
	{
		Study: "password", group: "A bcrypt of cost", unit: "core-sec/op",
		Asks: "How many bcrypts does a core make?",
		row:  "lanes on one core: 5", fewer: true,
		Says:   "as many where fount's pool hashes five at once on a core",
		Charts: "core time of a hash",
		rows: []bar{
			{row: "serial", Label: "golang.org/x/crypto"},
			{row: "lanes on one core: 1", Label: "fount, one at a time"},
			{row: "lanes on one core: 5", Label: "fount, five at once"},
		},
	},
	{
		Study: "logins", group: "By what x/crypto's bcrypt can do",
		Asks:   "Are logins answered in an overload?",
		row:    "pool",
		Says:   "of the logins are answered in time by fount's pool, at four times what x/crypto's bcrypt can do",
		Charts: "part of them that is answered in time",
		rows: []bar{
			{row: "max_out", Label: "a goroutine for each"},
			{row: "semaphore", Label: "a semaphore"},
			{row: "one_lane", Label: "fount's pool, a hash at a time on a core"},
			{row: "pool", Label: "fount's pool, several at once"},
		},
	},
	{
		Study:  "files",
		Asks:   "Do programs wait for random bytes?",
		row:    "fount's files by 9P",
		Says:   "for 128 bytes of fount's files, where programs start together",
		Charts: "median wait",
		rows: []bar{
			{row: "Plan 9's device, emulated", Label: "a slow device (2015)"},
			{row: "fount's files by 9P", Label: "fount's files by 9P"},
			{row: "fount's files by FUSE", Label: "fount's files by FUSE"},
			{row: "/dev/urandom", Label: "/dev/urandom"},
		},
	},
}

// findings are those that the results hold.
func findings(results []lab.Result) (list []finding) {
	for _, f := range asked {
		for _, r := range results {
			for _, g := range r.Groups {
				if r.Study == f.Study && strings.HasPrefix(g.Name, f.group) && f.answer(g) {
					list = append(list, f)
				}
			}
		}
	}
	return list
}

// answer fills in the figure and the bars, if the group has the row. What was not judged is no
// answer.
func (f *finding) answer(g lab.Group) bool {
	column := slices.IndexFunc(g.Columns, func(c lab.Column) bool { return f.unit == "" || c.Unit == f.unit })
	if column < 0 {
		return false
	}
	table := g.Table()
	tell := func(name string) (figure *lab.Figure, text string) {
		for i, r := range g.Rows {
			line := r.Name
			if last := strings.LastIndex(line, ", "); last >= 0 && r.X != 0 {
				line = line[:last]
			}
			if line != name || column >= len(r.Figures) || r.Figures[column] == nil {
				continue
			}
			figure, text = r.Figures[column], table.Rows[i][slices.Index(table.Head, g.Columns[column].Name)]
			if f.times && r.Verdict != nil {
				figure, text = &r.Verdict.Ratio, r.Verdict.Times()
			}
			if f.fewer && name == f.row {
				text = r.Verdict.Fewer()
			}
		}
		return figure, text
	}
	own, text := tell(f.row)
	f.Bars = nil
	switch {
	case own == nil:
		return false
	case !g.Quiet() || !g.Tells(column):
		f.Figure, f.Says = "?", "not told: "+g.Share.String()
		return true
	case text == "-":
		f.Figure, f.Says = "?", "not told: too few rounds"
		return true
	case text == "~":
		f.Figure, f.Says = text, "not told apart: "+f.Says
	case f.times, f.fewer:
		f.Figure = text + "×"
	default:
		f.Figure = text
	}
	f.fewer = false // bars are of figures
	full := 0.0
	for _, b := range f.rows {
		if figure, _ := tell(b.row); figure != nil {
			full = max(full, figure.Value)
		}
	}
	for _, b := range f.rows {
		if figure, text := tell(b.row); figure != nil {
			b.Text, b.Bar = text, drawBar(figure, full)
			f.Bars = append(f.Bars, b)
		}
	}
	return true
}
