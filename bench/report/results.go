// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The results: what the benchmarks printed, by task, peer and number of goroutines.

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fount/bench/peers"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// results is what peers.txt says.
type results struct {
	header  string // the lines before the first result
	machine string // CPU, kernel and Go in one line
	cores   int    // GOMAXPROCS
	rounds  int
	cpu     bool // costs are CPU time; else time by the clock, as the system does not tell
	series  map[key]*series
}

// A key is what one benchmark measured.
type key struct {
	task string // Task.Name
	slug string // of the peer
	all  bool   // as many goroutines as cores draw; else one
}

// A series is what one benchmark gave, round by round. Times are in seconds for one operation.
type series struct {
	clock  []float64
	cpu    []float64
	allocs []float64
}

// read parses the text of a file like peers.txt.
func read(file string, text []byte) (*results, error) {
	r := &results{series: map[key]*series{}}
	if i := bytes.Index(text, []byte("\nBenchmark")); i >= 0 {
		r.header = strings.TrimSpace(string(text[:i]))
	}
	lines := benchfmt.NewReader(bytes.NewReader(text), file)
	for lines.Scan() {
		switch rec := lines.Result().(type) {
		case *benchfmt.Result:
			if err := r.add(rec); err != nil {
				_, line := rec.Pos()
				return nil, fmt.Errorf("%s:%d: %w", file, line, err)
			}
		case *benchfmt.SyntaxError:
			return nil, rec
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if err := r.complete(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// add adds a result. One that does not compare methods is left to benchstat.
func (r *results) add(rec *benchfmt.Result) error {
	base, parts := rec.Name.Parts()
	k := key{task: string(base)}
	cores := 1
	for _, part := range parts {
		name, value, _ := strings.Cut(string(part), "=")
		switch {
		case name == "/method":
			k.slug = value
		case name == "/goroutines":
			k.all = value == "all"
		case part[0] == '-':
			cores, _ = strconv.Atoi(string(part[1:]))
		default:
			k.task += string(part)
		}
	}
	if k.slug == "" {
		return nil
	}
	if r.cores != 0 && r.cores != cores {
		return fmt.Errorf("a result of %d cores after some of %d; want one number", cores, r.cores)
	}
	r.cores = cores
	r.machine = fmt.Sprintf("%s, %s, %s", rec.GetConfig("cpu"), rec.GetConfig("kernel"), rec.GetConfig("go"))
	s := r.series[k]
	if s == nil {
		s = new(series)
		r.series[k] = s
	}
	for unit, values := range map[string]*[]float64{"sec/op": &s.clock, "cpu-sec/op": &s.cpu, "allocs/op": &s.allocs} {
		if v, ok := rec.Value(unit); ok {
			*values = append(*values, v)
		}
	}
	return nil
}

// complete checks that each series has one value of each round, and looks whether CPU time is told.
func (r *results) complete() error {
	if len(r.series) == 0 {
		return errors.New("no results; want lines like BenchmarkNonce/method=fount/goroutines=1-2")
	}
	r.cpu = true
	for _, s := range r.series {
		r.rounds = max(r.rounds, len(s.clock))
		r.cpu = r.cpu && len(s.cpu) == len(s.clock)
	}
	for k, s := range r.series {
		if len(s.clock) != r.rounds || len(s.allocs) != r.rounds {
			return fmt.Errorf("%s of %s: %d times and %d counts of allocations; want %d of each, one a round",
				k.task, k.slug, len(s.clock), len(s.allocs), r.rounds)
		}
	}
	return nil
}

// get returns a peer's series, nil if it was not measured.
func (r *results) get(task peers.Task, p peers.Peer, all bool) *series {
	return r.series[key{task.Name, p.Slug(), all}]
}

// measured returns the peers that a task was measured with, in their order.
func (r *results) measured(task peers.Task) []peers.Peer {
	return slices.DeleteFunc(peers.All(), func(p peers.Peer) bool { return !r.has(task, p) })
}

// has reports whether a task was measured with all of the peers.
func (r *results) has(task peers.Task, list ...peers.Peer) bool {
	for _, p := range list {
		if r.get(task, p, false) == nil || r.get(task, p, true) == nil {
			return false
		}
	}
	return true
}

// costs returns what a peer's operations cost round by round, all cores added up: CPU time, or time by
// the clock on each core if CPU time is not told.
func (r *results) costs(task peers.Task, p peers.Peer, all bool) []float64 {
	s := r.get(task, p, all)
	switch {
	case r.cpu:
		return s.cpu
	case all:
		return scaled(s.clock, float64(r.cores))
	}
	return s.clock
}

// cost is the median of the costs.
func (r *results) cost(task peers.Task, p peers.Peer, all bool) benchmath.Summary {
	return median(r.costs(task, p, all))
}

// ratio is a peer's cost on one core to another's in the same round.
func (r *results) ratio(task peers.Task, p, base peers.Peer) benchmath.Summary {
	return median(r.ratios(task, p, base))
}

func (r *results) ratios(task peers.Task, p, base peers.Peer) []float64 {
	return divided(r.costs(task, p, false), r.costs(task, base, false))
}

// gain is how many times as much all cores do as one, by CPU time and by the clock.
func (r *results) gain(task peers.Task, p peers.Peer) (cpu, clock benchmath.Summary) {
	byCPU, byClock := r.gains(task, p)
	if r.cpu {
		cpu = median(byCPU)
	}
	return cpu, median(byClock)
}

// gains are those round by round; by CPU time nil if that is not told.
func (r *results) gains(task peers.Task, p peers.Peer) (cpu, clock []float64) {
	one, all := r.get(task, p, false), r.get(task, p, true)
	if r.cpu {
		cpu = scaled(divided(one.cpu, all.cpu), float64(r.cores))
	}
	return cpu, divided(one.clock, all.clock)
}

// share is how much of the cores the benchmarks had, the median over them, with one goroutine and with
// one a core: 1 if no other program ran. It is known where CPU time is.
func (r *results) share() (one, all float64) {
	var ones, alls []float64
	for k, s := range r.series {
		for i := range s.clock {
			if k.all {
				alls = append(alls, s.cpu[i]/s.clock[i]/float64(r.cores))
			} else {
				ones = append(ones, s.cpu[i]/s.clock[i])
			}
		}
	}
	return median(ones).Center, median(alls).Center
}

// divided returns a/b, round by round.
func divided(a, b []float64) []float64 {
	q := make([]float64, len(a))
	for i := range a {
		q[i] = a[i] / b[i]
	}
	return q
}

// scaled returns factor*a, round by round.
func scaled(a []float64, factor float64) []float64 {
	q := make([]float64, len(a))
	for i := range a {
		q[i] = factor * a[i]
	}
	return q
}

// median is the median and its 95 % interval, which assumes nothing about the distribution.
func median(values []float64) benchmath.Summary {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), 0.95)
}

// peer returns the peer of a name that is known to be one.
func peer(name string) peers.Peer {
	all := peers.All()
	return all[slices.IndexFunc(all, func(p peers.Peer) bool { return p.Name == name })]
}
