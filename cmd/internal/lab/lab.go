// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package lab runs studies. A [Study] gets a [Run] and fills its [Result]. [Run.Compare] measures
// methods that take turns (package measure). [Run.Turns] calls a study that measures whole loads or
// processes itself, for each row and round. [Run.Add] takes figures that are computed. What may be
// concluded from the rounds is in judge.go.
//
// There is a folder for each study, and beside them
//
//	measure  the harness: Method, Plan, one turn
//	child    parts of a study in processes of their own
//	page     one HTML page of results
//	show     text for a terminal
//	machine  what the machine is
//
// To add a study, write such a value and name it in cmd/fount/internal/cli/studies.go:
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
// The usual plan has a goroutine for each of GOMAXPROCS and counts CPU time; set its Elapsed where
// methods wait. Open a method with a state for each goroutine by measure.Shareless.
//
// The library does not import lab, and lab names no command of the program but fount bench.
package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"fount/cmd/internal/lab/machine"
)

// A Study is one thing that can be measured. Child is its processes' side, nil if it has none.
type Study struct {
	Name, About string
	Time        time.Duration // that it takes
	Run         func(*Run)    // calls Run.Compare, Turns or Add for each group
	Child       func(in *json.Decoder, out *json.Encoder) error
}

// A Result is all that a study found. Text, JSON, benchstat lines and the page are made of it.
type Result struct {
	Study   string        `json:"study"`
	Command string        `json:"command"` // repeats it
	Version string        `json:"version"`
	Time    time.Time     `json:"time"`
	Machine machine.Facts `json:"machine"`
	Groups  []Group       `json:"groups"`
	Notes   []string      `json:"notes,omitempty"` // what this run could not do, and why
}

// A Group is rows that took turns and compare round by round. Two groups never compare.
type Group struct {
	Name      string   `json:"name"`                 // the condition
	Origin    string   `json:"origin"`               // measured or modelled
	X         string   `json:"x,omitempty"`          // what Row.X counts; "": nothing
	Procs     int      `json:"gomaxprocs,omitempty"` // 0: not by the runner
	Workers   int      `json:"goroutines,omitempty"` // 0: not by the runner, or by row
	Share     float64  `json:"core_share,omitempty"` // that the control had; 0: not known
	Contends  bool     `json:"contends,omitempty"`   // not judged where Share is below 0.95
	Agree     int      `json:"agree,omitempty"`      // rounds that must, to tell a row from its base
	Published string   `json:"published,omitempty"`  // what the rows' Then is from
	Columns   []Column `json:"columns"`              // the first is drawn
	Rows      []Row    `json:"rows"`
}

// A Column is a figure of all rows. Its unit is as benchstat has it. At most one is judged.
type Column struct {
	Name   string `json:"name"`
	Unit   string `json:"unit"`
	Judged bool   `json:"judged,omitempty"`
	Clock  bool   `json:"clock,omitempty"` // elapsed time: not judged where Share is below 0.9
}

// A Row is one method, mechanism or source, at one place of the axis. The rows of one line have the
// same name up to its last comma, as in "fount, 2 cores"; a row that has no place is a line across.
type Row struct {
	Name    string    `json:"name"` // in full, also on an axis: "feeders: 2"
	X       float64   `json:"x,omitempty"`
	Base    int       `json:"base"`              // it is compared with; its own place: none
	Figures []*Figure `json:"figures,omitempty"` // by column; nil: not known, or not so
	Verdict *Verdict  `json:"verdict,omitempty"` // on the judged one; nil: nothing to judge
	Then    float64   `json:"then,omitempty"`    // the first column as published
	Error   string    `json:"error,omitempty"`
}

// A Figure is the median of rounds with the 95 % interval of their order, nil of fewer than 6.
type Figure struct {
	Value  float64   `json:"value"`
	Low    *float64  `json:"low,omitempty"`
	High   *float64  `json:"high,omitempty"`
	Rounds []float64 `json:"rounds,omitempty"` // nil: counted or computed once
}

// A Verdict holds a row's ratio to its base against 1.
type Verdict struct {
	Ratio Figure `json:"ratio"` // the median of rounds': no division of two medians
	Is    string `json:"is"`    // below, above, undecided, not judged
}

// What a Verdict may be.
const (
	Below     = "below"
	Above     = "above"
	Undecided = "undecided"
	NotJudged = "not judged"
)

// Where the figures of a Group are from.
const (
	Measured = "measured"
	Modelled = "modelled"
)

// Read reads results as they were written, which a stranger may have changed.
func Read(r io.Reader) (results []Result, err error) {
	if err := json.NewDecoder(r).Decode(&results); err != nil {
		return nil, err
	}
	for _, r := range results {
		for _, g := range r.Groups {
			if len(g.Columns) == 0 {
				return nil, fmt.Errorf("table %q has no columns", g.Name)
			}
			for _, row := range g.Rows {
				half := func(f *Figure) bool { return f != nil && (f.Low == nil) != (f.High == nil) }
				if slices.ContainsFunc(row.Figures, half) || row.Verdict != nil && half(&row.Verdict.Ratio) {
					return nil, fmt.Errorf("row %q of table %q has half an interval", row.Name, g.Name)
				}
				if row.Base < 0 || row.Base >= len(g.Rows) || len(row.Figures) > len(g.Columns) {
					return nil, fmt.Errorf("row %q of table %q is not as wide as its table, or is compared with a row that is not there", row.Name, g.Name)
				}
			}
		}
	}
	return results, nil
}
