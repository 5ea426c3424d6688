// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What fount bench found: as JSON, and as tables, bars and sentences.

package cli

import (
	"fmt"
	"math"
	"strings"

	"fount/lab/clib"
	"fount/lab/machine"
	"fount/lab/nonce"
	"fount/lab/show"
)

// benchReport is what --json prints. Names of fields stay; fields may be added.
type benchReport struct {
	Benchmark   string           `json:"benchmark"` // Nonce or Source
	Machine     machine.Facts    `json:"machine"`
	Via         string           `json:"via,omitempty"`
	Call        string           `json:"call,omitempty"`
	Parameters  *benchParameters `json:"parameters,omitempty"`
	Count       int              `json:"count"`
	Benchtime   string           `json:"benchtime"`
	Idle        string           `json:"idle,omitempty"`
	BurstLength int              `json:"burst_length,omitempty"`
	Argon2id    string           `json:"argon2id,omitempty"`  // of fount bench password: the policy
	Libraries   []clib.Library   `json:"libraries,omitempty"` // of C that were found, if one was measured
	Tables      []benchTable     `json:"tables"`

	goroutines int // as asked for, 0 if it was not
}

type benchParameters struct {
	Capacity int `json:"capacity"`
	Buffer   int `json:"buffer"`
	Channels int `json:"channels"`
	Writers  int `json:"writers"`
}

// A benchTable is what was measured with one GOMAXPROCS.
type benchTable struct {
	GOMAXPROCS int              `json:"gomaxprocs"`
	Goroutines int              `json:"goroutines"`
	Methods    []benchRow       `json:"methods"`
	Bursts     []benchRow       `json:"bursts"`
	Conclusion nonce.Conclusion `json:"conclusion"`
}

// A benchRow is one method's figures, in ns per value.
type benchRow struct {
	Name     string  `json:"name"`
	Weakness string  `json:"weakness,omitempty"`
	Error    string  `json:"error,omitempty"`   // why it was not measured; then there are no figures
	ThenNS   float64 `json:"then_ns,omitempty"` // in the post, on its machine
	Ratio    float64 `json:"ratio,omitempty"`   // of the median ns to that of the first of its kind; 0 if that was not measured
	Differs  bool    `json:"differs"`           // from that one

	NS      *figure `json:"ns,omitempty"`
	CoreNS  *figure `json:"core_ns,omitempty"`
	P50NS   *figure `json:"p50_ns,omitempty"`
	P99NS   *figure `json:"p99_ns,omitempty"`
	P999NS  *figure `json:"p99_9_ns,omitempty"`
	FirstNS *figure `json:"first_ns,omitempty"`

	drawn  []int // values drawn in each run
	ofPost bool
	base   bool
}

// A figure is the median of some runs.
type figure struct {
	Median float64   `json:"median"`
	Low    float64   `json:"low,omitempty"` // 95 % interval; none of fewer than 6 values
	High   float64   `json:"high,omitempty"`
	Values []float64 `json:"values"`

	percent string // what the interval is around the median
}

func newFigure(s nonce.Sample) *figure {
	if len(s) == 0 {
		return nil
	}
	sum := s.Summary()
	f := &figure{Median: sum.Center, Values: s, percent: "-"}
	if !math.IsInf(sum.Lo, 0) && !math.IsInf(sum.Hi, 0) {
		f.Low, f.High, f.percent = sum.Lo, sum.Hi, sum.PctRangeString()
	}
	return f
}

func (b *bench) report() benchReport {
	return benchReport{Benchmark: b.name, Machine: b.machine, Count: b.count, Benchtime: b.benchtime.String(), goroutines: b.goroutines}
}

// benchRows makes the rows, with ratios to the one that is called base. differ reports whether the costs of two differ.
func benchRows(rows []nonce.Row, base string, differ func(a, b string) bool) []benchRow {
	var to nonce.Row
	for _, r := range rows {
		if r.Method.Name() == base {
			to = r
		}
	}
	made := make([]benchRow, len(rows))
	for i, r := range rows {
		made[i] = benchRow{Name: r.Method.Name(), Weakness: r.Method.Weakness(), ofPost: nonce.IsOfPost(r.Method)}
		if r.Err != nil {
			made[i].Error = nonce.Reason(r.Err)
			continue
		}
		m := &made[i]
		m.NS, m.CoreNS, m.FirstNS = newFigure(r.Cost), newFigure(r.Core), newFigure(r.First)
		m.P50NS, m.P99NS, m.P999NS = newFigure(r.P50), newFigure(r.P99), newFigure(r.P999)
		m.drawn = r.Drawn
		m.base = m.Name == base
		if to.Cost.Median() > 0 {
			m.Ratio = m.NS.Median / to.Cost.Median()
			m.Differs = differ(m.Name, base)
		}
	}
	return made
}

// A benchColumn is one column of figures in a table.
type benchColumn struct {
	head string
	cell func(r benchRow) string
}

// The columns of the tables, and in which order a narrow screen loses them.
var (
	nonceColumns = []benchColumn{
		{"mean", median(ns)}, {"95 %", percent}, {"ratio", ratio}, {"core", median(func(r benchRow) *figure { return r.CoreNS })},
		{"p50", median(func(r benchRow) *figure { return r.P50NS })}, {"p99", median(func(r benchRow) *figure { return r.P99NS })},
		{"p99.9", median(func(r benchRow) *figure { return r.P999NS })},
	}
	burstColumns = []benchColumn{
		{"mean", median(ns)}, {"95 %", percent}, {"ratio", ratio}, {"first", median(func(r benchRow) *figure { return r.FirstNS })},
		{"p50", median(func(r benchRow) *figure { return r.P50NS })}, {"p99", median(func(r benchRow) *figure { return r.P99NS })},
		{"p99.9", median(func(r benchRow) *figure { return r.P999NS })},
	}
	sourceColumns = []benchColumn{
		{"now", median(ns)}, {"95 %", percent}, {"ratio", ratio}, {"then", then}, {"ratio then", ratioThen},
	}
	leastNeeded = []string{"core", "first", "p50", "p99.9", "95 %", "p99", "ratio then", "ratio"}
)

func ns(r benchRow) *figure { return r.NS }

func median(of func(benchRow) *figure) func(benchRow) string {
	return func(r benchRow) string {
		if f := of(r); f != nil {
			return show.NS(f.Median)
		}
		return "-"
	}
}

func percent(r benchRow) string {
	if r.NS == nil {
		return "-"
	}
	return r.NS.percent
}

func ratio(r benchRow) string {
	switch {
	case r.Ratio == 0:
		return "-"
	case !r.Differs && !r.base:
		return "~"
	}
	return show.Ratio(r.Ratio)
}

func then(r benchRow) string {
	if r.ThenNS == 0 {
		return ""
	}
	return show.NS(r.ThenNS)
}

func ratioThen(r benchRow) string {
	global, _ := nonce.TaleThen("Global")
	if r.ThenNS == 0 {
		return ""
	}
	return show.Ratio(r.ThenNS / global)
}

// title is the command, its words given, with the flags of all benchmarks, and the machine.
func (f *benchFlags) title(words string, m machine.Facts, s show.Style) string {
	words += fmt.Sprintf(" --benchtime %v --count %d", f.benchtime, f.count)
	if f.goroutines > 0 {
		words += fmt.Sprintf(" --goroutines %d", f.goroutines)
	}
	if all := f.bench.String(); all != "" {
		words += fmt.Sprintf(" --bench '%s'", all)
	}
	var facts []string
	for _, fact := range []string{m.CPU, strings.TrimSpace(m.OS + " " + m.Kernel), m.GoVersion} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	return show.Paragraph(words, s.Width, "", indent) + show.Paragraph(strings.Join(facts, ", "), s.Width, "", "")
}

// heading says how many draw.
func (t benchTable) heading(s show.Style) string {
	text := fmt.Sprintf("GOMAXPROCS %d, %d goroutines", t.GOMAXPROCS, t.Goroutines)
	if t.Goroutines == 1 {
		text = strings.TrimSuffix(text, "s")
	}
	return show.Paragraph(text, s.Width, "", indent)
}

// rowsText is a table of the rows, a chart of their means, and what finds no room in the table.
func rowsText(unit string, rows []benchRow, columns []benchColumn, s show.Style) string {
	t := show.Table{Head: []string{unit}, Last: true}
	for _, c := range columns {
		t.Head = append(t.Head, c.head)
	}
	t.Head = append(t.Head, "")
	var bars []show.Bar
	for _, r := range rows {
		cells := []string{r.Name}
		for _, c := range columns {
			cells = append(cells, c.cell(r))
		}
		t.Rows = append(t.Rows, append(cells, ""))
		if r.NS != nil {
			bars = append(bars, show.Bar{Label: r.Name, Value: r.NS.Median, Text: show.NS(r.NS.Median)})
		}
	}
	t = t.Fit(s.Width-len(indent), leastNeeded...)
	notes := benchNotes(rows)
	for i, r := range rows {
		last := len(t.Head) - 1
		switch room := s.Width - len(indent) - t.Width(); {
		case r.Error == "":
		case len(r.Error) <= room:
			t.Rows[i][last] = r.Error
		default:
			notes = append(notes, r.Name+": "+r.Error+".")
		}
	}
	text := t.String(indent)
	if len(notes) > 0 {
		text += show.Paragraph(strings.Join(notes, " "), s.Width, indent, indent)
	}
	return text + "\n" + s.Chart(bars, indent)
}

// benchNotes explain what stands in place of figures.
func benchNotes(rows []benchRow) (notes []string) {
	few, same, short := false, false, false
	for _, r := range rows {
		few = few || r.NS != nil && r.NS.percent == "-"
		same = same || ratio(r) == "~"
		short = short || r.P50NS != nil && r.P999NS == nil
	}
	if few {
		notes = append(notes, "Fewer than 6 runs have no 95 % interval and no verdict.")
	}
	if same {
		notes = append(notes, "~ is no measurable difference.")
	}
	if short {
		notes = append(notes, "p99 is of 100 draws or more in each run, p99.9 of 1000.")
	}
	return notes
}

func conclusionText(c nonce.Conclusion, s show.Style) string {
	text := "Conclusion\n"
	for _, sentence := range c.Sentences {
		text += show.Paragraph(sentence, s.Width, indent, indent+indent)
	}
	return text
}
