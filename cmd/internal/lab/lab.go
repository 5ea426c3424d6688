// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package lab runs the studies of fount bench. A [Study] gets a [Run] and fills its [Result].
// [Run.Compare] measures methods that take turns (package measure). [Run.Turns] calls the study for
// each row and round: it measures whole loads or processes itself. [Run.Add] adds figures that the
// study computed. When a ratio is shown, and when a mark instead of it, is in judge.go.
//
// Each study has a folder. The other folders are
//
//	measure  one turn of a Method by a Plan
//	child    processes of a study
//	quote    figures of a kept report, written into documents
//	show     text for a terminal
//	machine  facts about the machine
//
// To add a study, write a value such as this, and name it in cmd/fount/internal/cli/studies.go:
//
//	var Study = lab.Study{Name: "coin", About: "a coin", Time: 5 * time.Second, Run: run}
//
//	func run(r *lab.Run) {
//		r.Compare("A coin", r.Plan(), []measure.Method{
//			{Name: "math/rand/v2", Open: measure.Stateless(func(dst []bool) { // the base
//				for i := range dst {
//					dst[i] = rand.IntN(2) == 1
//				}
//			})},
//			{Name: "fount", Open: measure.Stateless(func(dst []bool) {
//				for i := range dst {
//					dst[i] = fount.IntN(2) == 1
//				}
//			})},
//		})
//	}
//
// [Run.Plan] has a goroutine for each of GOMAXPROCS and counts CPU time; set its Elapsed if methods
// wait. For a method with a state for each goroutine use measure.Shareless.
//
// To add a row, add a Method, a [Way] or a [Row] to the list that the study gives to Compare, Turns
// or Add. In Compare the first is the base of all; else Base is the index of a row's base.
//
// Lab imports no command, and the library does not import lab.
package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
)

// A Study is a set of measurements. Child runs in each process that the study starts; it is nil if
// the study starts none.
type Study struct {
	Name, About string
	Time        time.Duration // how long it takes
	Run         func(*Run)    // calls Run.Compare, Turns or Add for each group
	Child       func(in *json.Decoder, out *json.Encoder) error
	Headline    *Headline // nil if the report's first screen has none of it
}

// A Headline is a question that a study answers by one figure and a chart, for the first screen of
// the report. Rows are named as in the study; of rows that form a line, the last counts.
type Headline struct {
	Asks   string
	Group  string // how the name of the table begins
	Unit   string // of the column; if empty, the first column
	Row    string // whose figure is told
	Tells  Telling
	Says   string // after the figure
	Charts string // what the bars show
	Bars   []Bar
}

// A Bar is a row of a headline's chart.
type Bar struct{ Row, Label string }

// Telling is what a headline tells of its row.
type Telling int

const (
	TellFigure Telling = iota
	TellRatio          // of the row's figure to its base's
	TellFewer          // how many times the row's figure the base's is
)

// A Result has all figures of a study. Text, JSON, benchstat lines and the page are made from it.
type Result struct {
	Study   string        `json:"study"`
	Command string        `json:"command"` // to run the study again
	Version string        `json:"version"`
	Time    time.Time     `json:"time"`
	Machine machine.Facts `json:"machine"`
	Groups  []Group       `json:"groups"`
	Notes   []string      `json:"notes,omitempty"` // what the run could not measure, and why
}

// A Group is a table of rows that took turns and are compared round by round. Rows of two groups
// are never compared.
type Group struct {
	Name      string        `json:"name"`                 // the condition
	Origin    string        `json:"origin"`               // measured or modelled
	X         string        `json:"x,omitempty"`          // what Row.X counts, if anything
	Procs     int           `json:"gomaxprocs,omitempty"` // 0 if the study measured by itself
	Workers   int           `json:"goroutines,omitempty"` // 0 if the study measured by itself, or rows differ
	Share     measure.Share `json:"core_share,omitempty"` // that the control had
	Contends  bool          `json:"contends,omitempty"`   // not judged where Share is below 0.95
	Agree     int           `json:"agree,omitempty"`      // how many rounds must agree for a verdict
	Published string        `json:"published,omitempty"`  // the source of the rows' Then
	Columns   []Column      `json:"columns"`              // the first is drawn as bars
	Rows      []Row         `json:"rows"`
}

// A Column has one figure of each row, in a unit as benchstat writes it. At most one column of a
// group is judged.
type Column struct {
	Name   string `json:"name"`
	Unit   string `json:"unit"`
	Judged bool   `json:"judged,omitempty"`
	Clock  bool   `json:"clock,omitempty"` // elapsed time: not judged where Share is below 0.9
}

// A Row is one method, mechanism or source at one point of the axis. Rows that form a line in a
// chart have the same name up to its last comma, as in "fount, 2 cores". A row without a point is a
// line across the chart.
type Row struct {
	Name    string    `json:"name"` // in full, also on an axis: "feeders: 2"
	X       float64   `json:"x,omitempty"`
	Base    int       `json:"base"`              // the index of the row to compare with; its own if none
	Figures []*Figure `json:"figures,omitempty"` // by column; nil if not known
	Verdict *Verdict  `json:"verdict,omitempty"` // on the judged column; nil if there is none
	Then    float64   `json:"then,omitempty"`    // the first column as published
	Error   string    `json:"error,omitempty"`
}

// A Figure is the median of rounds, with its 95 % interval by order statistics if there are at
// least 6 rounds.
type Figure struct {
	Value  float64   `json:"value"`
	Low    *float64  `json:"low,omitempty"`
	High   *float64  `json:"high,omitempty"`
	Rounds []float64 `json:"rounds,omitempty"` // nil if counted or computed once
}

// A Verdict says whether a row's ratio to its base is below or above 1.
type Verdict struct {
	Ratio Figure `json:"ratio"` // the median of the rounds' ratios, not the ratio of medians
	Is    string `json:"is"`    // below, above, undecided, not judged
}

// The values of Verdict.Is.
const (
	Below     = "below"
	Above     = "above"
	Undecided = "undecided"
	NotJudged = "not judged"
)

// The values of Group.Origin.
const (
	Measured = "measured"
	Modelled = "modelled"
)

// Read reads results from JSON. It refuses inconsistent ones, as the file may come from a stranger.
func Read(r io.Reader) (results []Result, err error) {
	if err := json.NewDecoder(r).Decode(&results); err != nil {
		return nil, err
	}

	for _, r := range results {
		for _, g := range r.Groups {
			if err := g.check(); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// check returns an error if the group would be read out of bounds.
func (g *Group) check() error {
	if len(g.Columns) == 0 {
		return fmt.Errorf("table %q has no columns", g.Name)
	}

	isHalf := func(f *Figure) bool { return f != nil && (f.Low == nil) != (f.High == nil) }
	for _, row := range g.Rows {
		if slices.ContainsFunc(row.Figures, isHalf) || row.Verdict != nil && isHalf(&row.Verdict.Ratio) {
			return fmt.Errorf("row %q of table %q has half an interval", row.Name, g.Name)
		}

		hasBase := 0 <= row.Base && row.Base < len(g.Rows)
		if !hasBase || len(row.Figures) > len(g.Columns) {
			return fmt.Errorf("row %q of table %q is not as wide as its table, or is compared with a row that is not there", row.Name, g.Name)
		}
	}
	return nil
}
