// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// Texts of a Result, for a terminal and for benchstat.

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"fount/cmd/internal/lab/show"
)

// Text returns the result as text for a terminal.
func (r Result) Text(s show.Style) string {
	var b strings.Builder
	b.WriteString(show.Paragraph(r.Command, s.Width, "", "  "))
	b.WriteString(show.Paragraph(r.Where()+", "+r.Version, s.Width, "", "  "))
	b.WriteString(r.Tables(s))
	return b.String()
}

// Tables returns the groups and the notes as text.
func (r Result) Tables(s show.Style) string {
	var b strings.Builder
	for i := range r.Groups {
		b.WriteString("\n" + r.Groups[i].text(s))
	}
	if len(r.Notes) > 0 {
		b.WriteString("\n" + s.Items(r.Notes...))
	}
	return b.String()
}

// Where returns the machine.
func (r Result) Where() string {
	m := r.Machine
	facts := []string{m.CPU, strings.TrimSpace(m.OS + " " + m.Kernel), m.GoVersion, fmt.Sprintf("%d cores", m.Cores)}
	return strings.Join(slices.DeleteFunc(facts, func(fact string) bool { return fact == "" }), ", ")
}

// Facts returns what holds for all rows of the group, such as GOMAXPROCS.
func (g *Group) Facts() string {
	var list []string
	if g.Origin != Measured {
		list = append(list, g.Origin)
	}
	if g.Workers > 0 {
		list = append(list, fmt.Sprintf("GOMAXPROCS %d, goroutines %d", g.Procs, g.Workers))
	}
	if n := g.rounds(); n > 1 {
		list = append(list, fmt.Sprintf("%d rounds", n))
	}

	if share := g.shareText(); share != "" {
		list = append(list, share)
	}
	if g.Published != "" {
		list = append(list, "then: "+g.Published)
	}
	return strings.Join(list, ", ")
}

// shareText returns the share of the cores, and what it is too little for. It returns "" if the
// share is not known and nothing depends on it.
func (g *Group) shareText() string {
	tellsAll := true
	for i := range g.Columns {
		tellsAll = tellsAll && g.Tells(i)
	}
	if g.Share == 0 && tellsAll {
		return ""
	}

	of := "the cores"
	if g.Workers == 1 {
		of = "a core"
	}
	text := fmt.Sprintf("share of %s %.2f", of, float64(g.Share))
	if g.Share == 0 {
		text = "share of " + of + " not known"
	}

	switch {
	case !g.Quiet():
		text += ": too little to compare"
	case !tellsAll:
		text += ": too little to compare what a clock measured"
	}
	return text
}

// rounds returns the number of rounds, or 0 if no row took turns.
func (g *Group) rounds() (n int) {
	for _, r := range g.Rows {
		if f := figure(r, 0); f != nil {
			n = max(n, len(f.Rounds))
		}
	}
	return n
}

// Legend explains the ratios. It returns "" if there are none.
func (g *Group) Legend() string {
	n := g.rounds()
	if g.Agree == 0 || g.Agree > n || !g.Quiet() {
		return ""
	}

	c := g.Columns[g.judged()]
	more := "dearer"
	if !strings.HasSuffix(c.Unit, "ns/op") && !strings.HasSuffix(c.Unit, "sec") && !strings.HasSuffix(c.Unit, "sec/op") {
		more = "greater"
	}

	return fmt.Sprintf("ratio: of %s to the row above that has 1, the median of the rounds' ratios, not that of two printed figures; "+
		"~: fewer than %d of the %d rounds agree on which of the two is %s", c.Name, g.Agree, n, more)
}

// text returns the table, with bars where the columns leave room. It never drops the first two
// columns.
func (g *Group) text(s show.Style) string {
	text := show.Paragraph(g.Name, s.Width, "", "  ")
	room := s.Width - len(show.Indent)
	for _, line := range []string{g.Facts(), g.Legend()} {
		if line != "" {
			text += show.Paragraph(line, s.Width, show.Indent, show.Indent)
		}
	}

	t := g.Table()
	more := slices.Clone(t.Head[min(3, len(t.Head)):])
	slices.Reverse(more)
	t.Head = append(t.Head, "")
	t.Last = true
	for i, r := range g.Rows {
		t.Rows[i] = append(t.Rows[i], r.Error)
	}

	t = t.Fit(room, more...)
	longest := 0.0
	for _, r := range g.Rows {
		longest = max(longest, r.length())
	}

	room -= t.Width()
	if room >= minBar && g.Tells(0) {
		for i, r := range g.Rows {
			if r.Error == "" {
				t.Rows[i][len(t.Head)-1] = show.Bar(r.length(), longest, min(room, maxBar))
			}
		}
	}

	return text + t.String(show.Indent)
}

// Lengths of bars in columns. A shorter one says less than no bar.
const minBar, maxBar = 8, 24

// length returns the first figure of a row, or 0 if it has none.
func (r Row) length() float64 {
	if f := figure(r, 0); f != nil {
		return f.Value
	}
	return 0
}

// Table returns the table. It has the names, the first column with its interval and the published
// figure, then each other column in which a row has a figure. The judged column has its ratios
// beside it.
func (g *Group) Table() show.Table {
	t := show.Table{Head: []string{""}}
	for _, r := range g.Rows {
		t.Rows = append(t.Rows, []string{show.Printable(r.Name)})
	}

	add := func(head string, has func(Row) bool, cell func(row int, r Row) string) {
		if !slices.ContainsFunc(g.Rows, has) {
			return
		}
		t.Head = append(t.Head, head)
		for i, r := range g.Rows {
			t.Rows[i] = append(t.Rows[i], cell(i, r))
		}
	}

	for i, c := range g.Columns {
		add(c.Name, func(r Row) bool { return i == 0 || figure(r, i) != nil }, func(_ int, r Row) string { return figure(r, i).text(c.Unit) })

		if c.Judged {
			has := func(r Row) bool { return r.Verdict != nil && r.Verdict.Is != NotJudged }
			add("ratio", has, func(row int, _ Row) string { return g.ratio(row) })
		}

		if i == 0 {
			add("95 %", func(r Row) bool { f := figure(r, 0); return f != nil && f.Low != nil }, func(_ int, r Row) string { return figure(r, 0).spread() })
			add("then", func(r Row) bool { return g.Published != "" && r.Then != 0 }, func(_ int, r Row) string {
				if r.Then == 0 {
					return "-"
				}
				return Once(r.Then).text(c.Unit)
			})
		}
	}
	return t
}

// ratio returns the ratio of a row's verdict: 1 for a base, ~ if undecided, - if not judged.
func (g *Group) ratio(row int) string {
	switch r := g.Rows[row]; {
	case r.Base == row && figure(r, g.judged()) != nil:
		return "1"
	default:
		return r.Verdict.Times()
	}
}

// text returns the figure in a unit, or - if f is nil.
func (f *Figure) text(unit string) string {
	if f == nil {
		return "-"
	}
	whole := len(f.Rounds) <= 1 && f.Low == nil && f.Value == math.Trunc(f.Value) && math.Abs(f.Value) < 1e9
	if whole && unit == "" {
		return show.Count(int64(f.Value))
	}
	return show.Figure(f.Value, unit)
}

// spread returns how far the interval reaches from the figure.
func (f *Figure) spread() string {
	switch {
	case f == nil || f.Low == nil:
		return "-"
	case f.Value == 0 && *f.High == 0:
		return "0"
	case f.Value == 0:
		return "< " + Once(*f.High).text("")
	}
	return fmt.Sprintf("±%.0f%%", 100*max(*f.High-f.Value, f.Value-*f.Low)/math.Abs(f.Value))
}

// WriteBenchstat writes a line for each round of each row, in Go's benchmark format.
func WriteBenchstat(w io.Writer, results []Result) error {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "goos: %s\ngoarch: %s\npkg: fount/lab/%s\ncpu: %s\n", runtime.GOOS, runtime.GOARCH, r.Study, r.Machine.CPU)

		for _, g := range r.Groups {
			procs := ""
			if g.Procs > 1 {
				procs = fmt.Sprintf("-%d", g.Procs)
			}

			for _, row := range g.Rows {
				name := "Benchmark" + strings.ToUpper(r.Study[:1]) + r.Study[1:] + "/group=" + Slug(g.Name) + "/row=" + Slug(row.Name) + procs
				for round := 0; ; round++ {
					line := g.benchstat(row, round)
					if line == "" {
						break
					}
					fmt.Fprintf(&b, "%s 1%s\n", name, line)
				}
			}
		}
	}

	_, err := io.WriteString(w, b.String())
	return err
}

// benchstat returns the line of a row's round, or "" if there is no such round. A value that was
// counted once has one round.
func (g *Group) benchstat(row Row, round int) (line string) {
	for i, f := range row.Figures {
		if f == nil {
			continue
		}

		rounds := f.Rounds
		if rounds == nil {
			rounds = []float64{f.Value}
		}

		if round < len(rounds) {
			line += fmt.Sprintf(" %.6g %s", rounds[round], unit(g.Columns[i]))
		}
	}
	return line
}

// unit returns the column's unit as one word, with the column's name if the unit is not per
// operation.
func unit(c Column) string {
	if strings.HasSuffix(c.Unit, "/op") {
		return c.Unit
	}
	return strings.TrimSuffix(Slug(c.Name)+"-"+Slug(c.Unit), "-")
}

// Slug returns name without '/' and ' ', which have a meaning in names of benchmarks.
func Slug(name string) string {
	return strings.NewReplacer("/", "_", " ", "_", "\t", "_").Replace(name)
}
