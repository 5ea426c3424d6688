// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// What was measured as text for a terminal.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/show"

	"github.com/guptarohit/asciigraph"
)

const indent = "  "

// Text is the tables, plots and checks, for a screen.
func (r Result) Text(s show.Style) string {
	var b strings.Builder
	b.WriteString(heading(r.Machine, s))
	for _, note := range r.Notes {
		b.WriteString(show.Paragraph(note, s.Width, "", ""))
	}
	for _, t := range r.tables() {
		b.WriteString("\n" + t.text(r, s))
	}
	b.WriteString(r.legend(s))
	if plot := r.speedupPlot(s); plot != "" {
		b.WriteString("\n" + plot)
	}
	if r.Sweep != nil {
		b.WriteString("\n" + r.Sweep.text(s))
	}
	b.WriteString(checksText(r.Bars, s))
	return b.String()
}

// fitted is a table in the width of the screen, without as many of the columns of these heads as it must lose. What the
// last column, of errors, has no room for stands below.
func fitted(t show.Table, s show.Style, heads ...string) string {
	t = t.Fit(s.Width-len(indent), heads...)
	last, room := len(t.Head)-1, s.Width-len(indent)-t.Width()-2
	notes := ""
	for _, row := range t.Rows {
		if row[last] != "" && len(row[last]) > room {
			notes += show.Paragraph(row[0]+": "+row[last]+".", s.Width, indent, indent)
			row[last] = ""
		}
	}
	return t.String(indent) + notes
}

func percent(share float64) string {
	if share == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// heading says that it was measured, and where.
func heading(m machine.Facts, s show.Style) string {
	text := strings.ToUpper(Label[:1]) + Label[1:] + ":"
	system, procs := strings.TrimSpace(m.OS+" "+m.Kernel), fmt.Sprintf("GOMAXPROCS %d", m.GOMAXPROCS)
	for _, fact := range []string{m.CPU, system, m.GoVersion, procs} {
		if fact != "" {
			text += " " + fact + ","
		}
	}
	return show.Paragraph(strings.TrimSuffix(text, ",")+".", s.Width, "", indent)
}

func checksText(checks []Check, s show.Style) string {
	if len(checks) == 0 {
		return ""
	}
	text := "\nChecks\n"
	for _, c := range checks {
		text += show.Paragraph(c.Text, s.Width, indent, indent+indent)
	}
	return text
}

// A table is the series of one size in one mode.
type table struct {
	size   int
	mode   string
	series []Series
}

func (r Result) tables() (list []table) {
	for _, s := range r.Series {
		if n := len(list); n > 0 && list[n-1].size == s.Size && list[n-1].mode == s.Mode {
			list[n-1].series = append(list[n-1].series, s)
			continue
		}
		list = append(list, table{s.Size, s.Mode, []Series{s}})
	}
	return list
}

// sizeText is 16-byte or 4-KiB.
func sizeText(size int) string {
	if size >= 1024 && size%1024 == 0 {
		return fmt.Sprintf("%d-KiB", size/1024)
	}
	return fmt.Sprintf("%d-byte", size)
}

// text is the table for a screen: rates, speedup, and what tells whether to believe it.
func (t table) text(r Result, s show.Style) string {
	title := fmt.Sprintf("%s values, %s", sizeText(t.size), t.mode)
	if r.Pinned {
		title += " bound to cores"
	}
	if r.WorkNS > 0 {
		title += fmt.Sprintf(", %d ns of work after each value", r.WorkNS)
	}
	tab := show.Table{Last: true}
	tab.Head = []string{"million/s", "1", fmt.Sprint(r.Cores), "speedup", "95 %", "by CPU", "cores", ""}
	var bars []show.Bar
	for _, series := range t.series {
		row := []string{series.Method, "-", "-", "-", "-", "-", "-", series.Error}
		if one, all := series.Point(1), series.Point(r.Cores); one != nil && all != nil {
			gain := r.Gain(series.Method, series.Size, series.Mode)
			row = []string{series.Method, millions(one.Rate), millions(all.Rate), ratio(gain), interval(gain),
				ratio(all.CPUSpeedup), share(all.Share), ""}
			if gain != nil {
				bars = append(bars, show.Bar{Label: series.Method, Value: gain.Median, Text: ratio(gain)})
			}
		}
		tab.Rows = append(tab.Rows, row)
	}
	if r.Cores == 1 {
		tab = without(tab, "speedup", "95 %", "by CPU").Without(2)
	}
	text := show.Paragraph(title, s.Width, "", indent) + fitted(tab, s, "cores", "by CPU", "95 %")
	if left, busy := r.Busy(t.mode); busy {
		text += show.Paragraph(fmt.Sprintf("The speedup was not judged: other programs had the cores too, and %.0f%% of their "+
			"time was left.", 100*left), s.Width, indent, indent)
	}
	if r.carries() {
		text += "\n" + t.laws(s)
	}
	if len(bars) > 0 && r.Cores > 1 && t.size == 16 && t.mode == Threads { // one chart: the others are in the plots
		text += "\n" + s.Chart(bars, indent)
	}
	return text
}

// laws is the table of the fits, with their intervals.
func (t table) laws(s show.Style) string {
	tab := show.Table{Head: []string{"law", "lambda, million/s", "sigma", "kappa", ""}, Last: true}
	for _, series := range t.series {
		f := series.Fit
		if f == nil || f.Model.Lambda == 0 {
			continue
		}
		law := f.Model
		row := []string{series.Method, fmt.Sprintf("%.3g", law.Lambda/1e6), fmt.Sprintf("%.3f", law.Sigma),
			fmt.Sprintf("%.5f", law.Kappa), ""}
		if b := f.Bounds; b != nil {
			row[2] += fmt.Sprintf(" (%.3f to %.3f)", b.Sigma.Low, b.Sigma.High)
			row[3] += fmt.Sprintf(" (%.5f to %.5f)", b.Kappa.Low, b.Kappa.High)
		}
		tab.Rows = append(tab.Rows, row)
	}
	return fitted(tab, s, "lambda, million/s", "kappa")
}

func without(t show.Table, heads ...string) show.Table {
	for _, head := range heads {
		if i := slices.Index(t.Head, head); i >= 0 {
			t = t.Without(i)
		}
	}
	return t
}

func millions(f *measure.Sample) string { return fmt.Sprintf("%.3g", f.Median/1e6) }

func interval(f *measure.Sample) string {
	if f == nil {
		return "-"
	}
	low, high, ok := f.Interval()
	if !ok {
		return "-"
	}
	return show.Ratio(low) + "-" + show.Ratio(high)
}

func ratio(f *measure.Sample) string {
	if f == nil {
		return "-"
	}
	return show.Ratio(f.Median)
}

func share(f *measure.Sample) string {
	if f == nil {
		return "-"
	}
	return percent(f.Median)
}

// legend explains the columns.
func (r Result) legend(s show.Style) string {
	text := fmt.Sprintf("Medians of %d rounds in turns of %.3g ms, in %d runs. ", r.Rounds, float64(r.TurnNS)/1e6, r.Runs)
	if r.Rounds < 6 || r.Runs < 3 {
		text += "Fewer than 6 rounds or 3 runs have no 95 % interval and no verdict. "
	}
	if r.Cores > 1 {
		text += fmt.Sprintf("speedup: all %d to one by the clock, each round to itself; the mean of the runs, with an interval "+
			"that has in it what makes runs differ. by CPU: the same by the CPU time of the threads, which leaves out the "+
			"time they had no core; it holds for methods that never sleep. cores: share of the time they had their cores. ", r.Cores)
	}
	if r.carries() {
		text += "lambda, sigma, kappa: of the Universal Scalability Law. "
	}
	text += fmt.Sprintf("mutex per node: %d synthetic nodes. In processes no lock is shared. A thread that waits for one "+
		"of Go's mutexes sleeps and is woken; goroutines that are not bound to threads wait at less cost.", r.Nodes)
	return "\n" + show.Paragraph(text, s.Width, indent, indent)
}

// plotted are the methods of the terminal's plots, with the letters that draw them.
var plotted = []struct{ name, letter string }{
	{"crypto/rand", "c"}, {"one mutex", "m"}, {"mutex per node", "n"}, {"math/rand/v2", "r"},
	{"fount", "f"},
}

// speedupPlot is speedup against threads, 16-byte values; "" if there is nothing to plot, or not enough.
func (r Result) speedupPlot(s show.Style) string {
	if _, busy := r.Busy(Threads); busy || !r.carries() {
		return ""
	}
	var lines [][]float64
	var letters, names []string
	for _, p := range plotted {
		series := r.Find(p.name, 16, Threads)
		if series == nil {
			continue
		}
		lines = append(lines, series.each(1, r.Cores, func(p Point) float64 { return p.Speedup.Median }))
		letters, names = append(letters, p.letter), append(names, p.letter+" "+p.name)
	}
	if lines == nil {
		return ""
	}
	title := "Speedup against threads, 16-byte values (later letters cover earlier ones): " + strings.Join(names, ", ")
	return graph(title, lines, letters, s, asciigraph.LowerBound(0), asciigraph.XAxisRange(1, float64(r.Cores)),
		asciigraph.XAxisTickCount(min(r.Cores, 8)),
		asciigraph.XAxisValueFormatter(func(v float64) string { return fmt.Sprintf("%.0f", v) }))
}

// each is a figure at all numbers of threads from one to another, those between points on a line between them.
func (s Series) each(from, to int, figure func(Point) float64) (values []float64) {
	i := 0
	for n := from; n <= to; n++ {
		for s.Points[i+1].Threads < n {
			i++
		}
		a, b := s.Points[i], s.Points[i+1]
		t := float64(n-a.Threads) / float64(b.Threads-a.Threads)
		values = append(values, figure(a)*(1-t)+figure(b)*t)
	}
	return values
}

var asciiFrame = strings.NewReplacer("┤", "|", "┼", "+", "└", "+", "┬", "+", "─", "-", "│", "|", "╴", "-", "╶", "-")

// graph draws lines by letters: colours would be escape codes.
func graph(title string, lines [][]float64, letters []string, s show.Style, options ...asciigraph.Option) string {
	sets := make([]asciigraph.CharSet, len(letters))
	for i, letter := range letters {
		sets[i] = asciigraph.CreateCharSet(letter)
		sets[i].UpRight, sets[i].DownHorizontal = "└", "┬"
	}
	options = append([]asciigraph.Option{asciigraph.Height(10), asciigraph.Width(min(s.Width, 80) - 16),
		asciigraph.SeriesChars(sets...), asciigraph.Precision(2), asciigraph.Offset(2)}, options...)
	drawn := asciigraph.PlotMany(lines, options...)
	if !s.Unicode {
		drawn = asciiFrame.Replace(drawn)
	}
	var b strings.Builder
	b.WriteString(show.Paragraph(title, s.Width, "", indent))
	for line := range strings.Lines(drawn + "\n") {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

// text is the table and the plot of a sweep.
func (w *Sweep) text(s show.Style) string {
	t := show.Table{Head: []string{"million/s"}, Last: true}
	for _, g := range w.counts() {
		t.Head = append(t.Head, grouped(g))
	}
	t.Head = append(t.Head, "")
	for _, series := range w.Series {
		row := []string{series.Method}
		for i := range w.counts() {
			cell := "-"
			if series.Error == "" {
				cell = millions(series.Points[i].Rate)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, append(row, series.Error))
	}
	title := fmt.Sprintf("Goroutines on %d cores, 16-byte values", w.Cores)
	text := show.Paragraph(title, s.Width, "", indent) + fitted(t, s, "10", "1,000", "100")
	text += show.Paragraph(fmt.Sprintf("Medians of %d rounds. The goroutines stand ready and draw equal shares, %d values "+
		"each at least, from the moment they may; to start and end them is counted, which \"no draw\" has alone. One "+
		"goroutine uses one core. From 10,000 on their stacks and states don't fit the caches.", w.Rounds, w.Least),
		s.Width, indent, indent)
	var lines [][]float64
	var letters, names []string
	for _, p := range plotted {
		for _, series := range w.Series {
			if series.Method != p.name || len(series.Points) < 2 {
				continue
			}
			var line []float64
			for _, point := range series.Points {
				if point.Rate != nil {
					line = append(line, point.Rate.Median/1e6)
				}
			}
			if len(line) < 2 {
				continue
			}
			lines, letters, names = append(lines, line), append(letters, p.letter), append(names, p.letter+" "+p.name)
		}
	}
	if lines == nil {
		return text
	}
	counts := w.counts()
	last := len(counts) - 1
	number := func(v float64) string { return grouped(counts[min(max(0, int(math.Round(v))), last)]) }
	title = "Million values/s by number of goroutines: " + strings.Join(names, ", ")
	return text + "\n" + graph(title, lines, letters, s, asciigraph.LowerBound(0), asciigraph.XAxisRange(0, float64(last)),
		asciigraph.XAxisTickCount(len(counts)), asciigraph.XAxisValueFormatter(number))
}

// counts are the numbers of goroutines.
func (w *Sweep) counts() (list []int) {
	for _, s := range w.Series {
		if s.Error == "" {
			for _, p := range s.Points {
				list = append(list, p.Goroutines)
			}
			return list
		}
	}
	return nil
}

// grouped writes 100000 as 100,000.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
