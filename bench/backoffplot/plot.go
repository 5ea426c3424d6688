// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The plot: one panel for each case, one above the other.

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The plot is 800 by 800 CSS pixels; a pixel is 3/4 of a point.
const (
	width  = 800 * 0.75 * vg.Length(1)
	height = 800 * 0.75 * vg.Length(1)
)

// The colours are from Okabe and Ito's palette, which the colour-blind can tell apart.
var (
	bars      = color.RGBA{0x56, 0xb4, 0xe9, 0xff} // sky blue
	vermilion = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	black     = color.RGBA{0x00, 0x00, 0x00, 0xff}
	gridLine  = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
)

func writePlot(w io.Writer, cases []*spread) error {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
	canvas := vgsvg.New(width, height)
	dc := draw.New(canvas)
	dc.FillPolygon(color.White, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})

	panels := make([][]*plot.Plot, len(cases))
	for i, s := range cases {
		p, err := panel(s)
		if err != nil {
			return err
		}
		panels[i] = []*plot.Plot{p}
	}
	heading := panels[0][0].Title.TextStyle
	heading.Font.Size = 15
	heading.XAlign, heading.YAlign = draw.XCenter, draw.YTop
	dc.FillText(heading, vg.Point{X: width / 2, Y: height - 10},
		fmt.Sprintf("%d,%03d clients fail together: when they retry (Base %d ms)", clients/1000, clients%1000, base.Milliseconds()))

	tiles := draw.Tiles{Rows: len(cases), Cols: 1, PadTop: 40, PadBottom: 8, PadLeft: 8, PadRight: 16, PadY: 16}
	for i, row := range plot.Align(panels, tiles, dc) {
		panels[i][0].Draw(row[0])
	}
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return err
	}
	_, err := w.Write(fallbackFonts(svg.Bytes()))
	return err
}

// panel draws one case: a bar for each slot, a step for what was expected of it, and
// a dashed line at what is allowed.
func panel(s *spread) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s: the fullest slot holds %.2f × the mean", s.title, float64(s.peak())/s.mean())
	p.Title.TextStyle.Font.Size = 11.5
	p.Title.Padding = 4
	p.X.Label.Text = s.axis
	p.Y.Label.Text = fmt.Sprintf("clients per %d ms", s.width().Milliseconds())
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font.Size = 10.5
		axis.Tick.Label.Font.Size = 10
		axis.Tick.Length = 4
		axis.Padding = 0
	}
	p.Y.Label.Padding = 4
	p.X.Min, p.X.Max = ms(s.low), ms(s.high)
	p.X.Tick.Marker = every(ms(s.width()))
	p.Y.Min, p.Y.Max = 0, 1.2*max(float64(s.peak()), s.allowed*s.mean())
	p.Y.Tick.Marker = every(step(p.Y.Max))

	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = gridLine
	histogram := &plotter.Histogram{FillColor: bars, LineStyle: draw.LineStyle{Color: color.White, Width: 1}}
	var steps plotter.XYs
	for i, count := range s.counts {
		from := ms(s.low + time.Duration(i)*s.width())
		to := from + ms(s.width())
		histogram.Bins = append(histogram.Bins, plotter.HistogramBin{Min: from, Max: to, Weight: float64(count)})
		steps = append(steps, plotter.XY{X: from, Y: s.expected[i]}, plotter.XY{X: to, Y: s.expected[i]})
	}
	expected, err := line(steps, draw.LineStyle{Color: black, Width: 1.2})
	if err != nil {
		return nil, err
	}
	p.Add(grid, histogram, expected)
	if s.allowed != 0 {
		return p, addLimit(p, s)
	}

	// The first panel has room for a legend. Its text runs to the right, so that one
	// in a wider font than was measured here does not cover the symbols.
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs = width / 2
	p.Legend.TextStyle.Font.Size = 10
	p.Legend.Padding = 3
	p.Legend.ThumbnailWidth = 24
	p.Legend.Add("clients in the slot", histogram)
	p.Legend.Add("expected if drawn perfectly", expected)
	return p, nil
}

// addLimit draws the count that is allowed, and says what it is.
func addLimit(p *plot.Plot, s *spread) error {
	y := s.allowed * s.mean()
	limit, err := line(plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}},
		draw.LineStyle{Color: vermilion, Width: 1.2, Dashes: []vg.Length{5, 3}})
	if err != nil {
		return err
	}
	label, err := plotter.NewLabels(plotter.XYLabels{
		XYs:    plotter.XYs{{X: p.X.Min + 0.6*(p.X.Max-p.X.Min), Y: y}},
		Labels: []string{fmt.Sprintf("allowed: %.4g × the mean of %.0f", s.allowed, s.mean())},
	})
	if err != nil {
		return err
	}
	label.Offset.Y = 3
	style := &label.TextStyle[0]
	style.Font.Size, style.Color = 10, vermilion
	p.Add(limit, label)
	return nil
}

func line(xys plotter.XYs, style draw.LineStyle) (*plotter.Line, error) {
	l, err := plotter.NewLine(xys)
	if err != nil {
		return nil, err
	}
	l.LineStyle = style
	return l, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// step is the distance of the ticks on an axis up to most: three to six of them.
func step(most float64) float64 {
	for s := 1.0; ; s *= 10 {
		for _, step := range []float64{s, 2 * s, 5 * s} {
			if most/step <= 6 {
				return step
			}
		}
	}
}

// every puts a tick at each multiple of a number.
type every float64

func (e every) Ticks(low, high float64) (ticks []plot.Tick) {
	for v := low; v <= high*(1+1e-9); v += float64(e) {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.0f", v)})
	}
	return ticks
}

// fallbackFonts names fonts to take where Liberation Sans is not installed. Arial
// and Helvetica have its metrics, by which the text was laid out.
func fallbackFonts(svg []byte) []byte {
	return bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
}
