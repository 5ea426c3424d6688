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

// A row is a run, in each round.
type row struct {
	lab.Row
	Config
	core float64 // seconds that a hash takes of a core, in a closed loop; 0 if the run is one
}

// compared are the mechanisms of the tables beside the post's. The first is the base. They are a
// service with a bounded queue, one without, the Pool's admission, and several bcrypts side by
// side.
var compared = []string{Semaphore, MaxOut, OneLane, Pool}

func study(r *lab.Run) {
	post(r)
	together(r)
	overload(r)
}

// The post ran for 5 s. Its text has workers as before for 90 callers, its command 3.
var postRuns = []struct {
	mechanism                string
	callers, buffer, workers int
	compares                 float64 // as published
}{
	{mechanism: MaxOut, callers: 30, compares: 61},
	{mechanism: Buffered, callers: 30, buffer: 10, workers: 2, compares: 69},
	{mechanism: MaxOut, callers: 90, compares: 27},
	{mechanism: Buffered, callers: 30, buffer: 1, workers: 1, compares: 37}, // and the rest unless it is quick
	{mechanism: Buffered, callers: 30, buffer: 2, workers: 1, compares: 37},
	{mechanism: Buffered, callers: 30, buffer: 10, workers: 1, compares: 37},
	{mechanism: Buffered, callers: 30, buffer: 10, workers: 3, compares: 70},
	{mechanism: Buffered, callers: 30, buffer: 10, workers: 4, compares: 69},
	{mechanism: Buffered, callers: 90, buffer: 10, workers: 3, compares: 69},
}

// post adds the post's runs. None is compared with another.
func post(r *lab.Run) {
	runs := postRuns
	if r.Quick {
		runs = runs[:3]
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

	g := lab.Group{Name: "The post: 30 and 90 callers for 5 s", Published: "the post, on a Core 2 Duo"}
	add(r, g, rows, endedColumn, hashesColumn, coreTimeColumn, heartbeatColumn, endpointColumn, latencyColumn)
}

// together adds callers that ask once, all at the same time.
func together(r *lab.Run) {
	bursts := []int{32, 90}
	if r.Quick {
		bursts = bursts[:1]
	}

	for _, n := range bursts {
		var rows []row
		for _, m := range compared {
			c := Post()
			c.Mechanism = m
			c.Callers = n
			c.Duration = 0 // each asks once
			rows = append(rows, row{Row: lab.Row{Name: m}, Config: c})
		}

		g := lab.Group{Name: fmt.Sprintf("%d ask once, all at the same time", n)}
		add(r, g, rows, inTimeColumn, lastAnswerColumn, coreTimeColumn, heartbeatColumn, endpointColumn)
	}
}

// overload adds requests that arrive at random, whether or not others are answered. Loads are first
// multiples of what x/crypto's bcrypt can do, then of what each mechanism can do by itself: what
// its admission gives, whatever its hash takes.
func overload(r *lab.Run) {
	loads := []float64{1, 2, 4}
	if r.Quick {
		loads = loads[2:]
	}

	var byCrypto, byItself []offer
	for _, m := range compared {
		for _, load := range loads {
			byCrypto = append(byCrypto, offer{to: m, load: load, of: Semaphore})
		}
		if !r.Quick {
			byItself = append(byItself, offer{to: m, load: 2, of: m})
		}
	}

	core := coreTimes{}
	addOffers(r, overloaded, byCrypto, core)
	addOffers(r, "By what each can do itself", byItself, core)
}

// An offer is requests at a multiple of what a mechanism can do on these cores.
type offer struct {
	to   string  // the mechanism that is asked
	load float64 // times what can be done
	of   string  // the mechanism that can do it
}

// addOffers adds a group of offers. All rows of one load have the same arrivals. Figures are shares
// of the requests, over ten deadlines that begin when queues are full.
func addOffers(r *lab.Run, group string, offers []offer, core coreTimes) {
	deadline := time.Second
	if r.Quick {
		deadline /= 2
	}

	var rows []row
	for _, o := range offers {
		name := fmt.Sprintf("%s, %gx", o.to, o.load)
		if !r.Wants(group, name) || r.Over() {
			continue
		}

		c := Post()
		c.Mechanism = o.to
		c.Deadline = deadline
		c.Cut = 3 * deadline
		c.Duration = 13 * deadline
		c.Rate = o.load * measure.Usable() / core.of(r, o.of)
		rows = append(rows, row{
			Row:    lab.Row{Name: name, X: o.load, Base: len(rows)},
			Config: c,
			core:   core.of(r, o.to),
		})
	}

	if rows != nil {
		add(r, lab.Group{Name: group, X: "load"}, rows,
			inTimeShareColumn, refusedColumn, tooLateColumn, askedColumn, coresColumn,
			heartbeatColumn, endpointColumn, latencyColumn, refusalColumn)
	}
}

// coreTimes are the seconds that a hash takes of a core, by mechanism.
type coreTimes map[string]float64

// of returns the time of one mechanism. It measures it once, in a closed loop.
func (t coreTimes) of(r *lab.Run, mechanism string) float64 {
	if t[mechanism] > 0 {
		return t[mechanism]
	}

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
		t[mechanism] = 1
		return 1
	}

	t[mechanism] = *report.CoreMS / 1000
	return t[mechanism]
}

// add adds a group of runs, each in a process of its own. Its share of the cores is the least that
// a run had.
func add(r *lab.Run, g lab.Group, rows []row, columns ...column) {
	g.Procs = runtime.GOMAXPROCS(0)
	for _, c := range columns {
		g.Columns = append(g.Columns, c.Column)
	}

	least := measure.Share(1)
	var ways []lab.Way
	for _, row := range rows {
		turn := func(round int) (values []float64, err error) {
			report, err := row.run(r, round)
			for _, c := range columns {
				values = append(values, c.figure(report))
			}
			least = min(least, report.Share)
			return values, err
		}
		ways = append(ways, lab.Way{Row: row.Row, Turn: turn})
	}

	r.Turns(g, 1, ways).Share = least
}

// run makes the run of a round.
func (row row) run(r *lab.Run, round int) (Report, error) {
	row.Seed = uint64(round + 1)
	report, err := child.Run[Report](r.Context, "logins", row.Config)
	if err == nil && report.Failed > 0 {
		err = errors.New(report.Failure)
	}
	if err == nil && row.core > 0 {
		err = report.checkPossible(row.core)
	}
	return report, err
}

// checkPossible returns an error if the run, an open one, answered more in time than the cores can
// make: then its window was too short. What is due in the window may be made until a deadline
// after it. A hash takes as much of a core as in a closed loop, or as in this run, whichever is
// less: the first varies, the second counts what was not finished.
func (r Report) checkPossible(core float64) error {
	core = min(core, r.CoresUsed*r.Config.Duration.Seconds()/float64(r.EndedByDuration))
	window := r.Config.Duration - r.Config.Cut
	cores := measure.Usable() * float64(window+r.Config.Deadline) / float64(window)
	if r.InTimeRate*core > cores {
		return fmt.Errorf("not judged: %s a second in time, each of %s of a core, are more than %s cores can make until a deadline later",
			show.Figure(r.InTimeRate, ""), show.Figure(core, "sec"), show.Figure(measure.Usable(), ""))
	}
	return nil
}

// A column has a figure of each run, NaN where there is none.
type column struct {
	lab.Column
	figure func(Report) float64
}

// clocked returns a column of what depends on the clock.
func clocked(name, unit string, figure func(Report) float64) column {
	return column{lab.Column{Name: name, Unit: unit, Clock: true}, figure}
}

// The columns.
var (
	coreTimeColumn = column{lab.Column{Name: "core time", Unit: "core-sec/op", Judged: true},
		func(r Report) float64 { return seconds(r.CoreMS) }}
	askedColumn = column{lab.Column{Name: "asked"}, func(r Report) float64 { return float64(r.Asked) }}
	coresColumn = column{lab.Column{Name: "cores", Unit: "cores"}, func(r Report) float64 { return r.CoresUsed }}

	endedColumn       = clocked("in 5 s", "", func(r Report) float64 { return float64(r.EndedByDuration) })
	hashesColumn      = clocked("hashes", "op/s", func(r Report) float64 { return r.Hashes })
	inTimeColumn      = clocked("in time", "", func(r Report) float64 { return float64(r.InTime) })
	lastAnswerColumn  = clocked("last answer", "sec", func(r Report) float64 { return r.LastAnswer })
	inTimeShareColumn = clocked("in time", "", func(r Report) float64 { return r.share(r.InTime) })
	refusedColumn     = clocked("refused", "", func(r Report) float64 { return r.share(r.Refused) })
	tooLateColumn     = clocked("late", "", func(r Report) float64 { return r.share(r.Late + r.GivenUp) })

	latencyColumn   = clocked("p99", "sec", func(r Report) float64 { return seconds(r.Latency.P99) })
	heartbeatColumn = clocked("heartbeat late", "sec", func(r Report) float64 { return seconds(r.Heartbeat.P99) })
	endpointColumn  = clocked("HTTP", "sec", func(r Report) float64 { return seconds(r.Endpoint.P99) })
	refusalColumn   = clocked("refusal", "sec", func(r Report) float64 { return seconds(r.Refusal.P99) })
)

// share returns the share of the requests.
func (r Report) share(n int64) float64 { return float64(n) / float64(r.Asked) }

// seconds returns ms in seconds, NaN for nil.
func seconds(ms *float64) float64 {
	if ms == nil {
		return math.NaN()
	}
	return *ms / 1000
}
