// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The plot: one panel for each case, one above the other.

import (
	"fmt"
	"image/color"
	"io"
	"time"

	"fount/bench/internal/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	width  = 800 * figure.Pixel
	height = 800 * figure.Pixel
)

func writePlot(w io.Writer, cases []*spread) error {
	f := figure.New(width, height)
	panels := make([][]*plot.Plot, len(cases))
	for i, s := range cases {
		p, err := panel(s)
		if err != nil {
			return err
		}
		panels[i] = []*plot.Plot{p}
	}
	f.Title(fmt.Sprintf("%d,%03d clients fail together: when they retry (Base %d ms)", clients/1000, clients%1000, base.Milliseconds()))

	tiles := draw.Tiles{Rows: len(cases), Cols: 1, PadTop: 40, PadBottom: 8, PadLeft: 8, PadRight: 16, PadY: 16}
	for i, row := range plot.Align(panels, tiles, f.Canvas) {
		panels[i][0].Draw(row[0])
	}
	return f.Write(w)
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
	figure.Small(&p.X, &p.Y)
	p.Y.Label.Padding = 4
	p.X.Min, p.X.Max = ms(s.low), ms(s.high)
	p.X.Tick.Marker = every(ms(s.width()))
	p.Y.Min, p.Y.Max = 0, 1.2*max(float64(s.peak()), s.allowed*s.mean())
	p.Y.Tick.Marker = every(step(p.Y.Max))

	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = figure.GridLine
	histogram := &plotter.Histogram{FillColor: figure.SkyBlue, LineStyle: draw.LineStyle{Color: color.White, Width: 1}}
	var steps plotter.XYs
	for i, count := range s.counts {
		from := ms(s.low + time.Duration(i)*s.width())
		to := from + ms(s.width())
		histogram.Bins = append(histogram.Bins, plotter.HistogramBin{Min: from, Max: to, Weight: float64(count)})
		steps = append(steps, plotter.XY{X: from, Y: s.expected[i]}, plotter.XY{X: to, Y: s.expected[i]})
	}
	expected, err := figure.Line(steps, draw.LineStyle{Color: figure.Black, Width: 1.2})
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
	limit, err := figure.Line(plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}},
		draw.LineStyle{Color: figure.Vermilion, Width: 1.2, Dashes: []vg.Length{5, 3}})
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
	style.Font.Size, style.Color = 10, figure.Vermilion
	p.Add(limit, label)
	return nil
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
