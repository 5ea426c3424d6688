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
	"sync"
	"time"

	"fount/lab"
	"fount/lab/child"
)

// Study is fount bench logins.
var Study = lab.Study{
	Name: "logins", About: "callers of a bcrypt: goroutines, channels, semaphores, the pool (2015)", Time: 125 * time.Second, Run: study, Child: serve,
}

// serve makes one run: a compare can't be stopped, and would disturb the next.
func serve(in *json.Decoder, out *json.Encoder) error {
	var c Config
	if err := in.Decode(&c); err != nil {
		return err
	}
	r, err := c.Run(context.Background(), nil)
	if err != nil {
		return err
	}
	return out.Encode(r)
}

// The post's figures are per 5 s. Its text has workers as before for 90 callers, its command 3.
const postSeconds = 5

var postRuns = []struct {
	mechanism                string
	callers, buffer, workers int
	compares                 float64
}{
	{MaxOut, 30, 15, 0, 61},
	{Buffered, 30, 1, 1, 37},
	{Buffered, 30, 2, 1, 37},
	{Buffered, 30, 10, 1, 37},
	{Buffered, 30, 10, 2, 69},
	{Buffered, 30, 10, 3, 70},
	{Buffered, 30, 10, 4, 69},
	{Buffered, 90, 10, 3, 69},
	{MaxOut, 90, 15, 0, 27},
}

// The mechanisms of the other groups, of which the first is the base.
var compared = []string{Semaphore, MaxOut, Pool}

func study(r *lab.Run) {
	long, short := postSeconds*time.Second, 2*time.Second
	callers, loads := []int{1, 30, 90}, []float64{1, 2, 4}
	if r.Quick {
		long, short, loads = time.Second, time.Second/2, []float64{1, 4}
	}
	post := newTable(r, "The post: 30 and 90 callers for 5 s", counted, ended, late, endpoint, latency99)
	post.Published = "the post, on a Core 2 Duo"
	for i, p := range postRuns {
		name := fmt.Sprintf("%s, %d callers", p.mechanism, p.callers)
		if p.mechanism == Buffered {
			name += fmt.Sprintf(", room for %d, workers: %d", p.buffer, p.workers)
		}
		c := Post()
		c.Mechanism, c.Callers, c.Buffer, c.Workers, c.Duration = p.mechanism, p.callers, p.buffer, p.workers, long
		post.add(lab.Row{Name: name, Then: p.compares, Base: i}, c.fixed)
	}
	post.measure()

	ninety := newTable(r, "90 callers at once, answered within 1 s", goodput, ended, late, endpoint, latency50)
	for _, m := range compared {
		c := Post()
		c.Mechanism, c.Callers, c.Duration = m, 90, short
		ninety.add(lab.Row{Name: m}, c.fixed)
	}
	ninety.measure()

	more := newTable(r, "More callers", counted, ended, latency50)
	more.X = "callers"
	for _, m := range []string{MaxOut, Buffered} {
		for _, n := range callers {
			c := Post()
			c.Mechanism, c.Callers, c.Duration = m, n, short
			if m == Buffered {
				c.Workers, c.Buffer = runtime.GOMAXPROCS(0), 10
			}
			more.add(lab.Row{Name: fmt.Sprintf("%s, callers: %d", m, n), X: float64(n), Base: len(more.ways)}, c.fixed)
		}
	}
	more.measure()
	offered(r, short, loads)
}

// offered offers each mechanism multiples of what x/crypto behind a semaphore can do.
func offered(r *lab.Run, d time.Duration, loads []float64) {
	capacity := sync.OnceValues(func() (float64, error) {
		c := Post()
		// So many always have a compare ready, and on two slow cores wait for no second.
		c.Mechanism, c.Callers, c.Duration = Semaphore, 16*runtime.GOMAXPROCS(0), d
		report, err := one(r, c)
		return known(report.Finished), err
	})
	ofCapacity := figure{lab.Column{Name: "in time by capacity", Judged: true}, func(r Report) float64 {
		all, _ := capacity()
		return r.Goodput / all
	}}
	t := newTable(r, "Requests that arrive at random, by what the semaphore can do", ofCapacity, late, endpoint, kept, latency99, refusal)
	t.X = "load"
	for _, m := range compared {
		for i, load := range loads {
			t.add(lab.Row{Name: fmt.Sprintf("%s, %gx", m, load), X: load, Base: i}, func() (Config, error) {
				c := Post()
				c.Mechanism, c.Duration, c.Cut = m, d, d/5
				all, err := capacity()
				c.Rate = load * all
				return c, err
			})
		}
	}
	t.measure()
}

// A table is a group of runs.
type table struct {
	lab.Group
	run     *lab.Run
	figures []figure
	ways    []lab.Way
}

func newTable(r *lab.Run, name string, figures ...figure) *table {
	t := &table{Group: lab.Group{Name: name, Procs: runtime.GOMAXPROCS(0)}, run: r, figures: figures}
	for _, f := range figures {
		t.Columns = append(t.Columns, f.Column)
	}
	return t
}

// add adds a row. Its Config may depend on what was measured before.
func (t *table) add(row lab.Row, config func() (Config, error)) {
	t.ways = append(t.ways, lab.Way{Row: row, Turn: func(int) (values []float64, err error) {
		c, err := config()
		if err != nil {
			return nil, err
		}
		report, err := one(t.run, c)
		for _, f := range t.figures {
			values = append(values, f.of(report))
		}
		return values, err
	}})
}

func (t *table) measure() { t.run.Turns(t.Group, 1, t.ways) }

func (c Config) fixed() (Config, error) { return c, nil }

// one makes a run in a process of its own.
func one(r *lab.Run, c Config) (Report, error) {
	report, err := child.Run[Report](r.Context, "logins", c)
	if err == nil && report.Failed > 0 {
		err = errors.New(report.Failure)
	}
	return report, err
}

// A figure is a column and what it is of a run, in the column's unit; NaN where there is none.
type figure struct {
	lab.Column
	of func(Report) float64
}

var (
	counted   = figure{lab.Column{Name: "per 5 s"}, func(r Report) float64 { return float64(r.Compares) / r.Seconds * postSeconds }}
	goodput   = figure{lab.Column{Name: "in time", Unit: "op/s", Judged: true}, func(r Report) float64 { return r.Goodput }}
	ended     = figure{lab.Column{Name: "until all ended", Unit: "op/s"}, func(r Report) float64 { return known(r.Finished) }}
	latency50 = figure{lab.Column{Name: "p50", Unit: "sec"}, func(r Report) float64 { return known(r.Latency.P50) / 1000 }}
	latency99 = figure{lab.Column{Name: "p99", Unit: "sec"}, func(r Report) float64 { return known(r.Latency.P99) / 1000 }}
	late      = figure{lab.Column{Name: "heartbeat late", Unit: "sec"}, func(r Report) float64 { return known(r.Heartbeat.P99) / 1000 }}
	endpoint  = figure{lab.Column{Name: "HTTP", Unit: "sec"}, func(r Report) float64 { return known(r.Endpoint.P99) / 1000 }}
	refusal   = figure{lab.Column{Name: "refusal", Unit: "sec"}, func(r Report) float64 { return known(r.Refusal.P99) / 1000 }}
	kept      = figure{lab.Column{Name: "of those let in"}, func(r Report) float64 { return float64(r.Good) / float64(r.Admitted()) }}
)

// known is NaN of nil.
func known(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
