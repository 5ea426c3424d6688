// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package files repeats the experiment of golang/go#10028 on any machine: processes start together,
// and each needs random bytes before it can go on. The slow device is emulated.
//
// device.go has the emulated device, source.go where bytes come from, reader.go what one process
// does, race.go the gate and the processes behind it.
package files

import (
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"fount/cmd/internal/lab"
)

// Study is fount bench files, with what serves the program's files.
func Study(s Servers) lab.Study {
	return lab.Study{
		Name: "files", About: "processes that start together and wait for random bytes (2015)",
		Time: 60 * time.Second, Run: func(r *lab.Run) { usual.run(r, s) }, Child: s.read,
		Headline: &lab.Headline{
			Asks:   "Do programs wait for random bytes?",
			Row:    by9P,
			Says:   "for 128 bytes of fount's files, where programs start together",
			Charts: "median wait",
			Bars: []lab.Bar{
				{Row: emulated, Label: "a slow device (2015)"},
				{Row: by9P, Label: by9P},
				{Row: byFUSE, Label: byFUSE},
				{Row: urandom, Label: urandom},
			},
		},
	}
}

// An experiment says how many processes start together, and for what.
type experiment struct {
	procs  int
	bytes  int           // that each must have before it can go on
	rounds int           // of each source but the emulated device, which has one
	limit  time.Duration // of waiting; a process without its bytes by then is late
	tick   time.Duration // of the emulated device's clock
}

// In 22 s the emulated device serves three processes, 6.66 s each; in 8 s one.
var usual = experiment{procs: 16, bytes: 128, rounds: lab.Rounds, limit: 22 * time.Second, tick: plan9Tick}

// The columns. A process that is late counts as having waited for the limit.
var columns = []lab.Column{
	{Name: "median delay", Unit: "sec", Judged: true, Clock: true},
	{Name: "longest", Unit: "sec"},
	{Name: "late"},
	{Name: "exec to gate", Unit: "sec"},
	{Name: "server start", Unit: "sec"},
}

// run has the sources take turns. The emulated device has one turn: its processes wait long.
func (e experiment) run(r *lab.Run, s Servers) {
	if r.Quick {
		e.procs = 8
		e.limit = 8 * time.Second
	}

	g := lab.Group{
		Name:      fmt.Sprintf("%d processes start together, each needs %d bytes, and is stopped after %v", e.procs, e.bytes, e.limit),
		Published: "128 bytes for one process on Plan 9 (9legacy, an emulated 386)",
		Columns:   columns,
	}

	dir, err := os.MkdirTemp("", "fount-bench-")
	if err != nil {
		r.Fail(err)
		return
	}
	defer os.RemoveAll(dir)

	base := slices.IndexFunc(sources, func(s source) bool { return s.name == urandom })
	ways := make([]lab.Way, len(sources))
	for i, source := range sources {
		ways[i] = lab.Way{Row: lab.Row{Name: source.name, Base: base, Then: source.then}}
		if source.slow {
			ways[i].Base = i
		}

		isWanted := i == base || r.Wants(g.Name, source.name)
		if r.Over() || !isWanted {
			continue
		}

		r.Show("opening %s", source.name)
		supply, err := source.open(opener{e, s, dir}, r.Context)
		if err != nil {
			ways[i].Error = err.Error()
			continue
		}

		defer func() { r.Fail(supply.close()) }()
		ways[i].Turn = func(round int) ([]float64, error) {
			if source.slow && round > 0 {
				return nil, nil
			}
			return e.turn(r, supply)
		}
	}

	r.Turns(g, e.rounds, ways)
}

// turn makes a race, and a figure of it for each column.
func (e experiment) turn(r *lab.Run, from *supply) ([]float64, error) {
	o, err := e.race(r.Context, from)
	if err != nil {
		return nil, err
	}

	start := math.NaN()
	if from.took > 0 {
		start = from.took.Seconds()
	}

	return []float64{
		lab.Of(o.delays...).Value,
		slices.Max(o.delays),
		float64(o.late),
		lab.Of(o.execs...).Value,
		start,
	}, nil
}
