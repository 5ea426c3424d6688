// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package files repeats the experiment of golang/go#10028 on any machine: processes start together, and each needs some random
// bytes before it can go on. The slow device is emulated: test equipment, whose bytes are used for nothing else.
//
// One concept a file: device.go has the emulated device, source.go the places where bytes come from, reader.go what one process
// does, race.go the gate and the processes behind it, study.go the experiment.
package files

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"fount/lab"
)

// Study is fount bench files, with what serves the program's files.
func Study(s Servers) lab.Study {
	return lab.Study{Name: "files", About: "processes that start together and wait for random bytes (2015)", Time: 50 * time.Second,
		Run: func(r *lab.Run) { usual.run(r, s) }, Child: read}
}

// An experiment is so many processes that start together.
type experiment struct {
	procs  int
	bytes  int           // that each must have before it can go on
	rounds int           // of each source but the emulated device, which has one
	limit  time.Duration // of waiting; a process without its bytes by then is late
	tick   time.Duration // of the emulated device's clock
}

// In 22 s three processes in a row get their bytes from the emulated device, 6.66 s each; in 8 s one does.
var (
	usual = experiment{procs: 16, bytes: 128, rounds: 10, limit: 22 * time.Second, tick: plan9Tick}
	quick = experiment{procs: 8, bytes: 128, rounds: 8, limit: 8 * time.Second, tick: plan9Tick}
)

// The columns. A process that is late counts as having waited for the limit.
var columns = []lab.Column{
	{Name: "median delay", Unit: "sec", Judged: true}, {Name: "longest", Unit: "sec"}, {Name: "late"},
	{Name: "exec to gate", Unit: "sec"}, {Name: "server start", Unit: "sec"},
}

// An entry is a source in a run, with what its rounds have given, by column.
type entry struct {
	source
	door   *door
	rounds [len(columnsOfRounds)][]float64
	err    error
}

var columnsOfRounds = [...]func(outcome) float64{
	func(o outcome) float64 { return median(o.delays) },
	func(o outcome) float64 { return slices.Max(o.delays) },
	func(o outcome) float64 { return float64(o.late) },
	func(o outcome) float64 { return median(o.execs) },
}

// run measures the sources in turns, and the emulated device last, whose processes wait for long.
func (e experiment) run(r *lab.Run, s Servers) {
	if r.Quick {
		e = quick
	}
	if r.Count > 0 {
		e.rounds = r.Count
	}
	g := lab.Group{Name: fmt.Sprintf("%d processes start together, each needs %d bytes, and is stopped after %v", e.procs, e.bytes, e.limit),
		Published: "128 bytes for one process on Plan 9 (9legacy, an emulated 386)", Columns: columns}
	var list []*entry
	for _, source := range sources {
		if r.Wants(g.Name, source.name) {
			list = append(list, &entry{source: source})
		}
	}
	dir, err := os.MkdirTemp("", "fount-bench-")
	if err != nil {
		r.Fail(err)
		return
	}
	defer os.RemoveAll(dir)
	e.measure(r, s, dir, list)
	if r.Over() {
		return
	}
	for i, entry := range list {
		g.Rows = append(g.Rows, entry.row(i, list))
	}
	if len(g.Rows) > 0 {
		r.Add(g)
	}
}

// measure opens the sources, makes the rounds of all in random order, and closes them.
func (e experiment) measure(r *lab.Run, s Servers, dir string, list []*entry) {
	for _, entry := range list {
		if r.Over() {
			return
		}
		r.Show("opening %s", entry.name)
		if entry.door, entry.err = entry.open(r.Context, e, s, dir); entry.err == nil {
			defer func() { r.Fail(entry.door.close()) }()
		}
	}
	for round := range e.rounds {
		for _, i := range rand.Perm(len(list)) {
			if !list[i].slow {
				e.round(r, list[i], round, e.rounds)
			}
		}
	}
	for _, entry := range list {
		if entry.slow {
			e.round(r, entry, 0, 1)
		}
	}
}

// round makes a race at a source that has not failed.
func (e experiment) round(r *lab.Run, at *entry, round, rounds int) {
	if r.Over() || at.err != nil {
		return
	}
	r.Show("%s, %d of %d", at.name, round+1, rounds)
	o, err := e.race(r.Context, at.door)
	if err != nil {
		if at.err = err; errors.Is(err, context.Canceled) {
			r.Fail(err)
		}
		return
	}
	for i, of := range columnsOfRounds {
		at.rounds[i] = append(at.rounds[i], of(o))
	}
}

// row is what was found, compared with /dev/urandom where both had rounds.
func (at *entry) row(place int, list []*entry) lab.Row {
	row := lab.Row{Name: at.name, Base: place, Then: at.then}
	if base := slices.IndexFunc(list, func(e *entry) bool { return e.name == urandom && e.err == nil }); base >= 0 && !at.slow {
		row.Base = base
	}
	if at.err != nil {
		row.Error = at.err.Error()
		return row
	}
	for _, rounds := range at.rounds {
		row.Figures = append(row.Figures, lab.Of(rounds...))
	}
	var start *lab.Figure
	if at.door.took > 0 {
		start = lab.Once(at.door.took.Seconds())
	}
	row.Figures = append(row.Figures, start)
	return row
}

func median(values []float64) float64 {
	if f := lab.Of(values...); f != nil {
		return f.Value
	}
	return 0
}
