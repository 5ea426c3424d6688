// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Runs that together show one thing.

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"
)

// A Runner makes one run, in a process that has nothing else to do. Its errors, and the Report, name the command that
// repeats the run.
type Runner func(context.Context, Config) (Report, error)

// A Study is what some runs show together. Names of fields stay; fields may be added.
type Study struct {
	Name       string      `json:"name"`
	Title      string      `json:"title"`
	Capacity   []Capacity  `json:"capacity,omitempty"` // in the order of measuring
	Runs       []Report    `json:"runs"`
	Conditions []Condition `json:"conditions,omitempty"`
}

// A Capacity is the compares per second of a mechanism whose callers always have the next one ready.
type Capacity struct {
	Mechanism string  `json:"mechanism"`
	PerSecond float64 `json:"per_s"`
	Cores     float64 `json:"cores_used"`
	Command   string  `json:"command"`
}

// A Condition compares what the pool promises with what was measured.
type Condition struct {
	What   string   `json:"what"`
	Value  *float64 `json:"value"` // nil: there is no figure, and the condition is not met
	Limit  float64  `json:"limit"`
	Unit   string   `json:"unit"`
	AtMost bool     `json:"at_most"` // else at least
	Met    bool     `json:"met"`
}

func atLeast(what string, value, limit float64, unit string) Condition {
	return Condition{what, known(value), limit, unit, false, value >= limit}
}

func atMost(what string, value, limit float64, unit string) Condition {
	return Condition{what, known(value), limit, unit, true, value <= limit}
}

// noFigure meets no condition.
var noFigure = math.NaN()

// known returns nil for no figure: NaN or infinity.
func known(value float64) *float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	return &value
}

// String is the condition in one line.
func (c Condition) String() string {
	word, verdict := "at least", "met"
	if c.AtMost {
		word = "at most"
	}
	if !c.Met {
		verdict = "NOT met"
	}
	unit := c.Unit
	if unit != "" {
		unit = " " + unit
	}
	if c.Value == nil {
		return fmt.Sprintf("%s: NOT judged, no figure (%s %.4g%s)", c.What, word, c.Limit, unit)
	}
	return fmt.Sprintf("%s: %.4g%s (%s %.4g%s): %s", c.What, *c.Value, unit, word, c.Limit, unit, verdict)
}

// missed is how many conditions are not met, and the first of them.
func missed(conditions []Condition) (n int, first Condition) {
	for _, c := range conditions {
		if !c.Met {
			if n++; n == 1 {
				first = c
			}
		}
	}
	return n, first
}

// Terms say how to make a study.
type Terms struct {
	Cost     int
	Duration time.Duration // of each run; 0: the study's own
	Run      Runner
	Show     func(line string) // shows how far the study is; nil: nobody looks
}

// A Plan makes a study.
type Plan struct {
	Name     string
	About    string
	Duration time.Duration // of most of its runs, where the terms don't say
	make     func(context.Context, *maker) error
}

// Names of studies that are shown in a way of their own.
const (
	tableName   = "table"
	sweepName   = "sweep"
	callersName = "callers"
)

// Plans are the studies, in the order of making all.
var Plans = []Plan{
	{tableName, "the bcrypt load post's runs, measured again", 5 * time.Second, makeTable},
	{"window", "1,000 callers for 5 s, and until the last has an answer", 5 * time.Second, makeWindow},
	{"overload", "requests at three times the pool's capacity", time.Minute, makeOverload},
	{sweepName, "goodput at 0.2 to 5 times the pool's capacity", 12 * time.Second, makeSweep},
	{callersName, "compares in 5 s as callers are added, by the post's two mechanisms", 5 * time.Second, makeCallers},
}

// Make makes a study of runs. What was measured before an error is in it.
func (p Plan) Make(ctx context.Context, terms Terms) (*Study, error) {
	if terms.Duration == 0 {
		terms.Duration = p.Duration
	}
	m := &maker{Terms: terms, study: &Study{Name: p.Name, Title: p.About, Runs: []Report{}}}
	err := p.make(ctx, m)
	return m.study, err
}

// A maker makes a study.
type maker struct {
	Terms
	study *Study
	n, of int // runs made, and planned
}

// run makes one run of the study.
func (m *maker) run(ctx context.Context, c Config) (Report, error) {
	m.n++
	if m.Show != nil {
		m.Show(fmt.Sprintf("run %d of %d, %v: %s", m.n, m.of, c.Duration, c.Mechanism))
	}
	r, err := m.Run(ctx, c)
	if err != nil {
		return r, err
	}
	if !r.Conserved() {
		return r, fmt.Errorf("%s: requests are lost: %+v", r.Command, r.Counts)
	}
	return r, nil
}

// add makes one run and keeps it.
func (m *maker) add(ctx context.Context, c Config) (Report, error) {
	r, err := m.run(ctx, c)
	if err == nil {
		m.study.Runs = append(m.study.Runs, r)
	}
	return r, err
}

// closed is a run of the closed loop.
func (m *maker) closed(mechanism string, callers, workers int, d time.Duration) Config {
	c := Post()
	c.Mechanism, c.Cost, c.Callers, c.Workers, c.Duration = mechanism, m.Cost, callers, workers, d
	return c
}

// offered is a run of the open loop. All runs of a study get the same arrivals if their rates are the same.
func (m *maker) offered(mechanism string, rate float64, cut time.Duration) Config {
	c := m.closed(mechanism, 0, 0, m.Duration)
	if mechanism == Buffered {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	c.Rate, c.Seed, c.Cut = rate, 1, cut
	return c
}

// share is part of the study's usual duration, so that a short one stays in proportion.
func (m *maker) share(part, of time.Duration) time.Duration {
	return time.Duration(float64(m.Duration) * float64(part) / float64(of))
}

// capacity measures a mechanism with 16 callers for each core, which always have the next compare ready: enough for
// lanes, and few enough that on two cores, at 34 a second, none waits longer than a second.
func (m *maker) capacity(ctx context.Context, mechanism string, d time.Duration) (float64, error) {
	c := m.closed(mechanism, 16*runtime.GOMAXPROCS(0), 0, d)
	c.Cut = d / 5
	r, err := m.run(ctx, c)
	if err != nil {
		return 0, err
	}
	if r.Finished == nil || *r.Finished == 0 {
		return 0, fmt.Errorf("%s: not one compare ended", r.Command)
	}
	m.study.Capacity = append(m.study.Capacity, Capacity{mechanism, *r.Finished, r.Cores, r.Command})
	return *r.Finished, nil
}
