// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

// Lines over a numeric axis.

import (
	"errors"
	"fmt"
	"math"
)

// Lines is a plot of one or more series, with a key at its right.
type Lines struct {
	Title   string
	X, Y    Axis
	Series  []Series // in the order of the key
	Caption []string // small lines below: where the figures are from
}

// A Stack is plots one above the other. Their captions are not shown.
type Stack struct {
	Title   string
	Panels  []Lines
	Caption []string
}

// An Axis is one of the two.
type Axis struct {
	Label    string
	Log      bool
	Min, Max float64 // if both are 0, those of the points
	Ticks    []Tick  // nil: 1, 2 and 5 times powers of ten where Log is set, else what fits
}

// A Tick is a labelled place on an axis.
type Tick struct {
	At    float64
	Label string
}

// A Series is a line through points.
type Series struct {
	Name   string
	Points []Point
	Look   Look
}

// A Point is a place in a plot. Both are at most 1e18; with Log axes they are 1e-18 or more.
type Point struct{ X, Y float64 }

// A Look is how a series is drawn. The marks at its points are the package's: each series has another.
type Look struct {
	Color  Color
	Dashed bool
	Strong bool    // what the plot is about
	Plain  bool    // no marks: a line to compare with, or one of very many points
	Steps  bool    // a level from each point to the next; Y of the last one does not count
	Filled bool    // the levels of Steps are columns
	Gap    float64 // points whose X are further apart are not joined; 0: all are
}

const (
	linesHeight = 380.0 // of a plot alone, without title and captions
	panelHeight = 300.0 // of one of several, with its head
	headSpace   = 22.0  // of it for the head
	leftSpace   = 72.0  // for the labels of the y axis
	lowerSpace  = 50.0  // and of the x axis
	keyWidth    = 222.0
	keyLineSize = 23.0
)

// SVG draws the plot. A series without points is an error, and a point without a place on the axes.
func (l Lines) SVG() ([]byte, error) {
	s := NewSheet(40 + linesHeight + captionLine*float64(len(l.Caption)))
	s.Title(l.Title, l.Caption)
	p := panel{s: s, left: leftSpace, right: Width - keyWidth, top: 40, bottom: 40 + linesHeight - lowerSpace}
	if err := l.draw(p); err != nil {
		return nil, err
	}
	return s.SVG(l.Title), nil
}

// NarrowSVG draws the plot with its key below.
func (l Lines) NarrowSVG() ([]byte, error) {
	l.Caption = wrapAll(Font{Size: captionSize}, NarrowWidth-24, l.Caption)
	label := wrap(Font{Size: labelSize}, NarrowWidth-24, l.Y.Label)
	top := 40 + titleLine*float64(len(titleLines(NarrowWidth, l.Title))-1) + labelLine*float64(len(label))
	bottom := top + 250
	height := bottom + lowerSpace + keyLineSize*float64(len(l.Series)) + 12 + captionLine*float64(len(l.Caption))
	p := panel{s: newSheet(NarrowWidth, height), left: 60, right: NarrowWidth - 12, top: top, bottom: bottom, narrow: true}
	p.s.Title(l.Title, l.Caption)
	for i, line := range label {
		p.s.Text(Font{Size: labelSize}, 12, top-8-labelLine*float64(len(label)-1-i), line)
	}
	if err := l.draw(p); err != nil {
		return nil, err
	}
	return p.s.SVG(l.Title), nil
}

// SVG draws the plots. A series without points is an error, and a point without a place on the axes.
func (k Stack) SVG() ([]byte, error) {
	s := NewSheet(44 + panelHeight*float64(len(k.Panels)) + captionLine*float64(len(k.Caption)))
	s.Title(k.Title, k.Caption)
	for i, l := range k.Panels {
		top := 44 + panelHeight*float64(i) + headSpace
		s.Text(Font{Size: headSize, Anchor: Middle}, (leftSpace+Width-keyWidth)/2, top-8, l.Title)
		p := panel{s: s, left: leftSpace, right: Width - keyWidth, top: top, bottom: top + panelHeight - headSpace - lowerSpace}
		if err := l.draw(p); err != nil {
			return nil, err
		}
	}
	return s.SVG(k.Title), nil
}

// panel is where one plot is drawn.
type panel struct {
	s                        *Sheet
	left, right, top, bottom float64
	x, y                     Axis // with their ends
	narrow                   bool // the key stands below, and the label of y above
}

// at is the place of a point.
func (p panel) at(v Point) Point {
	return Point{p.left + (p.right-p.left)*p.x.part(v.X), p.bottom - (p.bottom-p.top)*p.y.part(v.Y)}
}

// draw draws the plot.
func (l Lines) draw(p panel) error {
	for _, series := range l.Series {
		if len(series.Points) == 0 {
			return fmt.Errorf("%s: %w", series.Name, errors.New("no points"))
		}
		for _, at := range series.Points {
			if !l.X.has(at.X) || !l.Y.has(at.Y) {
				return fmt.Errorf("%s: no place for the point %v", series.Name, at)
			}
		}
	}
	p.x = l.X.limited(l.Series, func(at Point) float64 { return at.X })
	p.y = l.Y.limited(l.Series, func(at Point) float64 { return at.Y })
	p.axes()
	for i, series := range l.Series {
		if series.Look.Filled {
			p.columns(series)
		}
		p.key(i, series)
	}
	for i, series := range l.Series {
		if !series.Look.Filled {
			p.line(i, series)
		}
	}
	return nil
}

// axes draws the two, their ticks and the grid.
func (p panel) axes() {
	grid, black := Stroke{GridLine, 0.7, false}, Stroke{Black, 0.7, false}
	end := math.Inf(-1) // of the last label
	for _, t := range p.x.ticks() {
		x := p.at(Point{t.At, p.y.Min}).X
		p.s.Line(grid, Point{x, p.bottom}, Point{x, p.top})
		p.s.Line(black, Point{x, p.bottom}, Point{x, p.bottom + 5})
		half := TextWidth(Font{Size: tickSize}, t.Label) / 2
		if p.narrow {
			x = min(x, NarrowWidth-2-half)
			if t.Label == "" || x-half < end+6 { // no room beside the one before
				continue
			}
		}
		end = x + half
		p.s.Text(Font{Size: tickSize, Anchor: Middle}, x, p.bottom+18, t.Label)
	}
	for _, t := range p.y.ticks() {
		y := p.at(Point{p.x.Min, t.At}).Y
		p.s.Line(grid, Point{p.left, y}, Point{p.right, y})
		p.s.Line(black, Point{p.left - 5, y}, Point{p.left, y})
		p.s.Text(Font{Size: tickSize, Anchor: End}, p.left-8, y+tickSize*0.35, t.Label)
	}
	p.s.Line(black, Point{p.left, p.top}, Point{p.left, p.bottom}, Point{p.right, p.bottom})
	p.s.Text(Font{Size: labelSize, Anchor: Middle}, (p.left+p.right)/2, p.bottom+38, p.x.Label)
	if p.narrow {
		return
	}
	p.s.Text(Font{Size: labelSize, Anchor: Middle, Upward: true}, p.left-leftSpace+18, (p.top+p.bottom)/2, p.y.Label)
}

// stroke is how a series' line is drawn.
func (k Look) stroke() Stroke {
	if k.Strong {
		return Stroke{k.Color, 3.2, k.Dashed}
	}
	return Stroke{k.Color, 1.9, k.Dashed}
}

// line draws the i-th series.
func (p panel) line(i int, s Series) {
	var points []Point
	for k, at := range s.Points {
		if s.Look.Steps && k > 0 {
			points = append(points, p.at(Point{at.X, s.Points[k-1].Y}))
		}
		if s.Look.Steps && k == len(s.Points)-1 {
			break
		}
		points = append(points, p.at(at))
	}
	from := 0
	for k := 1; s.Look.Gap > 0 && k < len(s.Points); k++ {
		if s.Points[k].X-s.Points[k-1].X > s.Look.Gap {
			p.s.Line(s.Look.stroke(), points[from:k]...)
			from = k
		}
	}
	p.s.Line(s.Look.stroke(), points[from:]...)
	if s.Look.Plain || s.Look.Steps {
		return
	}
	for _, at := range points {
		p.mark(i, s.Look.Color, at)
	}
}

// columns draws the levels of a series.
func (p panel) columns(s Series) {
	for k, at := range s.Points[:len(s.Points)-1] {
		from, to := p.at(at), p.at(Point{s.Points[k+1].X, at.Y})
		p.s.Rect(s.Look.Color, from.X+0.7, from.Y, to.X-from.X-1.4, p.bottom-from.Y)
	}
}

// key says what the i-th series is.
func (p panel) key(i int, s Series) {
	x, y := p.right+16, p.top+10+keyLineSize*float64(i)
	if p.narrow {
		x, y = 12, p.bottom+lowerSpace+10+keyLineSize*float64(i)
	}
	if s.Look.Filled {
		p.s.Rect(s.Look.Color, x, y-6, 36, 12)
	} else {
		p.s.Line(s.Look.stroke(), Point{x, y}, Point{x + 36, y})
		if !s.Look.Plain && !s.Look.Steps {
			p.mark(i, s.Look.Color, Point{x + 18, y})
		}
	}
	p.s.Text(Font{Size: tickSize}, x+43, y+tickSize*0.35, s.Name)
}

// mark draws the i-th of eight marks.
func (p panel) mark(i int, c Color, at Point) {
	const r = 4
	x, y := at.X, at.Y
	ring := func(corners ...Point) { p.s.Line(Stroke{c, 1.3, false}, append(corners, corners[0])...) }
	square := []Point{{x - r, y - r}, {x + r, y - r}, {x + r, y + r}, {x - r, y + r}}
	triangle := []Point{{x, y - r}, {x + r, y + r}, {x - r, y + r}}
	diamond := []Point{{x, y - r - 1}, {x + r + 1, y}, {x, y + r + 1}, {x - r - 1, y}}
	switch i % 8 {
	case 0:
		fmt.Fprintf(&p.s.b, "<circle cx=%q cy=%q r=\"%d\" fill=%q/>\n", px(x), px(y), r, c)
	case 1:
		p.s.Fill(c, square...)
	case 2:
		p.s.Fill(c, triangle...)
	case 3:
		ring(diamond...)
	case 4:
		ring(square...)
	case 5:
		ring(triangle...)
	case 6:
		p.s.Line(Stroke{c, 1.3, false}, square[0], square[2])
		p.s.Line(Stroke{c, 1.3, false}, square[1], square[3])
	case 7:
		p.s.Fill(c, diamond...)
	}
}

// limited is the axis with its ends, those of the points if it has none.
func (a Axis) limited(all []Series, of func(Point) float64) Axis {
	if a.Min != 0 || a.Max != 0 {
		return a
	}
	a.Min, a.Max = math.Inf(1), math.Inf(-1)
	for _, s := range all {
		for _, at := range s.Points {
			a.Min, a.Max = math.Min(a.Min, of(at)), math.Max(a.Max, of(at))
		}
	}
	switch {
	case a.Log:
		a.Min, a.Max = a.Min/1.1, a.Max*1.1
	case a.Min == a.Max:
		a.Min, a.Max = a.Min-1, a.Max+1
	}
	return a
}

// greatest bounds what is drawn. Nothing that was measured comes near it, and the ends of an axis stay finite.
const greatest = 1e18

// has reports whether a value has a place on the axis.
func (a Axis) has(v float64) bool {
	return math.Abs(v) <= greatest && (v >= 1/greatest || !a.Log)
}

// part is where a value stands between the ends, from 0 to 1.
func (a Axis) part(v float64) float64 {
	if a.Log {
		return math.Log(v/a.Min) / math.Log(a.Max/a.Min)
	}
	return (v - a.Min) / (a.Max - a.Min)
}

// ticks are those between the ends.
func (a Axis) ticks() (list []Tick) {
	all := a.Ticks
	switch {
	case all != nil:
	case a.Log:
		all = decades(a.Min, a.Max)
	default:
		all = linearTicks(a.Min, a.Max)
	}
	for _, t := range all {
		if part := a.part(t.At); part >= -1e-9 && part <= 1+1e-9 {
			list = append(list, t)
		}
	}
	return list
}

// linearTicks are the multiples of 1, 2 or 5 times a power of ten: from 3 on, at most 7.
func linearTicks(low, high float64) (ticks []Tick) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/6)))
	for _, more := range []float64{2, 2.5, 2} {
		if (high-low)/step > 6 {
			step *= more
		}
	}
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		at := i*step + 0 // not -0
		ticks = append(ticks, Tick{at, Number(at)})
	}
	return ticks
}

// decades are ticks at 1, 2 and 5 times each power of ten; from four decades on at the powers alone have labels.
func decades(low, high float64) (ticks []Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, v := range []float64{power, 2 * power, 5 * power} {
			t := Tick{v, Number(v)}
			if v != power && high/low > 1e4 {
				t.Label = ""
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// Number writes a number for an axis: 0.5, 20, 1,000, 10 M.
func Number(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.3g M", v/1e6)
	case v >= 1e5:
		return fmt.Sprintf("%.3g k", v/1e3)
	case v >= 1000:
		return fmt.Sprintf("%d,%03d", int(v)/1000, int(v)%1000)
	}
	return fmt.Sprintf("%.3g", v)
}
