// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package top watches another process by the figures that it publishes, and shows them: a read makes a sample (source.go,
// expvar.go, prometheus.go), two samples make a Frame (frame.go), and a View is a Frame as lines of a screen (view.go).
package top

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// A sample is what one answer says. Counters count since the process, or the pool, began. Whatever is in it comes from another
// process: names may hold anything, figures are finite.
type sample struct {
	at    time.Time // when the answer was here
	clock float64   // when it was made, by the process's own clock, in seconds since 1970; 0: unknown
	start float64   // when the process began; 0: unknown

	mode             string
	window           float64 // bytes
	reseeds, redone  float64
	cutOff           []string
	lateness         histogram
	procs, goroutine float64 // 0: unknown

	pools []pool // by name
}

// mostPools is how many pools a process may have: looking for each among all of the last answer must stay cheap.
const mostPools = 1000

var errPools = fmt.Errorf("more than %d pools", mostPools)

// bound keeps sums and rates of what a process says finite: no count of 64 bits is beyond.
func bound(x float64) float64 { return max(-1<<64, min(x, 1<<64)) }

// A pool is a password pool.
type pool struct {
	name    string
	start   float64 // when it was made; 0: unknown
	classes map[string]*class

	workers, busy       float64
	memory, memoryInUse float64
	maxWait, backlog    float64
	overloaded          bool
	overload            *float64 // seconds since it began; nil: unknown
	overloads           float64
	throttled           *float64
	steal, pressure     *float64
}

// A class is what became of the calls of one class.
type class struct {
	started, inFlight, queued, running float64
	ended                              map[ending]float64
	wait, answer                       histogram // of the answered
}

// An ending is what a call came to.
type ending struct{ outcome, reason string }

// of returns the class of that name, a new one if there is none.
func (p *pool) of(name string) *class {
	if p.classes == nil {
		p.classes = make(map[string]*class)
	}
	if p.classes[name] == nil {
		p.classes[name] = &class{ended: make(map[ending]float64)}
	}
	return p.classes[name]
}

// whole is the sum of the classes.
func (p *pool) whole() *class {
	sum := &class{ended: make(map[ending]float64)}
	for _, c := range p.classes {
		sum.started += c.started
		sum.inFlight += c.inFlight
		sum.queued += c.queued
		sum.running += c.running
		for e, n := range c.ended {
			sum.ended[e] += n
		}
		sum.wait = sum.wait.plus(c.wait)
		sum.answer = sum.answer.plus(c.answer)
	}
	return sum
}

// fell reports whether a counter is below what it was: then it began anew.
func (c *class) fell(was *class) bool {
	if c.started < was.started || c.wait.fell(was.wait) || c.answer.fell(was.answer) {
		return true
	}
	for e, n := range was.ended {
		if c.ended[e] < n {
			return true
		}
	}
	return false
}

// A histogram counts durations: counts[i] those up to bounds[i] seconds and above bounds[i-1], the last what is longer than all.
type histogram struct {
	bounds, counts []float64
}

// check returns an error for a histogram whose parts don't fit.
func (h histogram) check() error {
	switch {
	case len(h.counts) == 0 && len(h.bounds) == 0: // not published
	case len(h.counts) != len(h.bounds)+1:
		return fmt.Errorf("a histogram has %d bounds and %d buckets; want one more", len(h.bounds), len(h.counts))
	case !slices.IsSorted(h.bounds):
		return errors.New("a histogram's bounds do not rise")
	}
	return nil
}

// like reports whether h and o have the same buckets.
func (h histogram) like(o histogram) bool { return slices.Equal(h.bounds, o.bounds) }

func (h histogram) plus(o histogram) histogram { return h.with(o, 1) }

// minus is what was counted since was.
func (h histogram) minus(was histogram) histogram { return h.with(was, -1) }

// with adds o's counts times sign. What has other buckets counts for nothing.
func (h histogram) with(o histogram, sign float64) histogram {
	if len(h.counts) == 0 && sign > 0 {
		return o
	}
	if !h.like(o) || len(h.counts) != len(o.counts) {
		return h
	}
	sum := histogram{h.bounds, slices.Clone(h.counts)}
	for i, n := range o.counts {
		sum.counts[i] += sign * n
	}
	return sum
}

func (h histogram) fell(was histogram) bool {
	if len(h.counts) != len(was.counts) || !h.like(was) {
		return len(was.counts) > 0 // other buckets: another program
	}
	for i, n := range was.counts {
		if h.counts[i] < n {
			return true
		}
	}
	return false
}

// quantile is the end of the bucket in which the share q ends, nil without durations. What is longer than all bounds counts as
// the last of them.
func (h histogram) quantile(q float64) *float64 {
	total := 0.0
	for _, n := range h.counts {
		total += n
	}
	if !(total > 0) || len(h.bounds) == 0 {
		return nil
	}
	rank, last := math.Max(math.Ceil(q*total), 1), len(h.bounds)-1
	for i, n := range h.counts[:last] {
		if rank -= n; rank <= 0 {
			return &h.bounds[i]
		}
	}
	return &h.bounds[last]
}
