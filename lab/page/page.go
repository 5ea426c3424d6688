// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package page makes one HTML page of results. It needs no other file, fits a telephone, prints.
package page

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"fount/lab"
	"fount/lab/measure"
	"fount/lab/plot"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS template.CSS

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"css":   func() template.CSS { return pageCSS },
	"group": newGroup,
}).Parse(pageHTML))

// Write writes the page of the results.
func Write(w io.Writer, results []lab.Result) error { return page.Execute(w, results) }

// A group is a lab.Group as the page shows it.
type group struct {
	*lab.Group
	Lines []plot.Line // nil: the rows have bars
	Plot  plot.Plot
	Heads []string
	Table []row
}

// A row is a row of a table.
type row struct {
	Name, Error string
	Bar         template.HTML
	Cells       []cell
}

// A cell is a figure, and its ratio to the base's where the table has no column for that.
type cell struct{ Text, Ratio string }

func newGroup(g lab.Group) group {
	table := g.Table()
	v := group{Group: &g, Heads: table.Head[1:]}
	if g.X != "" {
		if v.Lines = lines(g); len(v.Lines) > 0 {
			v.Plot = plot.New(v.Lines)
		}
	}
	full := 0.0
	for _, r := range g.Rows {
		if p, ok := point(r); ok {
			full = max(full, p.Y, p.High)
		}
	}
	for i, r := range g.Rows {
		next := row{Name: r.Name, Error: r.Error}
		if p, ok := point(r); ok && v.Lines == nil {
			next.Bar = plot.Bar(p.Y, p.Low, p.High, full)
		}
		for _, text := range table.Rows[i][1:] {
			next.Cells = append(next.Cells, cell{text, ""})
		}
		v.Table = append(v.Table, next)
	}
	return v
}

// point is the row's first figure; ok is false if it has none.
func point(r lab.Row) (p plot.Point, ok bool) {
	if len(r.Figures) == 0 || r.Figures[0] == nil {
		return p, false
	}
	f := r.Figures[0]
	p = plot.Point{X: r.X, Y: f.Value}
	if f.Low != nil && f.High != nil {
		p.Low, p.High = *f.Low, *f.High
	}
	return p, true
}

// lines are the rows of the same name up to its last comma, and each row without a place by itself.
func lines(g lab.Group) (list []plot.Line) {
	at := map[string]int{}
	for _, r := range g.Rows {
		p, ok := point(r)
		if !ok || r.Name == measure.Empty().Name { // it would press all others together
			continue
		}
		name := r.Name
		if r.X != 0 {
			name = ""
			if i := strings.LastIndex(r.Name, ", "); i >= 0 {
				name = r.Name[:i]
			}
		}
		i, known := at[name]
		if !known {
			i = len(list)
			at[name] = i
			list = append(list, plot.Line{Name: name})
		}
		list[i].Points = append(list[i].Points, p)
	}
	for i := range list {
		if list[i].Name == "" {
			list[i].Name = g.X
		}
	}
	return list
}
