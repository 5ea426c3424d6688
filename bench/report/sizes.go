// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// peers-size.svg: throughput of one core by size of a read.

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"fount/bench/internal/figure"
	"fount/bench/peers"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	sizesWidth  = 800 * figure.Pixel
	sizesHeight = 560 * figure.Pixel
	keyWidth    = 215 * figure.Pixel
)

// A look is how a peer's line is drawn: one colour a family, one shape a member.
type look struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	glyph  draw.GlyphDrawer
}

var looks = map[string]look{
	"crypto/rand":          {figure.Black, 1.4, nil, draw.CircleGlyph{}},
	"crypto/rand FIPS":     {figure.Black, 1.4, []vg.Length{5, 3}, draw.RingGlyph{}},
	"math/rand/v2 ChaCha8": {figure.BluishGreen, 1.4, nil, draw.PyramidGlyph{}},
	"frand":                {figure.Blue, 1.4, []vg.Length{5, 3}, draw.BoxGlyph{}},
	"AES-256-CTR":          {figure.Purple, 1.4, nil, draw.SquareGlyph{}},
	"fount":                {figure.Vermilion, 2.4, nil, draw.CircleGlyph{}},
	"fount.Generator":      {figure.Vermilion, 1.4, []vg.Length{5, 3}, draw.RingGlyph{}},
	"fount.Strict":         {figure.Vermilion, 1.4, []vg.Length{1, 2.5}, draw.TriangleGlyph{}},
}

// A curve is a peer's throughput: GB/s over bytes.
type curve struct {
	name   string
	points plotter.XYs
}

// curves returns the peers that were measured with two sizes or more, the fastest at the last first.
func curves(r *results) (list []curve) {
	for _, p := range peers.All() {
		c := curve{name: p.Name}
		for _, size := range peers.Sizes {
			if task := peers.Read(size); r.has(task, p) {
				c.points = append(c.points, plotter.XY{X: float64(size), Y: float64(size) / r.cost(task, p, false).Center / 1e9})
			}
		}
		if len(c.points) > 1 {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b curve) int {
		return -cmp.Compare(a.points[len(a.points)-1].Y, b.points[len(b.points)-1].Y)
	})
	return list
}

// writeSizes draws the plot, or nothing if there are no sizes to compare.
func writeSizes(w io.Writer, r *results) error {
	list := curves(r)
	if len(list) == 0 {
		return nil
	}
	f := figure.New(sizesWidth, sizesHeight)
	f.Title("Random bytes by one goroutine: throughput by size of a read")
	p := plot.New()
	p.X.Label.Text = "bytes in one read"
	p.Y.Label.Text = "GB per second of CPU time"
	p.X.Label.Padding = 4
	if !r.cpu {
		p.Y.Label.Text = "GB per second"
	}
	figure.Small(&p.X, &p.Y)
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = sizeTicks{}, decadeTicks{}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = figure.GridLine, figure.GridLine
	p.Add(grid)

	key := plot.NewLegend()
	key.TextStyle = figure.Style(10.5)
	key.Top, key.Left, key.Padding, key.ThumbnailWidth = true, true, 6, 30
	for _, c := range list {
		line, points, err := plotter.NewLinePoints(c.points)
		if err != nil {
			return err
		}
		l := looks[c.name]
		line.LineStyle = draw.LineStyle{Color: l.color, Width: l.width, Dashes: l.dashes}
		points.GlyphStyle = draw.GlyphStyle{Color: l.color, Radius: 3, Shape: l.glyph}
		p.Add(line, points)
		key.Add(c.name, line, points)
	}
	p.X.Min, p.X.Max = p.X.Min/1.15, p.X.Max*1.15
	p.Y.Min, p.Y.Max = p.Y.Min/1.1, p.Y.Max*1.1
	f.Caption(captions(r)...)
	p.Draw(draw.Crop(f.Canvas, 8, -keyWidth, 34, -40))
	key.Draw(draw.Crop(f.Canvas, sizesWidth-keyWidth+12, 0, 0, -48))
	return f.Write(w)
}

// captions is what a plot says of the run.
func captions(r *results) []string {
	return []string{
		fmt.Sprintf("Medians of %d rounds; %s.", r.rounds, r.machine),
		"math/rand/v2 is not for secrets; its ChaCha8 and PCG, fount.Generator and AES-256-CTR are a goroutine's own.",
	}
}

// sizeTicks puts a tick at each size: "16", "4 Ki".
type sizeTicks struct{}

func (sizeTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	for _, size := range peers.Sizes {
		if v := float64(size); low <= v && v <= high {
			ticks = append(ticks, plot.Tick{Value: v, Label: strings.TrimRight(peers.Bytes(size), " B")})
		}
	}
	return ticks
}

// decadeTicks puts ticks at 1, 2 and 5 times each power of ten.
type decadeTicks struct{}

func (decadeTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	for power := math.Pow(10, math.Floor(math.Log10(low))); power <= high; power *= 10 {
		for _, v := range []float64{power, 2 * power, 5 * power} {
			if low <= v && v <= high*(1+1e-9) {
				ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.3g", v)})
			}
		}
	}
	return ticks
}
