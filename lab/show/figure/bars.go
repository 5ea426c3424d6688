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
	axisSpace = 48.0
)

// SVG draws the bars. A row with more Values than there are Keys is an error.
func (b Bars) SVG() ([]byte, error) {
	for _, r := range b.Rows {
		if len(r.Values) > len(b.Keys) {
			return nil, fmt.Errorf("row %s has %d values for %d keys", r.Label, len(r.Values), len(b.Keys))
		}
	}
	a := bars{b: b, row: barHeight*float64(len(b.Keys)) + rowGap, top: barsTop, full: b.full()}
	if len(b.Keys) > 1 {
		a.top += keyLine
	}
	a.bottom = a.top + a.row*float64(len(b.Rows))
	a.left, a.right = b.margins()
	a.s = NewSheet(a.bottom + axisSpace + captionLine*float64(len(b.Caption)))
	a.s.Title(b.Title, b.Caption)
	a.keys()
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
	s                        *Sheet
	b                        Bars
	row                      float64
	left, right, top, bottom float64
	full                     float64
}

func (a bars) x(v float64) float64 { return a.left + (a.right-a.left)*math.Min(v/a.full, 1) }

// keys says what the bars of a row are.
func (a bars) keys() {
	if len(a.b.Keys) < 2 {
		return
	}
	f, x := Font{Size: labelSize}, a.left
	for _, k := range a.b.Keys {
		a.s.Rect(k.Color, x, a.top-21, 19, barHeight)
		a.s.Text(f, x+25, a.top-10, k.Name)
		x += 25 + TextWidth(f, k.Name) + 29
	}
}

// axis draws the scale and its lines.
func (a bars) axis() {
	for _, t := range linearTicks(0, a.full) {
		x := a.x(t.At)
		a.s.Line(Stroke{GridLine, 0.7, false}, Point{x, a.bottom}, Point{x, a.top})
		a.s.Text(Font{Size: tickSize, Anchor: Middle}, x, a.bottom+14, t.Label)
	}
	a.s.Line(Stroke{Black, 1, false}, Point{a.left, a.bottom}, Point{a.left, a.top})
	a.s.Text(Font{Size: labelSize, Anchor: Middle}, (a.left+a.right)/2, a.bottom+33, a.b.Unit)
}

// draw draws the i-th row.
func (a bars) draw(i int, r Row) {
	top := a.top + a.row*float64(i) + rowGap/2
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
	a.s.Text(Font{Size: labelSize, Anchor: End, Bold: r.Strong}, a.left-9, middle, r.Label)
	a.s.Text(Font{Size: labelSize}, long+8, middle, r.Text)
}
