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
)

// Study is fount bench logins.
var Study = lab.Study{
	Name: "logins", About: "callers of a bcrypt: goroutines, channels, semaphores, the pool (2015)",
	Time: 110 * time.Second, Run: study, Child: serve,
}

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
	{Buffered, 30, 1, 1, 37}, // and the rest not with --quick
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
}

func study(r *lab.Run) {
	runs, bursts, window, loads := postRuns, []int{32, 90}, 2*time.Second, []float64{1, 2, 4}
	if r.Quick {
		runs, bursts, window, loads = postRuns[:3], bursts[:1], time.Second, []float64{1, 4}
	}
	var rows []row
	for i, p := range runs {
		name := fmt.Sprintf("%s, %d callers", p.mechanism, p.callers)
		if p.mechanism == Buffered {
			name += fmt.Sprintf(", room for %d, workers: %d", p.buffer, p.workers)
		}
		c := Post()
		c.Mechanism, c.Callers, c.Buffer, c.Workers = p.mechanism, p.callers, p.buffer, p.workers
		rows = append(rows, row{lab.Row{Name: name, Then: p.compares, Base: i}, c})
	}
	add(r, lab.Group{Name: "The post: 30 and 90 callers for 5 s", Published: "the post, on a Core 2 Duo"},
		rows, ended, hashes, coreTime, late, endpoint, latency99)

	for _, n := range bursts {
		rows = nil
		for _, m := range compared {
			c := Post()
			c.Mechanism, c.Callers, c.Duration = m, n, 0
			rows = append(rows, row{lab.Row{Name: m}, c})
		}
		add(r, lab.Group{Name: fmt.Sprintf("%d ask once, all at the same time", n)},
			rows, inTime, last, coreTime, late, endpoint)
	}

	job, err := NewJob(Bcrypt, Post().Cost)
	if err != nil {
		r.Fail(err)
		return
	}
	took, err := job.CoreTime()
	r.Fail(err)
	rows = nil
	for _, m := range compared {
		for i, load := range loads {
			c := Post()
			c.Mechanism, c.Cut, c.Duration = m, c.Deadline, c.Deadline+window
			c.Rate = load * float64(runtime.GOMAXPROCS(0)) / took.Seconds()
			rows = append(rows, row{lab.Row{Name: fmt.Sprintf("%s, %gx", m, load), X: load, Base: i}, c})
		}
	}
	add(r, lab.Group{Name: "Requests that arrive at random, by what x/crypto's bcrypt can do on all cores", X: "load"},
		rows, rate, asked, late, endpoint, kept, latency99, refusal)
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
		ways = append(ways, lab.Way{Row: row.Row, Turn: func(int) (values []float64, err error) {
			report, err := child.Run[Report](r.Context, "logins", row.Config)
			if err == nil && report.Failed > 0 {
				err = errors.New(report.Failure)
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

// A figure is a column and what it is of a run, in the column's unit; NaN where there is none.
type figure struct {
	lab.Column
	of func(Report) float64
}

var (
	ended     = figure{lab.Column{Name: "in 5 s"}, func(r Report) float64 { return float64(r.EndedByD) }}
	hashes    = figure{lab.Column{Name: "hashes", Unit: "op/s"}, func(r Report) float64 { return r.Hashes }}
	coreTime  = figure{lab.Column{Name: "core time", Unit: "core-sec/op", Judged: true}, func(r Report) float64 { return known(r.CoreMS) / 1000 }}
	inTime    = figure{lab.Column{Name: "in time"}, func(r Report) float64 { return float64(r.InTime) }}
	last      = figure{lab.Column{Name: "last answer", Unit: "sec"}, func(r Report) float64 { return r.LastAnswer }}
	asked     = figure{lab.Column{Name: "asked", Unit: "op/s"}, func(r Report) float64 { return r.AskedRate }}
	rate      = figure{lab.Column{Name: "in time", Unit: "op/s", Judged: true, Clock: true}, func(r Report) float64 { return r.InTimeRate }}
	latency99 = figure{lab.Column{Name: "p99", Unit: "sec"}, func(r Report) float64 { return known(r.Latency.P99) / 1000 }}
	late      = figure{lab.Column{Name: "heartbeat late", Unit: "sec"}, func(r Report) float64 { return known(r.Heartbeat.P99) / 1000 }}
	endpoint  = figure{lab.Column{Name: "HTTP", Unit: "sec"}, func(r Report) float64 { return known(r.Endpoint.P99) / 1000 }}
	refusal   = figure{lab.Column{Name: "refusal", Unit: "sec"}, func(r Report) float64 { return known(r.Refusal.P99) / 1000 }}
	kept      = figure{lab.Column{Name: "of those let in"}, func(r Report) float64 { return float64(r.InTime) / float64(r.Asked-r.Refused) }}
)

// known is NaN of nil.
func known(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
