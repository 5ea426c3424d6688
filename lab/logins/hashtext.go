// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Ways to hash, as a table and a chart.

import (
	"fmt"
	"strings"

	"fount/lab/measure"
	"fount/lab/show"
)

// A HashReport is what was measured of ways to hash. Names of fields stay; fields may be added.
type HashReport struct {
	Argon2id string `json:"argon2id"` // the policy
	measure.Report
}

// HashTable judges the rows: each against serial, and against fount's argon2id.
func HashTable(rows []measure.Row, procs, goroutines int) measure.Table {
	var bases []measure.Row
	for _, r := range rows {
		switch r.Name {
		case Serial, Argon2id, Argon2id + InPool:
			bases = append(bases, r)
		}
	}
	d := measure.EnterCosts(bases, rows)
	return measure.Table{GOMAXPROCS: procs, Goroutines: goroutines, Methods: measure.Against(Serial, rows, d.Costs)}
}

// hashColumns are those of the table, which has rates too, unlike those of other benchmarks.
var hashColumns = []measure.Column{
	{Head: "ms", Cell: milliseconds(measure.Cost)}, measure.Columns("95 %")[0], {Head: "hashes/s", Cell: hashesPerSecond}, measure.Columns("ratio")[0],
	{Head: "core", Cell: milliseconds(func(r measure.Row) *measure.Sample { return r.CoreNS })},
}

func milliseconds(of func(measure.Row) *measure.Sample) func(measure.Row) string {
	return func(r measure.Row) string {
		f := of(r)
		if f == nil {
			return "-"
		}
		return show.MS(f.Median / 1e6)
	}
}

func hashesPerSecond(r measure.Row) string {
	if r.NS == nil {
		return "-"
	}
	return show.PerSecond(1e9 / r.NS.Median)
}

// HashText is the table and a chart of the rates.
func HashText(t measure.Table, s show.Style) string {
	table := show.Table{Head: []string{"per hash"}}
	for _, c := range hashColumns {
		table.Head = append(table.Head, c.Head)
	}
	var bars []show.Bar
	for _, r := range t.Methods {
		cells := []string{r.Name}
		for _, c := range hashColumns {
			cells = append(cells, c.Cell(r))
		}
		table.Rows = append(table.Rows, cells)
		if r.NS != nil {
			bars = append(bars, show.Bar{Label: r.Name, Value: 1e9 / r.NS.Median, Text: hashesPerSecond(r) + "/s"})
		}
	}
	text := "\n" + show.Paragraph(fmt.Sprintf("GOMAXPROCS %d", t.GOMAXPROCS), s.Width, "", show.Indent) +
		table.Fit(s.Width-len(show.Indent), "core", "95 %").String(show.Indent)
	if notes := append(measure.Notes(t.Methods), errorNotes(t.Methods)...); len(notes) > 0 {
		text += show.Paragraph(strings.Join(notes, " "), s.Width, show.Indent, show.Indent)
	}
	return text + "\n" + s.Chart(bars, show.Indent)
}

// errorNotes say what was not measured, each reason once.
func errorNotes(rows []measure.Row) (notes []string) {
	names := map[string][]string{}
	var reasons []string
	for _, r := range rows {
		if r.Error == "" {
			continue
		}
		if names[r.Error] == nil {
			reasons = append(reasons, r.Error)
		}
		names[r.Error] = append(names[r.Error], r.Name)
	}
	for _, why := range reasons {
		notes = append(notes, strings.Join(names[why], ", ")+": "+why+".")
	}
	return notes
}
