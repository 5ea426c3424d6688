// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// What a benchmark of methods prints: one object as JSON and tables for people.

import (
	"fmt"
	"strings"

	"fount/lab/machine"
	"fount/lab/show"
)

// A Report is what a benchmark of methods found. Names of fields stay; fields may be added.
type Report struct {
	Benchmark string        `json:"benchmark"` // Nonce, Source or Password
	Machine   machine.Facts `json:"machine"`
	Count     int           `json:"count"`
	Benchtime string        `json:"benchtime"`
	Tables    []Table       `json:"tables"`

	Asked int `json:"-"` // goroutines that were asked for, 0 for the usual number
}

// A Table is what was measured with one GOMAXPROCS.
type Table struct {
	GOMAXPROCS int        `json:"gomaxprocs"`
	Goroutines int        `json:"goroutines"`
	Methods    []Row      `json:"methods"`
	Bursts     []Row      `json:"bursts"` // nil if not measured
	Conclusion Conclusion `json:"conclusion"`
	Condition  Condition  `json:"condition,omitzero"` // of nonces
}

// A Condition is what was the same for all rows of a Table and not for those of another: figures of two are not compared.
type Condition struct {
	Name string `json:"name,omitempty"` // post, today, or "" for another
	Via  string `json:"via"`            // way to the kernel
	Call string `json:"call"`           // after each draw
}

// A Conclusion says what a Table shows. All but the sentences is of nonces.
type Conclusion struct {
	Winner      string   `json:"winner,omitempty"`      // of the seven, "" if none costs less than all others for sure
	Ratio       float64  `json:"ratio,omitempty"`       // of the least time to Baseline's, 0 if that was not measured or they can't be told apart
	SavingNS    float64  `json:"saving_ns,omitempty"`   // core time it saves on a nonce against Baseline; 0 if none that can be measured
	BreakEven   float64  `json:"break_even,omitempty"`  // nonces per second from which that is 1 % of a core; 0 if never
	ChannelWins []string `json:"channel_wins,omitzero"` // where a method with channels beat Baseline and Amortized
	Sentences   []string `json:"sentences"`             // all of this in words

	Docket *Docket `json:"-"` // that it rests on
}

// Say adds a sentence, if it is one.
func (c *Conclusion) Say(sentence string) {
	if sentence != "" {
		c.Sentences = append(c.Sentences, sentence)
	}
}

// indent is what stands before each line of a section.
const indent = "  "

// Text is the sentences under a title.
func (c Conclusion) Text(s show.Style) string {
	text := "Conclusion\n"
	for _, sentence := range c.Sentences {
		text += show.Paragraph(sentence, s.Width, indent, indent+indent)
	}
	return text
}

// Heading says how many draw.
func (t Table) Heading(s show.Style) string {
	text := fmt.Sprintf("GOMAXPROCS %d, %d goroutines", t.GOMAXPROCS, t.Goroutines)
	if t.Goroutines == 1 {
		text = strings.TrimSuffix(text, "s")
	}
	return show.Paragraph(text, s.Width, "", indent)
}

// A Column is one column of figures in a table.
type Column struct {
	Head string
	Cell func(Row) string
}

// figures are the cells of the columns that several studies have, by head.
var figures = map[string]func(Row) string{
	"mean":  func(r Row) string { return r.NS.String() },
	"now":   func(r Row) string { return r.NS.String() },
	"95 %":  func(r Row) string { return r.NS.Percent() },
	"ratio": ratio,
	"core":  func(r Row) string { return r.CoreNS.String() },
	"first": func(r Row) string { return r.FirstNS.String() },
	"p50":   func(r Row) string { return r.P50NS.String() },
	"p99":   func(r Row) string { return r.P99NS.String() },
	"p99.9": func(r Row) string { return r.P999NS.String() },
}

// leastNeeded is the order in which a narrow screen loses columns.
var leastNeeded = []string{"core", "first", "p50", "p99.9", "95 %", "p99", "ratio then", "ratio"}

// Columns are those of these heads.
func Columns(heads ...string) (list []Column) {
	for _, head := range heads {
		list = append(list, Column{head, figures[head]})
	}
	return list
}

// ratio is the ratio as tables print it: ~ where nothing differs for sure.
func ratio(r Row) string {
	switch {
	case r.Ratio == 0:
		return "-"
	case !r.Differs && !r.base:
		return "~"
	}
	return show.Ratio(r.Ratio)
}

// Text is a table of the rows, a chart of their means, and what finds no room in the table.
func Text(unit string, rows []Row, columns []Column, s show.Style) string {
	t := show.Table{Head: []string{unit}, Last: true}
	for _, c := range columns {
		t.Head = append(t.Head, c.Head)
	}
	t.Head = append(t.Head, "")
	var bars []show.Bar
	for _, r := range rows {
		cells := []string{r.Name}
		for _, c := range columns {
			cells = append(cells, c.Cell(r))
		}
		t.Rows = append(t.Rows, append(cells, ""))
		if r.NS != nil {
			bars = append(bars, show.Bar{Label: r.Name, Value: r.NS.Median, Text: r.NS.String()})
		}
	}
	t = t.Fit(s.Width-len(indent), leastNeeded...)
	notes := Notes(rows)
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

// Notes explain what stands in place of figures.
func Notes(rows []Row) (notes []string) {
	few, same, short := false, false, false
	for _, r := range rows {
		few = few || r.NS != nil && r.NS.Percent() == "-"
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
