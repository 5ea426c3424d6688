// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

// Lines over a numeric axis.

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Lines is a plot of one or more series, with a key at its right.
type Lines struct {
	Title   string
	X, Y    Axis
	Series  []Series // in the order of the key
	Caption []string // small lines below: where the figures are from
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

// A Point is a place in a plot. With Log axes both must be above 0.
type Point struct{ X, Y float64 }

// A Look is how a series is drawn. Glyphs are the package's: each series has another.
type Look struct {
	Color  color.RGBA
	Dashed bool
	Strong bool // what the plot is about
	Plain  bool // no glyphs: a line to compare with, or one of very many points
}

const (
	linesHeight = 420 * Pixel
	labelSpace  = 15.0 // beside an axis, for what it is
	keyWidth    = 215 * Pixel
)

var glyphs = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
	draw.CrossGlyph{}, draw.PlusGlyph{},
}

// SVG draws the plot. A series without points is an error.
func (l Lines) SVG() ([]byte, error) {
	c := newCanvas(Width, linesHeight+captionLine*vg.Length(len(l.Caption)))
	c.title(l.Title)
	c.caption(l.Caption)
	p := plot.New()
	l.X.set(&p.X)
	l.Y.set(&p.Y)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = GridLine, GridLine
	p.Add(grid)
	key := plot.NewLegend()
	key.TextStyle = style(10.5)
	key.Top, key.Left, key.Padding, key.ThumbnailWidth = true, true, 5, 30
	for i, s := range l.Series {
		if err := s.add(p, &key, glyphs[i%len(glyphs)]); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	l.X.limit(&p.X)
	l.Y.limit(&p.Y)
	area := draw.Crop(c.Canvas, 8+labelSpace, -keyWidth, captionLine*vg.Length(len(l.Caption))+12+labelSpace, -40)
	p.Draw(area)
	l.labels(area)
	key.Draw(draw.Crop(c.Canvas, Width-keyWidth+12, 0, 0, -48))
	return c.bytes(l.Title)
}

// labels writes what the axes are beside them: gonum/plot would place a label of a logarithmic axis at 95 % of it, and
// make room there for half of the label.
func (l Lines) labels(area draw.Canvas) {
	st := style(10.5)
	st.XAlign, st.YAlign = draw.XCenter, draw.YTop
	area.FillText(st, vg.Point{X: area.Center().X, Y: area.Min.Y - 4}, l.X.Label)
	st.Rotation, st.YAlign = math.Pi/2, draw.YBottom
	area.FillText(st, vg.Point{X: area.Min.X - 2, Y: area.Center().Y}, l.Y.Label)
}

// add draws the series into the plot and the key.
func (s Series) add(p *plot.Plot, key *plot.Legend, glyph draw.GlyphDrawer) error {
	if len(s.Points) == 0 {
		return errors.New("no points")
	}
	points := make(plotter.XYs, len(s.Points))
	for i, at := range s.Points {
		points[i] = plotter.XY{X: at.X, Y: at.Y}
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.LineStyle = draw.LineStyle{Color: s.Look.Color, Width: 1.4}
	if s.Look.Strong {
		line.Width = 2.4
	}
	if s.Look.Dashed {
		line.Dashes = []vg.Length{5, 3}
	}
	p.Add(line)
	if s.Look.Plain {
		key.Add(s.Name, line)
		return nil
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: s.Look.Color, Radius: 3, Shape: glyph}
	p.Add(dots)
	key.Add(s.Name, line, dots)
	return nil
}

// set makes the axis of a plot this one.
func (a Axis) set(axis *plot.Axis) {
	axis.Tick.Label.Font.Size = 10
	axis.Tick.Length = 4
	axis.Padding = 0
	switch {
	case a.Ticks != nil:
		ticks := make(plot.ConstantTicks, len(a.Ticks))
		for i, t := range a.Ticks {
			ticks[i] = plot.Tick{Value: t.At, Label: t.Label}
		}
		axis.Tick.Marker = ticks
	case a.Log:
		axis.Tick.Marker = decades{}
	}
	if a.Log {
		axis.Scale = plot.LogScale{}
	}
}

// limit sets the ends, after the points are known.
func (a Axis) limit(axis *plot.Axis) {
	switch {
	case a.Min != 0 || a.Max != 0:
		axis.Min, axis.Max = a.Min, a.Max
	case a.Log:
		axis.Min, axis.Max = axis.Min/1.1, axis.Max*1.1
	}
}

// decades puts ticks at 1, 2 and 5 times each power of ten; from four decades on at the powers alone.
type decades struct{}

func (decades) Ticks(low, high float64) (ticks []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, v := range []float64{power, 2 * power, 5 * power} {
			if v < low || v > high*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v, Label: Number(v)}
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
