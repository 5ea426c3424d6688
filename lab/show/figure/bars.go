// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

// Horizontal bars.

import (
	"fmt"
	"math"
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
	Color Color
}

// A Row is a label with a bar for each key.
type Row struct {
	Label  string
	Strong bool      // what the plot is about: its label is bold
	Values []float64 // NaN draws no bar
	Text   string    // right of the longest bar
}

const (
	barHeight = 12.0
	rowGap    = 9.0
	barsTop   = 45.0
	keyLine   = 24.0
	labelLine = 18.0
	axisSpace = 48.0
)

// SVG draws the bars. A row with more Values than there are Keys is an error, as is a value beyond 1e18.
func (b Bars) SVG() ([]byte, error) {
	a := bars{b: b, row: barHeight*float64(len(b.Keys)) + rowGap, top: barsTop, unit: []string{b.Unit}}
	a.left, a.right = b.margins()
	return a.svg(Width)
}

// NarrowSVG draws them with each label above its bars.
func (b Bars) NarrowSVG() ([]byte, error) {
	b.Caption = wrapAll(Font{Size: captionSize}, NarrowWidth-24, b.Caption)
	a := bars{b: b, above: labelLine, row: labelLine + barHeight*float64(len(b.Keys)) + rowGap, left: 12}
	a.top = barsTop + titleLine*float64(len(titleLines(NarrowWidth, b.Title))-1)
	a.unit = wrap(Font{Size: labelSize}, NarrowWidth-24, b.Unit)
	_, a.right = b.margins()
	a.right += NarrowWidth - Width
	return a.svg(NarrowWidth)
}

// svg draws the bars on a sheet.
func (a bars) svg(width float64) ([]byte, error) {
	b := a.b
	for _, r := range b.Rows {
		if len(r.Values) > len(b.Keys) {
			return nil, fmt.Errorf("row %s has %d values for %d keys", r.Label, len(r.Values), len(b.Keys))
		}
		for _, v := range r.Values {
			if !math.IsNaN(v) && math.Abs(v) > greatest {
				return nil, fmt.Errorf("row %s: no place for a bar of %g", r.Label, v)
			}
		}
	}
	a.full = b.full()
	keys := a.keys(width)
	if len(keys) > 0 {
		a.top = keys[len(keys)-1].y + barHeight + 9
	}
	a.bottom = a.top + a.row*float64(len(b.Rows))
	a.s = newSheet(width, a.bottom+axisSpace+labelLine*float64(len(a.unit)-1)+captionLine*float64(len(b.Caption)))
	a.s.Title(b.Title, b.Caption)
	for i, k := range keys {
		a.s.Rect(b.Keys[i].Color, k.x, k.y, 19, barHeight)
		a.s.Text(Font{Size: labelSize}, k.x+25, k.y+11, b.Keys[i].Name)
	}
	a.axis()
	for i, r := range b.Rows {
		a.draw(i, r)
	}
	if b.Mark != 0 {
		x := a.x(b.Mark)
		a.s.Line(Stroke{Gray, 1.3, true}, Point{x, a.bottom}, Point{x, a.top})
	}
	return a.s.SVG(b.Title), nil
}

// margins are where the bars begin and where the longest may end.
func (b Bars) margins() (left, right float64) {
	most := 0.0
	for _, r := range b.Rows {
		left = max(left, TextWidth(Font{Size: labelSize, Bold: true}, r.Label))
		most = max(most, TextWidth(Font{Size: labelSize}, r.Text))
	}
	return left + 27, Width - most - 29
}

// full is the end of the axis: the next of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten.
func (b Bars) full() float64 {
	most := b.Mark
	for _, r := range b.Rows {
		for _, v := range r.Values {
			if v > most {
				most = v
			}
		}
	}
	if most <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, m := range []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		if most <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// bars is where they are drawn.
type bars struct {
	s                        *Sheet
	b                        Bars
	row                      float64
	left, right, top, bottom float64
	above                    float64 // of a row: the space for its label above the bars; 0: it stands left of them
	full                     float64
	unit                     []string // its lines
}

func (a bars) x(v float64) float64 { return a.left + (a.right-a.left)*math.Min(v/a.full, 1) }

// keys are the places of the keys, from left to right and down: what the bars of a row are. A single one goes without.
func (a bars) keys(width float64) (at []struct{ x, y float64 }) {
	if len(a.b.Keys) < 2 {
		return nil
	}
	x, y := a.left, a.top+keyLine-21
	for _, k := range a.b.Keys {
		long := 25 + TextWidth(Font{Size: labelSize}, k.Name)
		if x+long > width && x > a.left {
			x, y = a.left, y+labelLine
		}
		at = append(at, struct{ x, y float64 }{x, y})
		x += long + 29
	}
	return at
}

// axis draws the scale and its lines.
func (a bars) axis() {
	for _, t := range linearTicks(0, a.full) {
		x := a.x(t.At)
		a.s.Line(Stroke{GridLine, 0.7, false}, Point{x, a.bottom}, Point{x, a.top})
		a.s.Text(Font{Size: tickSize, Anchor: Middle}, x, a.bottom+14, t.Label)
	}
	a.s.Line(Stroke{Black, 1, false}, Point{a.left, a.bottom}, Point{a.left, a.top})
	middle := (a.left + a.right) / 2
	if a.above > 0 {
		middle = a.s.width / 2
	}
	for i, line := range a.unit {
		a.s.Text(Font{Size: labelSize, Anchor: Middle}, middle, a.bottom+33+labelLine*float64(i), line)
	}
}

// draw draws the i-th row.
func (a bars) draw(i int, r Row) {
	top := a.top + a.row*float64(i) + rowGap/2 + a.above
	long := a.left
	for k, v := range r.Values {
		if math.IsNaN(v) {
			continue
		}
		x := max(a.x(v), a.left+1) // what is above zero is seen
		a.s.Rect(a.b.Keys[k].Color, a.left, top+barHeight*float64(k), x-a.left, barHeight-1)
		long = max(long, x)
	}
	middle := top + barHeight*float64(len(a.b.Keys))/2 + labelSize*0.35
	if a.above > 0 {
		a.s.Text(Font{Size: labelSize, Bold: r.Strong}, a.left+4, top-4, r.Label)
	} else {
		a.s.Text(Font{Size: labelSize, Anchor: End, Bold: r.Strong}, a.left-9, middle, r.Label)
	}
	a.s.Text(Font{Size: labelSize}, long+8, middle, r.Text)
}
