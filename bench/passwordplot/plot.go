// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The plot: goodput above, lateness of the rest of the process below, over the load.

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"time"

	"fount/bench/internal/figure"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	width  = 800 * figure.Pixel
	height = 760 * figure.Pixel
)

// colors are those of the mechanisms, in the order of measuring.
var colors = []color.Color{figure.Vermilion, figure.Orange, figure.Purple, figure.Blue, figure.BluishGreen}

func (s *sweep) writePlot(w io.Writer) error {
	f := figure.New(width, height)
	first := s.Measured.Runs[0].Config
	f.Title(fmt.Sprintf("Logins answered within %v, bcrypt cost %d, as more are asked for",
		time.Duration(first.Deadline), first.Cost))
	goodput, err := s.goodput()
	if err != nil {
		return err
	}
	heartbeat, err := s.heartbeat()
	if err != nil {
		return err
	}
	panels := [][]*plot.Plot{{goodput}, {heartbeat}}
	tiles := draw.Tiles{Rows: 2, Cols: 1, PadTop: 40, PadBottom: 34, PadLeft: 8, PadRight: 16, PadY: 16}
	for i, row := range plot.Align(panels, tiles, f.Canvas) {
		panels[i][0].Draw(row[0])
	}
	f.Caption(
		fmt.Sprintf("%s, GOMAXPROCS %d, %s. Poisson arrivals; latency counts from the intended start. "+
			"Load 1 is %.3g logins/s,",
			s.Machine.CPU, s.Machine.GOMAXPROCS, s.Machine.Go, s.base()),
		"what the pool does with one hash at a time on a core. Made by fount load password sweep; "+
			"all figures: password-sweep.txt.")
	return f.Write(w)
}

// goodput has a line for each mechanism, and what was asked for as a dashed one.
func (s *sweep) goodput() (*plot.Plot, error) {
	p := panel("goodput: logins/s answered in time")
	most := 0.0
	for _, point := range s.Measured.Runs {
		most = max(most, point.Goodput)
	}
	p.Y.Min, p.Y.Max = 0, 1.1*max(most, s.base())
	if err := s.lines(p, func(point point) (float64, bool) { return point.Goodput, true }, true); err != nil {
		return nil, err
	}
	x := p.Y.Max / s.base()
	asked, err := figure.Line(plotter.XYs{{}, {X: x, Y: p.Y.Max}},
		draw.LineStyle{Color: figure.Gray, Width: 1, Dashes: []vg.Length{5, 3}})
	if err != nil {
		return nil, err
	}
	p.Add(asked)
	p.Legend.Add("asked for", asked)
	s.limitX(p)
	return p, nil
}

// heartbeat is how late a tick each ms comes, on a logarithmic axis.
func (s *sweep) heartbeat() (*plot.Plot, error) {
	p := panel("a 1 ms tick comes late, p99 (ms)")
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	const least = 0.01 // ms
	value := func(point point) (float64, bool) {
		if point.Heartbeat == nil || point.Heartbeat.P99 == nil {
			return 0, false
		}
		return max(*point.Heartbeat.P99, least), true
	}
	low, high := 1.0, 1.0
	for _, point := range s.Measured.Runs {
		if v, ok := value(point); ok {
			low, high = min(low, v), max(high, v)
		}
	}
	if err := s.lines(p, value, false); err != nil {
		return nil, err
	}
	p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(1.01*high)))
	s.limitX(p)
	return p, nil
}

func panel(y string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text = "logins asked for, in multiples of what the pool does with one hash at a time"
	p.Y.Label.Text = y
	figure.Small(&p.X, &p.Y)
	p.Y.Label.Padding = 4
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = figure.GridLine, figure.GridLine
	p.Add(grid)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs = 12
	p.Legend.TextStyle.Font.Size = 10
	p.Legend.Padding = 3
	p.Legend.ThumbnailWidth = 24
	return p
}

// limitX lets the axis begin at 0 and end after the greatest load.
func (s *sweep) limitX(p *plot.Plot) {
	p.X.Min, p.X.Max = 0, 0
	for _, point := range s.Measured.Runs {
		p.X.Max = max(p.X.Max, 1.02*point.Config.Rate/s.base())
	}
	var ticks []plot.Tick
	for x := 0; float64(x) <= p.X.Max; x++ {
		ticks = append(ticks, plot.Tick{Value: float64(x), Label: fmt.Sprint(x)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
}

// lines draws a line with points for each mechanism.
func (s *sweep) lines(p *plot.Plot, value func(point) (float64, bool), legend bool) error {
	for i, name := range s.mechanisms() {
		var points plotter.XYs
		for _, at := range s.Measured.Runs {
			if v, ok := value(at); ok && at.Config.Mechanism == name {
				points = append(points, plotter.XY{X: at.Config.Rate / s.base(), Y: v})
			}
		}
		if len(points) == 0 {
			continue
		}
		c := colors[i%len(colors)]
		line, err := figure.Line(points, draw.LineStyle{Color: c, Width: 1.6})
		if err != nil {
			return err
		}
		dots, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: c, Radius: 2.4, Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
		if legend {
			p.Legend.Add(name, line, dots)
		}
	}
	return nil
}
