// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The result of the experiment.

import (
	"fmt"
	"math"
	"slices"

	"fount/lab/measure"
)

// A Result is the whole experiment. Names of fields stay; fields may be added.
type Result struct {
	Procs   int      `json:"procs"`   // that start together
	Bytes   int      `json:"bytes"`   // that each needs
	Ring    string   `json:"ring"`    // of the emulated device, at the start
	TickMS  float64  `json:"tick_ms"` // of its clock
	LimitS  float64  `json:"limit_s"` // of waiting
	Count   int      `json:"count"`   // runs of each source but the emulated device
	More    int      `json:"more"`    // bytes that each process reads for the rate
	Seconds float64  `json:"seconds"` // that the whole took
	Sources []Source `json:"sources"` // in the order of measuring

	Ratio      *Ratio      `json:"ratio,omitempty"` // if both of its sources were measured
	Published  []Published `json:"published"`
	Conclusion []string    `json:"conclusion"` // sentences
}

// A Source is what was measured of one.
type Source struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Skipped string `json:"skipped,omitempty"` // why it was not measured; then there is nothing below

	StartS    float64  `json:"start_s,omitempty"` // of its server, once a machine, before the processes
	Processes int      `json:"processes"`         // of all runs; each got its bytes, was late, or failed
	Got       int      `json:"got"`
	Late      int      `json:"late"` // did not have them at the limit, and were stopped
	Failed    int      `json:"failed"`
	Failures  []string `json:"failures,omitempty"` // which, and why

	Delay     *Delay  `json:"delay,omitempty"`       // nil if all failed
	ExecMS    float64 `json:"exec_ms,omitempty"`     // median from exec to the gate
	BytesPerS float64 `json:"bytes_per_s,omitempty"` // of all processes together; 0: not measured
	Runs      []Round `json:"runs"`
}

// A Round is one start of the processes.
type Round struct {
	DelaysMS []float64 `json:"delays_ms"` // of those that got their bytes, ascending
	Late     int       `json:"late"`
	ExecMS   float64   `json:"exec_ms"` // median
}

// A Delay is the time from the opening of the gate to having the bytes, of those that got them and of those that were
// late.
type Delay struct {
	Median Time `json:"median"`
	P99    Time `json:"p99"`
	Max    Time `json:"max"`
}

// A Time is a time, or a lower bound of it where processes were late: they count as having waited for the limit.
type Time struct {
	MS      float64 `json:"ms"`
	AtLeast bool    `json:"at_least"`
}

// A Ratio is the median delay at the emulated device to that behind fount's 9P server.
type Ratio struct {
	Value   float64 `json:"value"`
	AtLeast bool    `json:"at_least"` // as the first is
	Meaning string  `json:"meaning"`
}

// A Published is a figure from elsewhere.
type Published struct {
	Where     string  `json:"where"`
	What      string  `json:"what"`
	SlowS     float64 `json:"slow_s"`
	FastS     float64 `json:"fast_s"`
	How       string  `json:"how"`                   // it was fast
	BytesPerS float64 `json:"bytes_per_s,omitempty"` // of the slow source
}

// published are the reporter's figures, and what was measured on a Plan 9 of that kind.
var published = []Published{
	{"golang/go#10028 (2015), Plan 9", "one test of package runtime", 5.27, 0.31, "when it did not have to wait", 0},
	{"Plan 9 (9legacy on an emulated 386), measured", "128 bytes of /dev/random", 4.08, 0.63e-3,
		"from a seeded file server over the network", 18},
}

// add counts a run.
func (s *Source) add(run int, r *race) {
	made := Round{DelaysMS: []float64{}}
	var exec []float64
	for i, p := range r.racers {
		s.Processes++
		if p.ready != 0 {
			exec = append(exec, milliseconds(p.ready-p.launched))
		}
		switch {
		case p.err != nil:
			s.fail(run, i, p.err)
		case p.had == 0:
			made.Late++
		default:
			made.DelaysMS = append(made.DelaysMS, milliseconds(p.had-r.opened))
		}
	}
	slices.Sort(made.DelaysMS)
	made.ExecMS = measure.Median(exec)
	s.Got += len(made.DelaysMS)
	s.Late += made.Late
	s.Runs = append(s.Runs, made)
}

func (s *Source) fail(run, process int, err error) {
	s.Failed++
	s.Failures = append(s.Failures, fmt.Sprintf("run %d, process %d: %v", run+1, process+1, err))
}

// finish makes the figures of all runs.
func (s *Source) finish(limitMS float64) {
	var got, exec []float64
	for _, r := range s.Runs {
		got = append(got, r.DelaysMS...)
		exec = append(exec, r.ExecMS)
	}
	slices.Sort(got)
	s.ExecMS = measure.Median(exec)
	s.Delay = delayOf(got, s.Late, limitMS)
}

// delayOf counts late processes as having waited for the limit; figures that depend on them are lower bounds.
func delayOf(got []float64, late int, limitMS float64) *Delay {
	n := len(got) + late
	if n == 0 {
		return nil
	}
	all := slices.Concat(got, slices.Repeat([]float64{limitMS}, late))
	at := func(i int) Time { return Time{all[i], i >= len(got)} }
	p99 := int(math.Ceil(0.99*float64(n))) - 1
	return &Delay{Median: Time{measure.Median(all), n/2 >= len(got)}, P99: at(p99), Max: at(n - 1)}
}

func milliseconds(ns int64) float64 { return float64(ns) / 1e6 }

// source is the source of that name if it was measured.
func (r *Result) source(name string) *Source {
	for i, s := range r.Sources {
		if s.Name == name && s.Delay != nil {
			return &r.Sources[i]
		}
	}
	return nil
}

// compare makes the ratio.
func (r *Result) compare() {
	slow, fast := r.source(Emulated), r.source(NineP)
	if slow == nil || fast == nil || fast.Delay.Median.AtLeast || fast.Delay.Median.MS <= 0 {
		return // a lower bound of the divisor says nothing about the ratio
	}
	r.Ratio = &Ratio{
		Value:   slow.Delay.Median.MS / fast.Delay.Median.MS,
		AtLeast: slow.Delay.Median.AtLeast,
		Meaning: "median start-up delay at the emulated device to that behind fount's 9P server",
	}
}
