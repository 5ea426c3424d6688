// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// Results for people: the tables. words.go has the sentences.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fount/lab/show"
)

const indent = "  "

// Text is the Result for a screen of that style. It depends on nothing else.
func (r Result) Text(s show.Style) string {
	parts := []string{
		r.head(s), r.patchTable(s), r.patchWords(s), r.patchPlot(s), r.cliffTable(s), r.designTable(s), r.farTable(s),
		r.sectionTable(s), r.choiceTable(s), r.formTable(s),
	}
	return plain(strings.Join(parts, "\n"), s)
}

// plain replaces what a screen without Unicode can't show.
func plain(text string, s show.Style) string {
	if s.Unicode {
		return text
	}
	return strings.NewReplacer("µ", "u", "┤", "|", "┼", "+", "│", "|", "└", "+", "┬", "+", "─", "-").Replace(text)
}

// paragraph is a text at the left margin.
func paragraph(s show.Style, format string, args ...any) string {
	return show.Paragraph(fmt.Sprintf(format, args...), s.Width, "", "")
}

func (r Result) head(s show.Style) string {
	o := r.Options
	return paragraph(s, "%s", note) + paragraph(s, headWords, o.Cores, o.Threads, times(o.Near), times(o.Section),
		times(o.Work), show.Rate(float64(o.Draws)), o.Seed, times(o.Section))
}

// patchTable is the patch's table with the published figures and the errors.
func (r Result) patchTable(s show.Style) string {
	t := show.Table{Head: []string{"throughput to one socket", "1", "2", "3", "4 sockets"}}
	for _, row := range r.Rows {
		t.Rows = append(t.Rows, []string{row.Name, "", "", "", ""},
			cells(indent+"published", row.Published, show.Ratio),
			cells(indent+"modelled", row.Modelled, show.Ratio),
			slices.Concat([]string{indent + "error", ""}, cells("", row.Errors[1:], percent)[1:]))
	}
	t.Rows = append(t.Rows, cells("time waiting, one pool", r.Waiting, share))
	return t.String(indent)
}

// patchWords say which figures of the table are whose.
func (r Result) patchWords(s show.Style) string {
	return paragraph(s, calibratedWords, times(r.FarNS), times(r.Options.Section)) +
		paragraph(s, fittedWords, r.FeedEvery) +
		paragraph(s, controlWords, r.Rows[3].How) +
		paragraph(s, waitingWords, 100*r.WaitingPublished, share(r.Waiting[3]), share(r.Cliff.Waiting[3]))
}

// cliffTable is the range, and what is in the middle of it.
func (r Result) cliffTable(s show.Style) string {
	c := r.Cliff
	t := show.Table{Head: []string{"modelled, " + micros(c.WorkNS) + " of work", "1", "2", "3", "4 sockets"}}
	t.Rows = [][]string{
		cells("one pool, to one socket", c.Ratios, show.Ratio),
		cells(indent+"time waiting", c.Waiting, share),
		cells("a pool per node", c.PerNode, show.Ratio),
	}
	return paragraph(s, cliffWords, micros(c.FromNS), micros(c.ToNS), c.FromNS/r.Options.Section,
		c.ToNS/r.Options.Section) + t.String(indent)
}

// designTable has the designs on 1 to 8 sockets.
func (r Result) designTable(s show.Style) string {
	t := show.Table{Head: []string{"modelled, M draws/s"}}
	for n := range mostSockets {
		t.Head = append(t.Head, fmt.Sprint(n+1))
	}
	t.Head = append(t.Head, "8 to 1")
	for _, d := range r.Designs {
		row := cells(d.Name, d.PerSecond, millions)
		t.Rows = append(t.Rows, append(row, tenth(d.Ratios[mostSockets-1])))
	}
	fit := t.Fit(s.Width-len(indent), "7", "6", "5", "3")
	return paragraph(s, designWords, designWork, fountNonce, stateLines, fountNode, show.NS(fountReseed)) +
		fit.String(indent)
}

// farTable has the sensitivity to the far line.
func (r Result) farTable(s show.Style) string {
	t := show.Table{Head: []string{"far line", "ns", "one pool, 4", "per node, 4", "cliff", "ticket, 8", "MCS, 8",
		"per socket, 8", "fount, 8"}}
	for _, v := range r.Far {
		row := []string{fmt.Sprintf("x %v", v.Factor), times(v.FarNS), show.Ratio(v.OnePool), show.Ratio(v.PerNode),
			fmt.Sprintf("%s to %s", micros(v.FromNS), micros(v.ToNS))}
		t.Rows = append(t.Rows, append(row, cells("", v.Designs, tenth)[1:]...))
	}
	fit := t.Fit(s.Width-len(indent), "ticket, 8", "per socket, 8", "ns")
	return paragraph(s, farWords) + fit.String(indent)
}

// sectionTable has the calibration at other units.
func (r Result) sectionTable(s show.Style) string {
	t := show.Table{Head: []string{"draw, ns", "far line, ns", "to the draw", "error at 2", "3", "4 sockets"}}
	for _, v := range r.Sections {
		row := []string{times(v.NS), times(v.FarNS), fmt.Sprintf("%.4f", v.FarNS/v.NS)}
		t.Rows = append(t.Rows, append(row, cells("", v.Errors[1:], percent)[1:]...))
	}
	return paragraph(s, sectionWords) + t.String(indent)
}

// choiceTable has what each choice does to the rows.
func (r Result) choiceTable(s show.Style) string {
	t := show.Table{Head: []string{"choice", "far line, ns", "one pool: 2", "3", "4 sockets", "per node: 2", "3", "4 nodes"}}
	for _, v := range r.Choices {
		row := []string{v.Name, times(v.FarNS)}
		for i, ratios := range [][]float64{v.OnePool, v.PerNode} {
			errors := [][]float64{v.Errors, v.NodeError}[i]
			for k := 1; k < len(ratios); k++ {
				row = append(row, fmt.Sprintf("%s (%+.0f %%)", show.Ratio(ratios[k]), 100*errors[k]))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	fit := t.Fit(s.Width-len(indent), "far line, ns", "4 nodes", "4 sockets")
	return paragraph(s, choiceWords) + fit.String(indent)
}

// formTable has the runs beside their closed forms.
func (r Result) formTable(s show.Style) string {
	t := show.Table{Head: []string{"times", "threads", "draws/s", "form", "error", "waiting", "form", "error"}}
	for _, f := range r.Forms {
		name := "exponential"
		if f.Fixed {
			name = "constant"
		}
		t.Rows = append(t.Rows, []string{name, fmt.Sprint(f.Threads),
			show.NS(f.PerSecond), show.NS(f.FormPerSecond), percent(f.PerSecond/f.FormPerSecond - 1),
			fmt.Sprintf("%.4f", f.Waiting), fmt.Sprintf("%.4f", f.FormWaiting),
			percent(ratio(f.Waiting, f.FormWaiting) - 1)})
	}
	return paragraph(s, formWords) + t.String(indent)
}

// ratio is a/b, 1 where both are 0.
func ratio(a, b float64) float64 {
	if math.Abs(a) < 1e-9 && math.Abs(b) < 1e-9 {
		return 1
	}
	return a / b
}

// Text is the Sweep for a screen of that style.
func (w Sweep) Text(s show.Style) string {
	c := w.Config
	law := "exponential"
	if c.Fixed {
		law = "constant"
	}
	text := paragraph(s, sweepWords, w.Note, c.Lock, c.Cores, c.Threads, times(c.Near), times(c.Far), times(c.Section),
		times(c.Work), law, show.Rate(float64(c.Draws)), c.Seed)
	t := show.Table{Head: []string{"sockets", "threads", "draws/s", "interval", "to one", "waiting", "mean wait, ns",
		"crossing"}}
	for i, f := range w.Runs {
		t.Rows = append(t.Rows, []string{fmt.Sprint(i + 1), fmt.Sprint((i + 1) * c.Cores * c.Threads),
			show.NS(f.PerSecond), share(f.Interval), show.Ratio(w.Ratios[i]), share(f.Waiting),
			show.NS(f.WaitNS), share(f.Crossing)})
	}
	fit := t.Fit(s.Width-len(indent), "crossing", "mean wait, ns", "interval")
	legend := ""
	for _, column := range sweepLegend {
		if slices.Contains(fit.Head, column[0]) {
			legend += column[0] + ": " + column[1] + ". "
		}
	}
	return text + "\n" + fit.String(indent) + "\n" + paragraph(s, "%s", legend)
}

// cells is a row of a table.
func cells(name string, values []float64, format func(float64) string) []string {
	row := []string{name}
	for _, v := range values {
		row = append(row, format(v))
	}
	return row
}

func share(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

func percent(x float64) string {
	text := fmt.Sprintf("%+.1f %%", 100*x)
	if text == "-0.0 %" {
		return "+0.0 %"
	}
	return text
}

func millions(perSecond float64) string { return show.Ratio(perSecond / 1e6) }

// tenth is a ratio whose hundredths are noise above 1.
func tenth(x float64) string {
	if x >= 1 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// times is a number of ns: 25, 2.5, 105, 3,000.
func times(ns float64) string { return strings.TrimSuffix(show.NS(ns), ".0") }

func micros(ns float64) string { return times(ns/1000) + " µs" }
