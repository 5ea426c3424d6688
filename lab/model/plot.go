// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// Plots, of modelled figures only: on a terminal and as SVG.

import (
	"fmt"
	"math"
	"strings"

	"fount/lab/show"
	"fount/lab/show/figure"

	"github.com/guptarohit/asciigraph"
)

// patchPlot is the modelled table for a terminal.
func (r Result) patchPlot(s show.Style) string {
	marks := []string{"o", "+", "x"}
	var data [][]float64
	var chars []asciigraph.CharSet
	key := "Modelled throughput to one socket, 1 to 4 sockets."
	for i, mark := range marks {
		data = append(data, r.Rows[i].Modelled)
		chars = append(chars, asciigraph.CreateCharSet(mark))
		key += fmt.Sprintf(" %s: %s.", mark, r.Rows[i].Name)
	}
	drawn := asciigraph.PlotMany(data, asciigraph.Height(12), asciigraph.Width(min(s.Width-12, 64)),
		asciigraph.LowerBound(0), asciigraph.Precision(1), asciigraph.SeriesChars(chars...),
		asciigraph.XAxisRange(1, 4), asciigraph.XAxisTickCount(4))
	var b strings.Builder
	for line := range strings.Lines(drawn + "\n") {
		b.WriteString(strings.TrimRight(indent+line, " \n") + "\n")
	}
	return b.String() + paragraph(s, "%s", key)
}

// series is a line over the numbers of sockets.
func series(name string, values []float64, look figure.Look) figure.Series {
	line := figure.Series{Name: name, Look: look}
	for i, v := range values {
		line.Points = append(line.Points, figure.Point{X: float64(i + 1), Y: v})
	}
	return line
}

// sockets is the axis for 1 to n of them.
func sockets(n int) figure.Axis {
	axis := figure.Axis{Label: "sockets", Min: 0.9, Max: float64(n) + 0.1}
	for i := range n {
		axis.Ticks = append(axis.Ticks, figure.Tick{At: float64(i + 1), Label: fmt.Sprint(i + 1)})
	}
	return axis
}

// caption is below each plot.
func (r Result) caption(more string) []string {
	o := r.Options
	return []string{
		fmt.Sprintf("Modelled, not measured: %d threads a socket, near line %s ns, far line %s ns, seed %d.", o.Cores*o.Threads, times(o.Near), times(r.FarNS), o.Seed), more,
	}
}

// Plots are the study's plots as SVG, by what is added to a file's name.
func (r Result) Plots() (map[string][]byte, error) {
	plots := map[string][]byte{}
	for name, draw := range map[string]func() ([]byte, error){"": r.patchSVG, "-cliff": r.cliffSVG, "-designs": r.designsSVG} {
		svg, err := draw()
		if err != nil {
			return nil, err
		}
		plots[name] = svg
	}
	return plots, nil
}

// patchSVG plots the modelled rows of the patch's table.
func (r Result) patchSVG() ([]byte, error) {
	return figure.Lines{
		Title: "Modelled: one pool, a pool per node, on 1 to 4 sockets",
		X:     sockets(4),
		Y:     figure.Axis{Label: "throughput to one socket", Max: 4.2},
		Series: []figure.Series{
			series("a pool per node", r.Rows[1].Modelled, figure.Look{Color: figure.Blue, Dashed: true}),
			series("with one input pool", r.Rows[2].Modelled, figure.Look{Color: figure.BluishGreen, Strong: true}),
			series("one pool, ticket lock", r.Rows[0].Modelled, figure.Look{Color: figure.Vermilion, Strong: true}),
		},
		Caption: r.caption("The far line and the feed of the input pool are fitted to one published point each: see " +
			"docs/scale-model.md."),
	}.SVG()
}

// cliffSVG plots the throughput of one pool over the work between draws.
func (r Result) cliffSVG() ([]byte, error) {
	looks := []figure.Look{{Color: figure.Black}, {Color: figure.Blue}, {Color: figure.Vermilion, Strong: true}}
	top := 0.0
	var lines []figure.Series
	for i, name := range []string{"1 socket", "2 sockets", "4 sockets"} {
		line := figure.Series{Name: name, Look: looks[i]}
		for _, p := range r.Cliff.Curve {
			line.Points = append(line.Points, figure.Point{X: p.WorkNS / 1000, Y: p.PerSecond[i] / 1000})
			top = max(top, p.PerSecond[i]/1000)
		}
		lines = append(lines, line)
	}
	return figure.Lines{
		Title:  "Modelled: the locking cliff of one pool",
		X:      figure.Axis{Label: "work between two draws of a thread, µs", Log: true},
		Y:      figure.Axis{Label: "1,000 draws/s, all threads", Max: 1.05 * top},
		Series: lines,
		Caption: r.caption(fmt.Sprintf("From %s to %s 2 sockets give more than one and 4 give less.",
			micros(r.Cliff.FromNS), micros(r.Cliff.ToNS))),
	}.SVG()
}

// designsSVG plots the designs on 1 to 8 sockets.
func (r Result) designsSVG() ([]byte, error) {
	looks := []figure.Look{{Color: figure.Vermilion}, {Color: figure.Orange}, {Color: figure.Blue},
		{Color: figure.BluishGreen, Strong: true}}
	bottom, top := math.Inf(1), 0.0
	var lines []figure.Series
	for i := len(r.Designs) - 1; i >= 0; i-- {
		d := r.Designs[i]
		var values []float64
		for _, x := range d.PerSecond {
			values = append(values, x/1e6)
			bottom, top = min(bottom, x/1e6), max(top, x/1e6)
		}
		lines = append(lines, series(d.Name, values, looks[i]))
	}
	return figure.Lines{
		Title:  "Modelled: designs on 1 to 8 sockets",
		X:      sockets(mostSockets),
		Y:      figure.Axis{Label: "million draws/s, all threads", Log: true, Min: bottom / 2, Max: 2 * top},
		Series: lines,
		Caption: r.caption(fmt.Sprintf("%d ns of work between two draws; a draw takes %v ns, as fount.Nonce does on the "+
			"machine of docs/performance.md.", designWork, fountNonce)),
	}.SVG()
}
