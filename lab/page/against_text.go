// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// A comparison for a terminal and for the page.

import (
	"fmt"
	"strings"

	"fount/lab/show"
)

const indent = "  "

// Text is the comparison for a screen.
func (c *Comparison) Text(s show.Style) string {
	text := show.Paragraph("old: "+c.Old.String(), s.Width, "", indent) + show.Paragraph("new: "+c.New.String(), s.Width, "", indent)
	section := ""
	for _, t := range c.tables() {
		if t.section != section {
			section = t.section
			text += "\n" + section + "\n"
		}
		text += "\n" + show.Paragraph(t.Caption, s.Width, indent, indent)
		rows := show.Table{Head: t.Head}
		for _, r := range t.Rows {
			rows.Rows = append(rows.Rows, r.Cells)
		}
		text += rows.Fit(s.Width-len(indent), "n", "95 %", "p", "old", "new").String(indent)
	}
	if len(c.Figures) == 0 {
		text += "\nThe two have no figure in common.\n"
	}
	text += "\n"
	for _, n := range append(c.legend(), c.Notes...) {
		text += show.Paragraph(n, s.Width, "", indent)
	}
	if !s.Unicode {
		text = strings.ReplaceAll(text, "µs", "us")
	}
	return text
}

// String names the report.
func (o Origin) String() string {
	return fmt.Sprintf("%s, %s, %s, %s, %s", o.Dir, o.Time.Format("2 January 2006, 15:04 UTC"), o.Version, o.CPU, o.System)
}

// A comparedTable is the figures of one unit.
type comparedTable struct {
	section string
	table
}

func (c *Comparison) tables() (list []comparedTable) {
	at := map[[2]string]int{}
	for _, f := range c.Figures {
		key := [2]string{f.Section, f.Unit}
		i, ok := at[key]
		if !ok {
			i = len(list)
			at[key] = i
			list = append(list, comparedTable{f.Section, table{Caption: f.Unit, Head: []string{"", "old", "new", "change", "95 %", "p", "n"}}})
		}
		list[i].Rows = append(list[i].Rows, row{Cells: f.cells(), Strong: f.Differs})
	}
	return list
}

// cells are the row of a figure.
func (f Compared) cells() []string {
	cells := []string{f.Name, figureText(f.Old.Median), figureText(f.New.Median), "", "", "", fmt.Sprintf("%d+%d", f.Old.N, f.New.N)}
	cells[3], cells[4], cells[5] = "-", "-", "-"
	switch {
	case f.Change == nil:
	case f.P == nil:
		cells[3] = "(" + percentChange(*f.Change) + ")"
	case f.Differs:
		cells[3] = percentChange(*f.Change)
	default:
		cells[3] = "~"
	}
	if f.Low != nil {
		cells[4] = percentChange(*f.Low) + " to " + percentChange(*f.High)
	}
	if f.P != nil {
		cells[5] = fmt.Sprintf("%.3f", *f.P)
		if *f.P < 0.0005 {
			cells[5] = "<0.001"
		}
	}
	return cells
}

// figureText writes a figure with three digits or more.
func figureText(v float64) string {
	if v < 9.995 {
		return show.Ratio(v)
	}
	return show.NS(v)
}

func percentChange(x float64) string { return fmt.Sprintf("%+.1f%%", 100*x) }

// legend explains the columns of what is there.
func (c *Comparison) legend() (list []string) {
	if c.tested() > 0 {
		list = append(list, "change: the median of new/old over all pairs of values, with its 95 % interval. A value is the median of one "+
			"run's rounds. ~: no difference by a Mann-Whitney U test (p >= 0.05), as benchstat has it.")
	}
	if c.tested() < len(c.Figures) {
		list = append(list, "(in brackets): not tested, because a report has one value (n is 1) or a median alone (n is 0).")
	}
	return list
}

// section is the comparison on the page.
func (c *Comparison) section() section {
	s := section{
		ID: againstID, Title: "Against an older report", Text: []string{"Old: " + c.Old.String() + "."},
		Notes: append(c.legend(), c.Notes...),
	}
	for _, t := range c.tables() {
		t.Caption = t.section + ": " + t.Caption
		t.Head[0] = "what"
		s.Tables = append(s.Tables, t.table)
	}
	if len(c.Figures) == 0 {
		s.Missing = "the two reports have no figure in common"
	}
	return s
}
