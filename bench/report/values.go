// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// peers-values.svg: the cost of single values, in bars.

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"fount/bench/internal/figure"
	"fount/bench/peers"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The plot has two columns of panels, one panel a task, and in it a row for each peer: its name, a
// bar for one core and one for all, and the figures.
const (
	valuesWidth = 800 * figure.Pixel
	valuesTop   = 84 * figure.Pixel // title and key
	valuesEnd   = 52 * figure.Pixel // captions
	columnWidth = valuesWidth / 2
	nameWidth   = 160 * figure.Pixel
	barWidth    = 170 * figure.Pixel // the longest
	barHeight   = 10 * figure.Pixel
	rowHeight   = 27 * figure.Pixel
	panelTop    = 24 * figure.Pixel // its title
	panelBottom = 18 * figure.Pixel

	// A bar of more than this many times the base's is cut, so that the others can be told apart.
	cutAbove = 2
)

// A palette is the colours of one core and of all.
type palette struct{ one, all color.Color }

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
		down   vg.Length
	}
	var places []place
	var length [2]vg.Length
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
		length[column] += panelTop + vg.Length(n)*rowHeight + panelBottom
	}
	if len(places) == 0 {
		return nil
	}
	height := valuesTop + max(length[0], length[1]) + valuesEnd
	f := figure.New(valuesWidth, height)
	unit := "CPU time of one value"
	if !r.cpu {
		unit = "time of one value by the clock"
	}
	f.Title("Single values: " + unit)
	writeKey(f, r, height-66*figure.Pixel)
	f.Caption(append([]string{"A bar with a gap is longer than it is drawn."}, captions(r)...)...)
	for _, p := range places {
		panel(f, r, p.task, vg.Point{X: vg.Length(p.column) * columnWidth, Y: height - valuesTop - p.down})
	}
	return f.Write(w)
}

// writeKey says what the colours are.
func writeKey(f *figure.Figure, r *results, y vg.Length) {
	x := 150 * figure.Pixel
	for _, entry := range []struct {
		name   string
		colors palette
	}{{"fount", fountColors}, {"others", othersColors}} {
		for i, c := range []color.Color{entry.colors.one, entry.colors.all} {
			bar(f, c, vg.Point{X: x, Y: y}, 16*figure.Pixel)
			label := entry.name + ", one core"
			if i == 1 {
				label = fmt.Sprintf("%s, %d cores at once", entry.name, r.cores)
			}
			f.FillText(figure.Style(10), vg.Point{X: x + 22*figure.Pixel, Y: y + 1}, label)
			x += 22*figure.Pixel + figure.Style(10).Width(label) + 20*figure.Pixel
		}
	}
}

// panel draws a task below and to the right of a point.
func panel(f *figure.Figure, r *results, task peers.Task, at vg.Point) {
	list := r.measured(task)
	longest := scale(r, task)
	zero := at.X + nameWidth
	f.FillText(figure.Style(11.5), vg.Point{X: at.X + 12*figure.Pixel, Y: at.Y - 14*figure.Pixel}, task.Title)
	y := at.Y - panelTop
	axis := draw.LineStyle{Color: figure.GridLine, Width: 1}
	f.StrokeLine2(axis, zero, y, zero, y-vg.Length(len(list))*rowHeight)
	for _, p := range list {
		colors := othersColors
		if strings.HasPrefix(p.Name, "fount") {
			colors = fountColors
		}
		name := figure.Style(10)
		name.XAlign, name.YAlign = draw.XRight, draw.YCenter
		f.FillText(name, vg.Point{X: zero - 6*figure.Pixel, Y: y - rowHeight/2}, p.Name)
		for i, all := range []bool{false, true} {
			cost := r.cost(task, p, all).Center
			c := colors.one
			if all {
				c = colors.all
			}
			end := barWidth * vg.Length(min(cost/longest, 1))
			low := y - rowHeight/2 - vg.Length(i)*barHeight
			bar(f, c, vg.Point{X: zero, Y: low}, end)
			if cost > longest {
				cut(f, vg.Point{X: zero + end - 14*figure.Pixel, Y: low})
			}
			f.FillText(figure.Style(8), vg.Point{X: zero + end + 4*figure.Pixel, Y: low + 0.8}, seconds(cost))
		}
		y -= rowHeight
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
func cut(f *figure.Figure, at vg.Point) {
	const slant, width = 4 * figure.Pixel, 3 * figure.Pixel
	f.FillPolygon(color.White, []vg.Point{at, {X: at.X + width, Y: at.Y}, {X: at.X + width + slant, Y: at.Y + barHeight}, {X: at.X + slant, Y: at.Y + barHeight}})
}

// bar fills a bar from its lower left corner.
func bar(f *figure.Figure, c color.Color, at vg.Point, width vg.Length) {
	f.FillPolygon(c, []vg.Point{at, {X: at.X + width, Y: at.Y}, {X: at.X + width, Y: at.Y + barHeight}, {X: at.X, Y: at.Y + barHeight}})
}
