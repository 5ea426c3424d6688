// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The study: the bcrypt load post measured again ("golang concurrency empirical evidence", 9 December 2015, on a Core 2
// Duo), with more callers, and with requests that arrive whether or not others are answered.

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"fount/lab"
	"fount/lab/child"
)

// Study is fount bench logins.
var Study = lab.Study{
	Name: "logins", About: "callers of a bcrypt: goroutines, channels, semaphores, the pool (2015)", Time: 130 * time.Second, Run: study, Child: serve,
}

// serve makes one run in a process of its own: a compare can't be stopped, and would disturb the next run.
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

// A row is one configuration with a name.
type row struct {
	name string
	x    float64
	then float64
	Config
}

// A figure is a column and what it is of a run, in the column's unit; nil where there is none.
type figure struct {
	lab.Column
	of func(Report) *float64
}

// The post's figures, per 5 s as there.
const postSeconds = 5

// postRuns are the post's, in its order. Its text speaks of 90 callers and the workers of before; the command that it shows
// has three.
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

func study(r *lab.Run) {
	long, short := postSeconds*time.Second, 3*time.Second
	callers, loads := []int{1, 5, 30, 90}, []float64{1, 2, 4}
	if r.Quick {
		long, short, callers, loads = time.Second, time.Second/2, []int{1, 30, 90}, []float64{1, 4}
	}
	s := &series{Run: r}
	s.group("The post: 30 and 90 callers for 5 s", "", "the post, on a Core 2 Duo", table(long), counted, ended, late, endpoint, latency99)
	s.group("90 callers at once, answered within 1 s", "", "", ninety(short), goodput, ended, late, endpoint, latency50)
	s.group("More callers", "callers", "", more(callers, short), counted, ended, latency50)
	s.offered(short, loads)
}

// table is the post's runs.
func table(d time.Duration) (rows []row) {
	for _, p := range postRuns {
		name := fmt.Sprintf("%s, %d callers", p.mechanism, p.callers)
		if p.mechanism == Buffered {
			name += fmt.Sprintf(", room for %d, workers: %d", p.buffer, p.workers)
		}
		c := Post()
		c.Mechanism, c.Callers, c.Buffer, c.Workers, c.Duration = p.mechanism, p.callers, p.buffer, p.workers, d
		rows = append(rows, row{name, 0, p.compares, c})
	}
	return rows
}

// ninety is the most callers of the post with each mechanism.
func ninety(d time.Duration) (rows []row) {
	for _, m := range []string{Semaphore, MaxOut, Pool} {
		c := Post()
		c.Mechanism, c.Callers, c.Duration = m, 90, d
		rows = append(rows, row{name: m, Config: c})
	}
	return rows
}

// more is the post's two mechanisms with more and more callers, buffered with a worker for each core.
func more(callers []int, d time.Duration) (rows []row) {
	for _, m := range []string{MaxOut, Buffered} {
		for _, n := range callers {
			c := Post()
			c.Mechanism, c.Callers, c.Duration = m, n, d
			if m == Buffered {
				c.Workers, c.Buffer = runtime.GOMAXPROCS(0), 10
			}
			rows = append(rows, row{name: fmt.Sprintf("%s, %s", m, callersOf(n)), x: float64(n), Config: c})
		}
	}
	return rows
}

func callersOf(n int) string {
	if n == 1 {
		return "1 caller"
	}
	return fmt.Sprintf("%d callers", n)
}

// The figures.
var (
	counted   = figure{lab.Column{Name: "per 5 s"}, func(r Report) *float64 { return value(float64(r.Compares) / r.Seconds * postSeconds) }}
	goodput   = figure{lab.Column{Name: "in time", Unit: "op/s", Judged: true}, func(r Report) *float64 { return &r.Goodput }}
	ended     = figure{lab.Column{Name: "until all ended", Unit: "op/s"}, func(r Report) *float64 { return r.Finished }}
	latency50 = figure{lab.Column{Name: "p50", Unit: "sec"}, func(r Report) *float64 { return seconds(r.Latency.p50()) }}
	latency99 = figure{lab.Column{Name: "p99", Unit: "sec"}, func(r Report) *float64 { return seconds(r.Latency.p99()) }}
	late      = figure{lab.Column{Name: "heartbeat late", Unit: "sec"}, func(r Report) *float64 { return seconds(r.Heartbeat.p99()) }}
	endpoint  = figure{lab.Column{Name: "HTTP", Unit: "sec"}, func(r Report) *float64 { return seconds(r.Endpoint.p99()) }}
	refusal   = figure{lab.Column{Name: "refusal", Unit: "sec"}, func(r Report) *float64 { return seconds(r.Refusal.p99()) }}
	kept      = figure{lab.Column{Name: "of those let in"}, func(r Report) *float64 {
		if r.Admitted() == 0 {
			return nil
		}
		return value(float64(r.Good) / float64(r.Admitted()))
	}}
)

func value(v float64) *float64 { return &v }

// seconds is a time in ms, nil of nil.
func seconds(ms *float64) *float64 {
	if ms == nil {
		return nil
	}
	return value(*ms / 1000)
}

// series are runs, each in a process of its own.
type series struct {
	*lab.Run
	capacity float64 // of the pool with one hash at a time, compares a second
}

// one makes a run.
func (s *series) one(c Config) (Report, error) { return child.Run[Report](s.Context, "logins", c) }

// group adds rows that take turns, in another order each round.
func (s *series) group(name, x, published string, rows []row, figures ...figure) {
	g := lab.Group{Name: name, X: x, Published: published, Procs: runtime.GOMAXPROCS(0)}
	for _, f := range figures {
		g.Columns = append(g.Columns, f.Column)
	}
	var wanted []row
	for _, w := range rows {
		if s.Wants(name, w.name) {
			wanted = append(wanted, w)
		}
	}
	reports, failed := s.rounds(name, wanted)
	for i, w := range wanted {
		r := lab.Row{Name: w.name, X: w.x, Then: w.then, Base: base(wanted, i), Error: failed[i]}
		for _, f := range figures {
			r.Figures = append(r.Figures, of(f, reports[i]))
		}
		g.Rows = append(g.Rows, r)
	}
	if s.Over() || len(g.Rows) == 0 {
		return
	}
	s.Add(g)
}

// base is the place of the semaphore's row under the same load, with which a row is compared; its own where there is none.
func base(rows []row, i int) int {
	for k, other := range rows {
		if other.Mechanism == Semaphore && other.x == rows[i].x {
			return k
		}
	}
	return i
}

// rounds makes the runs, and returns those of each row and why a row has none.
func (s *series) rounds(name string, rows []row) (reports [][]Report, failed []string) {
	reports, failed = make([][]Report, len(rows)), make([]string, len(rows))
	rounds := max(1, s.Count)
	for round := range rounds {
		for k, i := range rand.Perm(len(rows)) {
			if s.Over() {
				return reports, failed
			}
			if failed[i] != "" {
				continue
			}
			s.Show("%s, %d of %d: %s", name, round*len(rows)+k+1, rounds*len(rows), rows[i].name)
			r, err := s.one(rows[i].Config)
			switch {
			case s.Context.Err() != nil:
			case err != nil:
				failed[i] = err.Error()
			case r.Failed > 0:
				failed[i] = r.Failure
			default:
				reports[i] = append(reports[i], r)
			}
		}
	}
	return reports, failed
}

// of is a figure of some runs; nil if one of them has none.
func of(f figure, reports []Report) *lab.Figure {
	var rounds []float64
	for _, r := range reports {
		v := f.of(r)
		if v == nil {
			return nil
		}
		rounds = append(rounds, *v)
	}
	return lab.Of(rounds...)
}

// offered offers each mechanism multiples of what x/crypto behind a semaphore can do.
func (s *series) offered(d time.Duration, loads []float64) {
	const name = "Requests that arrive at random, by what the semaphore can do"
	var rows []row
	for _, m := range []string{Semaphore, MaxOut, Pool} {
		for _, load := range loads {
			rows = append(rows, row{name: fmt.Sprintf("%s, %gx", m, load), x: load, Config: Config{Mechanism: m}})
		}
	}
	wanted := rows[:0]
	for _, w := range rows {
		if s.Wants(name, w.name) {
			wanted = append(wanted, w)
		}
	}
	if s.Over() || len(wanted) == 0 {
		return
	}
	s.Show("what the semaphore can do")
	c := Post()
	// So many callers always have the next compare ready, and on two slow cores none waits for longer than a second.
	c.Mechanism, c.Callers, c.Duration, c.Cut = Semaphore, 16*runtime.GOMAXPROCS(0), d, d/5
	r, err := s.one(c)
	if err != nil || r.Finished == nil {
		s.Fail(err)
		return
	}
	s.capacity = *r.Finished
	for i := range wanted {
		c := Post()
		c.Mechanism, c.Rate, c.Callers, c.Duration, c.Cut = wanted[i].Mechanism, wanted[i].x*s.capacity, 0, d, d/5
		wanted[i].Config = c
	}
	ofCapacity := figure{lab.Column{Name: "in time by capacity", Judged: true}, func(r Report) *float64 { return value(r.Goodput / s.capacity) }}
	s.group(name, "load", "", wanted, ofCapacity, late, endpoint, kept, latency99, refusal)
}
