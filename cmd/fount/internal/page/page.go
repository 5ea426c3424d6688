// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package page makes one HTML page of results. It needs no other file, fits a telephone, prints. So
// its bars are SVG, which mail readers and printers show without a script; package live, which
// draws series that move, has uPlot for axes and scales.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/measure"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS template.CSS

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"css":    func() template.CSS { return pageCSS },
	"quiet":  quiet,
	"tables": tables,
}).Parse(pageHTML))

// Write writes the page of the results, with the headlines of the studies.
func Write(w io.Writer, studies []lab.Study, results []lab.Result) error {
	return page.Execute(w, struct {
		Findings []finding
		Results  []lab.Result
	}{findings(studies, results), results})
}

// quiet says what part of the cores the program had for most tables, and the least for one.
func quiet(results []lab.Result) string {
	var shares []float64
	for _, r := range results {
		for _, g := range r.Groups {
			if g.Share > 0 {
				shares = append(shares, float64(g.Share))
			}
		}
	}

	if shares == nil {
		return "not known"
	}

	usual := lab.Of(shares...).Value
	answer := "yes"
	if !measure.Share(usual).Quiet() {
		answer = "no"
	}

	return fmt.Sprintf("%s: fount had %.0f %% of the cores, and for one table %.0f %%",
		answer, 100*usual, 100*slices.Min(shares))
}

// A table is columns of a group.
type table struct {
	Heads []string
	Rows  []row
}

// A row is a row of a table. One with an error has no cells.
type row struct {
	Name  string
	Error string
	Bar   template.HTML
	Cells []string
}

// shown is how many columns a table has beside its names and bars.
const shown = 5

// tables returns the group's table, with bars of the first column, and another of the columns that
// it has no room for, if there are any.
func tables(g lab.Group) (list []table) {
	all := g.Table()
	full := fullValue(g)
	end := min(1+shown, len(all.Head))

	for _, columns := range []struct{ from, to int }{{1, end}, {end, len(all.Head)}} {
		if columns.from == columns.to {
			continue
		}

		t := table{Heads: all.Head[columns.from:columns.to]}
		for i, r := range g.Rows {
			next := row{Name: r.Name, Error: r.Error}
			if r.Error == "" {
				next.Cells = all.Rows[i][columns.from:columns.to]
			}
			if columns.from == 1 && len(r.Figures) > 0 {
				next.Bar = drawBar(r.Figures[0], full)
			}
			t.Rows = append(t.Rows, next)
		}
		list = append(list, t)
	}
	return list
}

// fullValue returns the greatest figure of the first column, or end of its interval.
func fullValue(g lab.Group) float64 {
	full := 0.0
	for _, r := range g.Rows {
		if len(r.Figures) == 0 || r.Figures[0] == nil {
			continue
		}
		full = max(full, r.Figures[0].Value)
		if high := r.Figures[0].High; high != nil {
			full = max(full, *high)
		}
	}
	return full
}

// drawBar is an SVG of a figure and its interval, as long as its room at the value full.
func drawBar(f *lab.Figure, full float64) template.HTML {
	if f == nil || !(full > 0) || !(f.Value >= 0) {
		return ""
	}

	at := func(v float64) float64 { return min(100, 100*max(0, v)/full) }
	spread := ""
	if f.Low != nil && f.High != nil {
		spread = fmt.Sprintf(`<path class="halo" d="M%.2f 5H%.2f"/><path class="spread" d="M%.2[1]f 5H%.2[2]f"/>`, at(*f.Low), at(*f.High))
	}

	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">`+
		`<rect width="%.2f" height="10"/>%s</svg>`, max(0.4, at(f.Value)), spread)) // numbers alone
}
