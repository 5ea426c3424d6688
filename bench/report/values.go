// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// peers-values.svg: the cost of single values, in bars.

import (
	"fmt"
	"io"
	"math"
	"strings"

	"fount/bench/peers"
	"fount/lab/show/figure"
)

// The plot has two columns of panels, one panel a task, and in it a row for each peer: its name, a
// bar for one core and one for all, and the figures.
const (
	valuesTop   = 84 // title and key
	valuesEnd   = 52 // captions
	columnWidth = figure.Width / 2.0
	nameWidth   = 160
	barWidth    = 170 // the longest
	barHeight   = 10
	rowHeight   = 27
	panelTop    = 24 // its title
	panelBottom = 18

	// A bar of more than this many times the base's is cut, so that the others can be told apart.
	cutAbove = 2
)

// A palette is the colours of one core and of all.
type palette struct{ one, all figure.Color }

var (
	othersColors = palette{figure.Blue, figure.SkyBlue}
	fountColors  = palette{figure.Vermilion, figure.Orange}
)

// writeValues draws the plot, or nothing if no single value was measured.
func writeValues(w io.Writer, r *results) error {
	// Each panel goes to the shorter column.
	type place struct {
		task   peers.Task
		column int
		down   float64
	}
	var places []place
	var length [2]float64
	for _, task := range peers.Values {
		n := len(r.measured(task))
		if n == 0 {
			continue
		}
		column := 0
		if length[1] < length[0] {
			column = 1
		}
		places = append(places, place{task, column, length[column]})
		length[column] += panelTop + float64(n)*rowHeight + panelBottom
	}
	if len(places) == 0 {
		return nil
	}
	sheet := figure.NewSheet(valuesTop + max(length[0], length[1]) + valuesEnd)
	title := "Single values: CPU time of one value"
	if !r.cpu {
		title = "Single values: time of one value by the clock"
	}
	sheet.Title(title, append([]string{"A bar with a gap is longer than it is drawn."}, captions(r)...))
	writeKey(sheet, r)
	for _, p := range places {
		panel(sheet, r, p.task, figure.Point{X: float64(p.column) * columnWidth, Y: valuesTop + p.down})
	}
	_, err := w.Write(sheet.SVG(title))
	return err
}

// writeKey says what the colours are.
func writeKey(s *figure.Sheet, r *results) {
	const y, x0, mark, gap = 52, 140, 22, 20
	font, x := figure.Font{Size: 13}, float64(x0)
	for _, entry := range []struct {
		name   string
		colors palette
	}{{"fount", fountColors}, {"others", othersColors}} {
		for i, c := range []figure.Color{entry.colors.one, entry.colors.all} {
			s.Rect(c, x, y, 16, barHeight)
			label := entry.name + ", one core"
			if i == 1 {
				label = fmt.Sprintf("%s, %d cores at once", entry.name, r.cores)
			}
			s.Text(font, x+mark, y+barHeight-1, label)
			x += mark + figure.TextWidth(font, label) + gap
		}
	}
}

// panel draws a task below and to the right of a point.
func panel(s *figure.Sheet, r *results, task peers.Task, at figure.Point) {
	list := r.measured(task)
	longest := scale(r, task)
	zero, y := at.X+nameWidth, at.Y+panelTop
	s.Text(figure.Font{Size: 15}, at.X+12, at.Y+14, task.Title)
	s.Line(figure.Stroke{Color: figure.GridLine, Width: 1.3}, figure.Point{X: zero, Y: y}, figure.Point{X: zero, Y: y + float64(len(list))*rowHeight})
	for _, p := range list {
		colors := othersColors
		if strings.HasPrefix(p.Name, "fount") {
			colors = fountColors
		}
		s.Text(figure.Font{Size: 13, Anchor: figure.End}, zero-6, y+rowHeight/2+4.5, p.Name)
		for i, all := range []bool{false, true} {
			cost := r.cost(task, p, all).Center
			c := colors.one
			if all {
				c = colors.all
			}
			end := barWidth * min(cost/longest, 1)
			top := y + rowHeight/2 + float64(i-1)*barHeight
			s.Rect(c, zero, top, end, barHeight)
			if cost > longest {
				cut(s, figure.Point{X: zero + end - 14, Y: top})
			}
			s.Text(figure.Font{Size: 10.5}, zero+end+4, top+barHeight-1.5, seconds(cost))
		}
		y += rowHeight
	}
}

// scale is the cost whose bar is the longest: the greatest that is not cut.
func scale(r *results, task peers.Task) (longest float64) {
	limit := math.Inf(1)
	if base := peer(task.Base); r.has(task, base) {
		limit = cutAbove * r.cost(task, base, false).Center
	}
	for _, p := range r.measured(task) {
		for _, all := range []bool{false, true} {
			if cost := r.cost(task, p, all).Center; cost <= limit {
				longest = max(longest, cost)
			}
		}
	}
	return longest
}

// cut marks a bar that is longer than it is drawn.
func cut(s *figure.Sheet, at figure.Point) {
	const slant, width = 4, 3
	s.Fill(figure.White, figure.Point{X: at.X + slant, Y: at.Y}, figure.Point{X: at.X + slant + width, Y: at.Y},
		figure.Point{X: at.X + width, Y: at.Y + barHeight}, figure.Point{X: at.X, Y: at.Y + barHeight})
}
