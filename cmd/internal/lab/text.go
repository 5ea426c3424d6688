// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// Texts of a Result, for a terminal and for benchstat.

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"fount/cmd/internal/lab/show"
)

// Text returns the result as text for a terminal.
func (r Result) Text(s show.Style) string {
	where := r.Where() + ", " + r.Version
	return show.Paragraph(r.Command, s.Width, "", "  ") + show.Paragraph(where, s.Width, "", "  ") + r.Tables(s)
}

// Tables returns the groups and the notes as text.
func (r Result) Tables(s show.Style) (text string) {
	for i := range r.Groups {
		text += "\n" + r.Groups[i].text(s)
	}
	if len(r.Notes) > 0 {
		text += "\n" + s.Items(r.Notes...)
	}
	return text
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
	isKnown := g.Share != 0
	if !isKnown && tellsAll {
		return ""
	}

	text := "share of the cores "
	if g.Workers == 1 {
		text = "share of a core "
	}
	if isKnown {
		text += fmt.Sprintf("%.2f", float64(g.Share))
	} else {
		text += "not known"
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
		if f := r.figure(0); f != nil {
			n = max(n, len(f.Rounds))
		}
	}
	return n
}

// Legend explains the ratios. It returns "" if there are none.
func (g *Group) Legend() string {
	if g.Agree == 0 || !g.hasRatios() {
		return ""
	}

	c := g.Columns[g.judged()]
	isCost := strings.HasSuffix(c.Unit, "ns/op") || strings.Contains(c.Unit, "sec")
	more := "greater"
	if isCost {
		more = "dearer"
	}

	return fmt.Sprintf("ratio: of %s to the row above that has 1, the median of the rounds' ratios, not that of two printed figures; "+
		"~: fewer than %d of the %d rounds agree on which of the two is %s", c.Name, g.Agree, g.rounds(), more)
}

// text returns the table, with bars where the columns leave room. It never drops the first two
// columns.
func (g *Group) text(s show.Style) string {
	text := show.Paragraph(g.Name, s.Width, "", "  ")
	for _, line := range []string{g.Facts(), g.Legend()} {
		if line != "" {
			text += show.Paragraph(line, s.Width, show.Indent, show.Indent)
		}
	}

	t := g.Table()
	optional := slices.Clone(t.Head[min(3, len(t.Head)):])
	slices.Reverse(optional)

	t.Last = true
	t.Head = append(t.Head, "")
	for i, r := range g.Rows {
		t.Rows[i] = append(t.Rows[i], r.Error)
	}

	room := s.Width - len(show.Indent)
	t = t.Fit(room, optional...)
	g.drawBars(t, room-t.Width())
	return text + t.String(show.Indent)
}

// Lengths of bars in columns. A shorter one says less than no bar.
const minBar, maxBar = 8, 24

// drawBars draws the first figure of each row into the last column, if that has room.
func (g *Group) drawBars(t show.Table, room int) {
	if room < minBar || !g.Tells(0) {
		return
	}

	longest := 0.0
	for _, r := range g.Rows {
		if f := r.figure(0); f != nil {
			longest = max(longest, f.Value)
		}
	}

	for i, r := range g.Rows {
		if f := r.figure(0); f != nil && r.Error == "" {
			t.Rows[i][len(t.Head)-1] = show.Bar(f.Value, longest, min(room, maxBar))
		}
	}
}

// Table returns the table. It has the names, the first column with its interval and the published
// figure, then each other column in which a row has a figure. The judged column has its ratios
// beside it.
func (g *Group) Table() show.Table {
	t := show.Table{Head: []string{""}}
	for _, r := range g.Rows {
		t.Rows = append(t.Rows, []string{show.Printable(r.Name)})
	}

	add := func(head string, cell func(row int) string) {
		isFirst := len(t.Head) == 1
		cells := make([]string, len(g.Rows))
		for i := range cells {
			cells[i] = cell(i)
		}
		if !isFirst && !slices.ContainsFunc(cells, isKnown) {
			return
		}

		t.Head = append(t.Head, head)
		for i, text := range cells {
			t.Rows[i] = append(t.Rows[i], text)
		}
	}

	for i, c := range g.Columns {
		add(c.Name, func(row int) string { return g.Rows[row].figure(i).text(c.Unit) })
		if c.Judged && g.hasRatios() {
			add("ratio", g.ratio)
		}
		if i > 0 {
			continue
		}

		add("95 %", func(row int) string { return g.Rows[row].figure(0).spread() })
		if g.Published != "" {
			add("then", func(row int) string { return g.Rows[row].published().text(c.Unit) })
		}
	}
	return t
}

// isKnown reports whether a cell has something in it.
func isKnown(cell string) bool { return cell != "-" }

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
				for _, values := range g.benchstat(row) {
					fmt.Fprintf(&b, "%s 1%s\n", name, values)
				}
			}
		}
	}

	_, err := io.WriteString(w, b.String())
	return err
}

// benchstat returns the values of each of a row's rounds. What was counted once has one round.
func (g *Group) benchstat(row Row) (lines []string) {
	for i, f := range row.Figures {
		if f == nil {
			continue
		}

		rounds := f.Rounds
		if rounds == nil {
			rounds = []float64{f.Value}
		}
		for n, v := range rounds {
			if n == len(lines) {
				lines = append(lines, "")
			}
			lines[n] += fmt.Sprintf(" %.6g %s", v, unit(g.Columns[i]))
		}
	}
	return lines
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
