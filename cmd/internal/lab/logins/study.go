// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The study: the bcrypt load post ("golang concurrency empirical evidence", 9 December 2015, on a
// Core 2 Duo), more callers, and requests that arrive whether or not others are answered.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/child"
	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/show"
)

// Study is fount bench logins.
var Study = lab.Study{
	Name: "logins", About: "callers of a bcrypt: goroutines, channels, semaphores, the pool (2015)",
	Time: 330 * time.Second, Run: study, Child: serve,
	Headline: &lab.Headline{
		Asks:  "Are logins answered in an overload?",
		Group: overloaded, Row: Pool,
		Says:   "of the logins are answered in time by fount's pool, at four times what x/crypto's bcrypt can do",
		Charts: "part of them that is answered in time",
		Bars: []lab.Bar{
			{Row: MaxOut, Label: "a goroutine for each"},
			{Row: Semaphore, Label: "a semaphore"},
			{Row: OneLane, Label: "fount's pool, a hash at a time on a core"},
			{Row: Pool, Label: "fount's pool, several at once"},
		},
	},
}

// overloaded is the name of a table.
const overloaded = "By what x/crypto's bcrypt can do on these cores"

// serve makes one run: a compare can't be stopped, and would disturb the next.
func serve(in *json.Decoder, out *json.Encoder) error {
	var c Config
	if err := in.Decode(&c); err != nil {
		return err
	}

	r, err := c.Run(context.Background())
	if err != nil {
		return err
	}
	return out.Encode(r)
}

// The post ran for 5 s. Its text has workers as before for 90 callers, its command 3.
var postRuns = []struct {
	mechanism                string
	callers, buffer, workers int
	compares                 float64
}{
	{MaxOut, 30, 15, 0, 61},
	{Buffered, 30, 10, 2, 69},
	{MaxOut, 90, 15, 0, 27},
	{Buffered, 30, 1, 1, 37}, // and the rest unless it is quick
	{Buffered, 30, 2, 1, 37},
	{Buffered, 30, 10, 1, 37},
	{Buffered, 30, 10, 3, 70},
	{Buffered, 30, 10, 4, 69},
	{Buffered, 90, 10, 3, 69},
}

// The mechanisms of the other groups, of which the first is the base: a service whose queue has a
// bound, one without, the Pool's admission, and several bcrypts side by side.
var compared = []string{Semaphore, MaxOut, OneLane, Pool}

// A row is a run, in each round.
type row struct {
	lab.Row
	Config
	core float64 // seconds that a hash takes of a core, in a closed loop; 0 if the run is one
}

func study(r *lab.Run) {
	runs := postRuns
	bursts := []int{32, 90}
	if r.Quick {
		runs = runs[:3]
		bursts = bursts[:1]
	}

	var rows []row
	for i, p := range runs {
		name := fmt.Sprintf("%s, %d callers", p.mechanism, p.callers)
		if p.mechanism == Buffered {
			name += fmt.Sprintf(", room for %d, workers: %d", p.buffer, p.workers)
		}

		c := Post()
		c.Mechanism = p.mechanism
		c.Callers = p.callers
		c.Buffer = p.buffer
		c.Workers = p.workers
		rows = append(rows, row{Row: lab.Row{Name: name, Then: p.compares, Base: i}, Config: c})
	}
	add(r, lab.Group{Name: "The post: 30 and 90 callers for 5 s", Published: "the post, on a Core 2 Duo"},
		rows, ended, hashes, coreTime, late, endpoint, latency99)

	for _, n := range bursts {
		rows = nil
		for _, m := range compared {
			c := Post()
			c.Mechanism = m
			c.Callers = n
			c.Duration = 0 // each asks once
			rows = append(rows, row{Row: lab.Row{Name: m}, Config: c})
		}
		add(r, lab.Group{Name: fmt.Sprintf("%d ask once, all at the same time", n)},
			rows, inTime, last, coreTime, late, endpoint)
	}

	overload(r)
}

// overload has requests arrive at random, whether or not others are answered: the same list of
// arrivals for all rows of a load. It is told in shares of those asked, over ten deadlines, when
// queues are full. First loads are multiples of what x/crypto's bcrypt can do, then of what each
// mechanism can do by itself: what its admission gives, whatever its hash takes.
func overload(r *lab.Run) {
	of := []float64{1, 2, 4}
	own := []float64{2}
	deadline := time.Second
	if r.Quick {
		of = of[2:]
		own = nil
		deadline /= 2
	}

	groups := []struct {
		name  string
		loads []float64
		by    func(mechanism string) string // whose capacity loads are multiples of
	}{
		{overloaded, of, func(string) string { return Semaphore }},
		{"By what each can do itself", own, func(m string) string { return m }},
	}

	core := map[string]float64{} // seconds that a hash takes of a core
	for _, g := range groups {
		var rows []row
		for _, m := range compared {
			for _, load := range g.loads {
				name := fmt.Sprintf("%s, %gx", m, load)
				if !r.Wants(g.name, name) || r.Over() {
					continue
				}

				for _, of := range []string{m, g.by(m)} {
					if core[of] == 0 {
						core[of] = coreOf(r, of)
					}
				}

				c := Post()
				c.Mechanism = m
				c.Deadline = deadline
				c.Cut = 3 * deadline
				c.Duration = 13 * deadline
				c.Rate = load * measure.Usable() / core[g.by(m)]
				rows = append(rows, row{Row: lab.Row{Name: name, X: load, Base: len(rows)}, Config: c, core: core[m]})
			}
		}

		if rows != nil {
			add(r, lab.Group{Name: g.name, X: "load"}, rows, kept, refused, tooLate, asked, used, late, endpoint, latency99, refusal)
		}
	}
}

// coreOf measures how much of a core a hash takes by a mechanism, in a closed loop.
func coreOf(r *lab.Run, mechanism string) float64 {
	r.Show("core time of %s", mechanism)
	c := Post()
	c.Mechanism = mechanism
	c.Callers = 8 * runtime.GOMAXPROCS(0)
	c.Duration = time.Second

	report, err := child.Run[Report](r.Context, "logins", c)
	if err == nil && report.CoreMS == nil {
		err = errors.New("this system does not tell the CPU time of a process")
	}

	if err != nil {
		r.Fail(err)
		return 1
	}
	return *report.CoreMS / 1000
}

// add adds a group of runs, each in a process of its own.
func add(r *lab.Run, g lab.Group, rows []row, figures ...figure) {
	g.Procs = runtime.GOMAXPROCS(0)
	for _, f := range figures {
		g.Columns = append(g.Columns, f.Column)
	}

	share := measure.Share(1) // the least that a run had

	var ways []lab.Way
	for _, row := range rows {
		ways = append(ways, lab.Way{Row: row.Row, Turn: func(round int) (values []float64, err error) {
			row.Seed = uint64(round + 1)
			report, err := child.Run[Report](r.Context, "logins", row.Config)

			if err == nil && report.Failed > 0 {
				err = errors.New(report.Failure)
			}
			if row.core > 0 && err == nil {
				err = report.possible(row.core)
			}

			for _, f := range figures {
				values = append(values, f.of(report))
			}
			share = min(share, report.Share)
			return values, err
		}})
	}

	r.Turns(g, 1, ways).Share = share
}

// possible returns an error if the run, an open one, answered more in time than the cores can make:
// then its window was too short. What is due in the window may be made until a deadline after it. A
// hash takes as much of a core as in a closed loop, or as in this run, whichever is less: the first
// varies, the second counts what was not finished.
func (r Report) possible(core float64) error {
	core = min(core, r.CoresUsed*r.Config.Duration.Seconds()/float64(r.EndedByD))
	window := r.Config.Duration - r.Config.Cut
	cores := measure.Usable() * float64(window+r.Config.Deadline) / float64(window)
	if r.InTimeRate*core > cores {
		return fmt.Errorf("not judged: %s a second in time, each of %s of a core, are more than %s cores can make until a deadline later",
			show.Figure(r.InTimeRate, ""), show.Figure(core, "sec"), show.Figure(measure.Usable(), ""))
	}
	return nil
}

// A figure is a column and what it is of a run, in the column's unit; NaN where there is none.
type figure struct {
	lab.Column
	of func(Report) float64
}

var (
	ended     = figure{lab.Column{Name: "in 5 s", Clock: true}, func(r Report) float64 { return float64(r.EndedByD) }}
	hashes    = figure{lab.Column{Name: "hashes", Unit: "op/s", Clock: true}, func(r Report) float64 { return r.Hashes }}
	coreTime  = figure{lab.Column{Name: "core time", Unit: "core-sec/op", Judged: true}, func(r Report) float64 { return known(r.CoreMS) / 1000 }}
	inTime    = figure{lab.Column{Name: "in time", Clock: true}, func(r Report) float64 { return float64(r.InTime) }}
	last      = figure{lab.Column{Name: "last answer", Unit: "sec", Clock: true}, func(r Report) float64 { return r.LastAnswer }}
	asked     = figure{lab.Column{Name: "asked"}, func(r Report) float64 { return float64(r.Asked) }}
	kept      = figure{lab.Column{Name: "in time", Clock: true}, func(r Report) float64 { return r.of(r.InTime) }}
	refused   = figure{lab.Column{Name: "refused", Clock: true}, func(r Report) float64 { return r.of(r.Refused) }}
	tooLate   = figure{lab.Column{Name: "late", Clock: true}, func(r Report) float64 { return r.of(r.Late + r.GivenUp) }}
	used      = figure{lab.Column{Name: "cores", Unit: "cores"}, func(r Report) float64 { return r.CoresUsed }}
	latency99 = figure{lab.Column{Name: "p99", Unit: "sec", Clock: true}, func(r Report) float64 { return known(r.Latency.P99) / 1000 }}
	late      = figure{lab.Column{Name: "heartbeat late", Unit: "sec", Clock: true}, func(r Report) float64 { return known(r.Heartbeat.P99) / 1000 }}
	endpoint  = figure{lab.Column{Name: "HTTP", Unit: "sec", Clock: true}, func(r Report) float64 { return known(r.Endpoint.P99) / 1000 }}
	refusal   = figure{lab.Column{Name: "refusal", Unit: "sec", Clock: true}, func(r Report) float64 { return known(r.Refusal.P99) / 1000 }}
)

// of is a count as a share of the requests asked.
func (r Report) of(n int64) float64 { return float64(n) / float64(r.Asked) }

// known is NaN of nil.
func known(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
