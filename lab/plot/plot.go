// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package plot draws lines and bars as SVG in currentColor, stretched to the room they get. All
// text stays outside, as places in percent, so that nothing here measures text.
package plot

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// A Line is points that belong together. One without X lies across the plot.
type Line struct {
	Name   string
	Points []Point
}

// A Point has an interval where Low is below High.
type Point struct{ X, Y, Low, High float64 }

// A Tick is a mark of an axis, in percent from the left or from the bottom.
type Tick struct {
	At   float64
	Text string
}

// A Plot is a drawing and its axes. The lines are groups of class line-0, line-1 and so on.
type Plot struct {
	SVG  template.HTML
	X, Y []Tick
}

// An axis maps figures to percent.
type axis struct {
	low, high float64
	log       bool
}

// New draws the lines. An axis is logarithmic where its figures differ twentyfold.
func New(lines []Line) Plot {
	var xs, ys []float64
	for _, l := range lines {
		for _, p := range l.Points {
			if ys = append(ys, p.Y); p.High > p.Low {
				ys = append(ys, p.Low, p.High)
			}
			if p.X != 0 {
				xs = append(xs, p.X)
			}
		}
	}
	x, y := newAxis(xs, false), newAxis(ys, true)
	var b strings.Builder
	b.WriteString(`<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">`)
	p := Plot{X: x.ticks(xs), Y: y.ticks(nil)}
	for _, t := range p.Y {
		fmt.Fprintf(&b, `<path class="grid" d="M0 %.2fH100"/>`, 100-t.At)
	}
	for i, l := range lines {
		fmt.Fprintf(&b, `<g class="line-%d">%s</g>`, i, l.draw(x, y))
	}
	b.WriteString(`</svg>`)
	p.SVG = template.HTML(b.String()) // numbers alone
	return p
}

// draw is the line, its points and their intervals.
func (l Line) draw(x, y axis) string {
	var path, dots, spread strings.Builder
	for i, p := range l.Points {
		left, top := x.at(p.X), 100-y.at(p.Y)
		if p.X == 0 {
			fmt.Fprintf(&path, "M0 %.2fH100", top)
			continue
		}
		command := 'L'
		if i == 0 {
			command = 'M'
		}
		fmt.Fprintf(&path, "%c%.2f %.2f", command, left, top)
		fmt.Fprintf(&dots, "M%.2f %.2fh0", left, top)
		if p.High > p.Low {
			fmt.Fprintf(&spread, "M%.2f %.2fV%.2f", left, 100-y.at(p.Low), 100-y.at(p.High))
		}
	}
	class := "curve"
	if dots.Len() == 0 {
		class = "across"
	}
	return fmt.Sprintf(`<path class="%s" d="%s"/><path class="spread" d="%s"/><path class="dots" stroke-width="7" d="%s"/>`,
		class, path.String(), spread.String(), dots.String())
}

// newAxis holds all figures; zero tells whether it begins there where it is not logarithmic.
func newAxis(figures []float64, zero bool) axis {
	if len(figures) == 0 {
		return axis{0, 1, false}
	}
	a := axis{low: slices.Min(figures), high: slices.Max(figures)}
	switch a.log = a.low > 0 && a.high/a.low >= 20; {
	case a.log && zero: // whole decades, or their halves, fit the ticks
		a.low, a.high = a.low/1.2, a.high*1.2
	case !a.log && zero:
		a.low, a.high = min(0, a.low), max(0, a.high)*1.08
	}
	if a.high <= a.low {
		a.low, a.high = a.low-1, a.high+1
	}
	return a
}

// at is where v lies, in percent.
func (a axis) at(v float64) float64 {
	if a.log {
		return 100 * math.Log(max(v, a.low)/a.low) / math.Log(a.high/a.low)
	}
	return 100 * (v - a.low) / (a.high - a.low)
}

// ticks are the figures themselves where there are few different ones, else round numbers.
func (a axis) ticks(figures []float64) (list []Tick) {
	slices.Sort(figures)
	figures = slices.Compact(figures)
	if len(figures) == 0 || len(figures) > 8 {
		figures = a.round()
	}
	for _, v := range figures {
		list = append(list, Tick{a.at(v), short(v)})
	}
	return list
}

// round are some three to eight round numbers on the axis: of decades where it is logarithmic.
func (a axis) round() (list []float64) {
	if a.log {
		factors, decades := []float64{1, 2, 5}, math.Log10(a.high/a.low)
		if decades > 3 {
			factors = factors[:1]
		}
		for decade := math.Floor(math.Log10(a.low)); decade <= math.Log10(a.high); decade += math.Ceil(decades / 8) {
			for _, f := range factors {
				if v := f * math.Pow(10, decade); a.low <= v && v <= a.high {
					list = append(list, v)
				}
			}
		}
		return list
	}
	step := math.Pow(10, math.Floor(math.Log10((a.high-a.low)/4)))
	if (a.high-a.low)/step > 8 {
		step *= 2.5
	}
	for k := math.Ceil(a.low / step); k*step <= a.high; k++ {
		list = append(list, k*step)
	}
	return list
}

// short is a number of an axis: 0.5, 20, 30k, 1.5M.
func short(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e9:
		return fmt.Sprintf("%.3gG", v/1e9)
	case a >= 1e6:
		return fmt.Sprintf("%.3gM", v/1e6)
	case a >= 1e4:
		return fmt.Sprintf("%.3gk", v/1e3)
	}
	return fmt.Sprintf("%.4g", v)
}

// Bar is a bar of a length in percent of the room, with its interval.
func Bar(value, low, high, full float64) template.HTML {
	if !(full > 0) || !(value >= 0) {
		return ""
	}
	at := func(v float64) float64 { return min(100, 100*v/full) }
	spread := ""
	if high > low {
		spread = fmt.Sprintf(`<path class="spread" fill="none" d="M%.2f 5H%.2f"/>`, at(max(0, low)), at(high))
	}
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" fill="currentColor" stroke="currentColor">`+
		`<rect width="%.2f" height="10" stroke="none"/>%s</svg>`, max(0.4, at(value)), spread))
}
