// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// What was measured as SVG.

import (
	"fmt"
	"math"
	"strings"

	"fount/lab/machine"
	"fount/lab/show/figure"
)

// A Plot is a figure with a name.
type Plot struct {
	Name string // to tell it from the others in a file's name: "4k", "speedup", "goroutines"; "" is the first
	figure.Figure
}

// Plots are all plots of what was measured.
func (r Result) Plots() (plots []Plot) {
	for _, p := range []struct {
		name string
		of   figure.Figure
	}{
		{"", r.throughput(16)},
		{"4k", r.throughput(4096)},
		{"speedup", r.speedup()},
		{"goroutines", r.goroutines()},
	} {
		if p.of != nil {
			plots = append(plots, Plot{p.name, p.of})
		}
	}
	return plots
}

// caption says that it was measured, and where.
func caption(m machine.Facts, more string) []string {
	facts := []string{}
	for _, fact := range []string{m.CPU, strings.TrimSpace(m.OS + " " + m.Kernel), m.GoVersion} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	return []string{strings.ToUpper(Label[:1]) + Label[1:] + ": " + strings.Join(facts, ", ") + ".", more}
}

func (r Result) medians() string {
	return fmt.Sprintf("Medians of %d rounds in turns of %.3g ms.", r.Rounds, float64(r.TurnNS)/1e6)
}

// throughput shows values a second of one thread, of as many threads as cores, and of as many processes, by method.
func (r Result) throughput(size int) figure.Figure {
	b := figure.Bars{
		Title: fmt.Sprintf("Random values of %s on %d cores", strings.Replace(sizeText(size), "-", " ", 1)+plural(size),
			r.Cores),
		Unit: "million values per second, and how many times as many as one thread, or one process, draws",
		Keys: []figure.Key{
			{Name: "1 thread", Color: figure.Silver},
			{Name: fmt.Sprintf("%d threads", r.Cores), Color: figure.Blue},
			{Name: fmt.Sprintf("%d processes", r.Cores), Color: figure.SkyBlue},
		},
		Caption: caption(r.Machine, r.medians()+" In processes no lock is shared."),
	}
	if r.WorkNS > 0 {
		b.Title += fmt.Sprintf(", %d ns of work between", r.WorkNS)
	}
	for _, m := range r.names(size) {
		none := math.NaN()
		row := figure.Row{Label: m, Strong: figure.Methods[m].Color == figure.Vermilion, Values: []float64{none, none, none}}
		if s := r.Find(m, size, Threads); s != nil {
			row.Values[0], row.Values[1] = s.Point(1).Rate.Median/1e6, s.Point(r.Cores).Rate.Median/1e6
			row.Text = r.gainText(m, size, Threads)
		}
		if s := r.Find(m, size, Processes); s != nil {
			row.Values[2] = s.Point(r.Cores).Rate.Median / 1e6
			row.Text = strings.Trim(row.Text+", "+r.gainText(m, size, Processes), ", ")
		}
		b.Rows = append(b.Rows, row)
	}
	if len(b.Rows) == 0 {
		return nil
	}
	return b
}

func plural(size int) string {
	if size < 1024 {
		return "s"
	}
	return ""
}

// names are the methods measured at a size, in order.
func (r Result) names(size int) (names []string) {
	seen := map[string]bool{}
	for _, s := range r.Series {
		if s.Size == size && s.Error == "" && !seen[s.Method] {
			seen[s.Method] = true
			names = append(names, s.Method)
		}
	}
	return names
}

// speedup shows speedup against threads, of 16-byte values, with the ideal.
func (r Result) speedup() figure.Figure {
	if _, busy := r.Busy(Threads); busy || !r.carries() {
		return nil
	}
	l := figure.Lines{
		Title:   "16-byte values: how many times as many as one thread",
		X:       figure.Axis{Label: "threads, each bound to a core", Min: 1, Max: float64(r.Cores)},
		Y:       figure.Axis{Label: "speedup"},
		Caption: caption(r.Machine, r.medians()),
	}
	if !r.Pinned {
		l.X.Label = "threads"
	}
	ideal := figure.Series{Name: "ideal", Look: figure.Look{Color: figure.GridLine, Plain: true}}
	for _, n := range counts(r.Cores) {
		l.X.Ticks = append(l.X.Ticks, figure.Tick{At: float64(n), Label: fmt.Sprint(n)})
		ideal.Points = append(ideal.Points, figure.Point{X: float64(n), Y: float64(n)})
	}
	l.Y.Max = float64(r.Cores) * 1.05
	for _, name := range r.names(16) {
		s := r.Find(name, 16, Threads)
		if s == nil {
			continue
		}
		line := figure.Series{Name: name, Look: figure.Methods[name]}
		for _, p := range s.Points {
			line.Points = append(line.Points, figure.Point{X: float64(p.Threads), Y: p.Speedup.Median})
			l.Y.Max = max(l.Y.Max, p.Speedup.Median*1.05)
		}
		l.Series = append(l.Series, line)
	}
	if len(l.Series) == 0 {
		return nil
	}
	l.Series = append(l.Series, ideal)
	return l
}

// goroutines shows values a second by number of goroutines. Less than three numbers make no line.
func (r Result) goroutines() figure.Figure {
	if r.Sweep == nil || len(r.Sweep.counts()) < 3 {
		return nil
	}
	l := figure.Lines{
		Title: fmt.Sprintf("16-byte values by number of goroutines, on %d cores", r.Sweep.Cores),
		X:     figure.Axis{Label: "goroutines", Log: true},
		Y:     figure.Axis{Label: "million values per second", Log: true},
		Caption: caption(r.Machine, fmt.Sprintf("Medians of %d rounds; at least %d values each.",
			r.Sweep.Rounds, r.Sweep.Least)),
	}
	for _, g := range r.Sweep.counts() {
		l.X.Ticks = append(l.X.Ticks, figure.Tick{At: float64(g), Label: grouped(g)})
	}
	for _, s := range r.Sweep.Series {
		if s.Error != "" || s.Method == harness.Name { // whose "values" would be the top of the plot
			continue
		}
		line := figure.Series{Name: s.Method, Look: figure.Methods[s.Method]}
		for _, p := range s.Points {
			if p.Rate != nil {
				line.Points = append(line.Points, figure.Point{X: float64(p.Goroutines), Y: p.Rate.Median / 1e6})
			}
		}
		if len(line.Points) > 0 {
			l.Series = append(l.Series, line)
		}
	}
	if len(l.Series) == 0 {
		return nil
	}
	return l
}

// gainText is what all cores gain: 1.95×; "" where it was not judged.
func (r Result) gainText(method string, size int, mode string) string {
	if gain := r.Gain(method, size, mode); gain != nil {
		return fmt.Sprintf("%.2f×", gain.Median)
	}
	return ""
}
