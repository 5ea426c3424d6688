// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

// Horizontal bars.

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars is rows of bars that begin at one line.
type Bars struct {
	Title   string
	Unit    string // below the axis
	Keys    []Key  // what the bars of a row are, above them; one for each of a row's Values
	Rows    []Row
	Mark    float64  // a line across all rows, 0 for none
	Caption []string // small lines below: where the figures are from
}

// A Key names one bar of each row.
type Key struct {
	Name  string
	Color color.RGBA
}

// A Row is a label with a bar for each key.
type Row struct {
	Label  string
	Strong bool      // what the plot is about: its label is bold
	Values []float64 // NaN draws no bar
	Text   string    // right of the longest bar
}

const (
	barHeight = 9.0
	rowGap    = 7.0
	barsTop   = 34.0
	keyLine   = 18.0
	axisSpace = 36.0
)

// SVG draws the bars. A row with more Values than there are Keys is an error.
func (b Bars) SVG() ([]byte, error) {
	for _, r := range b.Rows {
		if len(r.Values) > len(b.Keys) {
			return nil, fmt.Errorf("row %s has %d values for %d keys", r.Label, len(r.Values), len(b.Keys))
		}
	}
	row := barHeight*vg.Length(len(b.Keys)) + rowGap
	bottom := axisSpace + captionLine*vg.Length(len(b.Caption))
	top := vg.Length(barsTop)
	if len(b.Keys) > 1 {
		top += keyLine
	}
	height := top + row*vg.Length(len(b.Rows)) + bottom
	c := newCanvas(Width, height)
	c.title(b.Title)
	c.caption(b.Caption)
	area := bars{c: c, b: b, row: row}
	area.left, area.right = b.margins()
	area.top, area.bottom = height-top, bottom
	area.full = b.full()
	area.keys()
	area.axis()
	for i, r := range b.Rows {
		area.draw(i, r)
	}
	area.mark()
	return c.bytes(b.Title)
}

// margins are where the bars begin and where the longest may end.
func (b Bars) margins() (left, right vg.Length) {
	st, bold := style(10.5), boldStyle(10.5)
	most := vg.Length(0)
	for _, r := range b.Rows {
		left = max(left, bold.Width(r.Label))
		most = max(most, st.Width(r.Text))
	}
	return left + 20, Width - most - 22
}

// full is the end of the axis: the next of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten.
func (b Bars) full() float64 {
	greatest := b.Mark
	for _, r := range b.Rows {
		for _, v := range r.Values {
			if v > greatest {
				greatest = v
			}
		}
	}
	if greatest <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(greatest)))
	for _, m := range []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		if greatest <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// bars is where they are drawn.
type bars struct {
	c                        *canvas
	b                        Bars
	row                      vg.Length
	left, right, top, bottom vg.Length
	full                     float64
}

func (a bars) x(v float64) vg.Length {
	return a.left + (a.right-a.left)*vg.Length(math.Min(v/a.full, 1))
}

// keys says what the bars of a row are.
func (a bars) keys() {
	if len(a.b.Keys) < 2 {
		return
	}
	st, x := style(10.5), a.left
	for _, k := range a.b.Keys {
		a.c.FillPolygon(k.Color, box(x, a.top+7, x+14, a.top+7+barHeight))
		a.c.FillText(st, vg.Point{X: x + 19, Y: a.top + 7}, k.Name)
		x += 19 + st.Width(k.Name) + 22
	}
}

// axis draws the scale and its lines.
func (a bars) axis() {
	st := style(10)
	st.XAlign, st.YAlign = draw.XCenter, draw.YTop
	for _, t := range (plot.DefaultTicks{}).Ticks(0, a.full) {
		if t.IsMinor() {
			continue
		}
		x := a.x(t.Value)
		a.c.StrokeLine2(draw.LineStyle{Color: GridLine, Width: 0.5}, x, a.bottom, x, a.top)
		a.c.FillText(st, vg.Point{X: x, Y: a.bottom - 3}, Number(t.Value))
	}
	a.c.StrokeLine2(draw.LineStyle{Color: Black, Width: 0.7}, a.left, a.bottom, a.left, a.top)
	unit := style(10.5)
	unit.XAlign, unit.YAlign = draw.XCenter, draw.YTop
	a.c.FillText(unit, vg.Point{X: (a.left + a.right) / 2, Y: a.bottom - 16}, a.b.Unit)
}

// draw draws the i-th row.
func (a bars) draw(i int, r Row) {
	top := a.top - a.row*vg.Length(i) - rowGap/2
	long := a.left
	for k, v := range r.Values {
		if math.IsNaN(v) {
			continue
		}
		y := top - barHeight*vg.Length(k)
		x := max(a.x(v), a.left+0.75) // what is above zero is seen
		a.c.FillPolygon(a.b.Keys[k].Color, box(a.left, y-barHeight+1, x, y))
		long = max(long, x)
	}
	middle := top - barHeight*vg.Length(len(a.b.Keys))/2
	label, st := style(10.5), style(10.5)
	if r.Strong {
		label = boldStyle(10.5)
	}
	label.XAlign, label.YAlign, st.YAlign = draw.XRight, draw.YCenter, draw.YCenter
	a.c.FillText(label, vg.Point{X: a.left - 7, Y: middle}, r.Label)
	a.c.FillText(st, vg.Point{X: long + 6, Y: middle}, r.Text)
}

// mark draws the line across.
func (a bars) mark() {
	if a.b.Mark == 0 {
		return
	}
	x := a.x(a.b.Mark)
	a.c.StrokeLine2(draw.LineStyle{Color: Gray, Width: 1, Dashes: []vg.Length{4, 3}}, x, a.bottom, x, a.top)
}

func box(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// boldStyle is style in bold.
func boldStyle(size vg.Length) text.Style {
	st := style(size)
	st.Font.Weight = 3 // x/image/font.WeightBold, of a module that is not imported for one constant
	return st
}
