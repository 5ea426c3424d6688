// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// How long hashes take: averages of what was measured, and trials of what seems to take too long.

import (
	"math"
	"slices"
	"time"
)

const (
	// smoothing is the weight of a new value in an average: 8 of them bring two thirds of a change.
	smoothing = 1.0 / 8

	// A value off by more than outlierFactor, and the spread of what was measured, is an outlier,
	// or the first after a change.
	outlierFactor = 1.6

	// decay is the time constant of averages over time.
	decay = 2 * time.Second
)

// An estimate is a moving average that tells outliers from changes. A pause of the machine delays
// only what runs during it; a slowdown delays also what begins later. So a value that is far off
// moves the average a little. A second one in the same direction replaces the average, if it began
// after the first ended.
type estimate struct {
	value   float64
	known   bool      // false: value is a guess, and the first measurement replaces it
	outlier int       // 1 or -1 if the last value was far above or below; else 0
	since   time.Time // end of the first outlier
}

// doubt makes the value a guess again.
func (e *estimate) doubt() { e.known = false }

// learn takes in a measurement, and reports whether it made the estimate drop at once. Where the
// measured times spread, two low ones in a row say little.
func (e *estimate) learn(v, spread float64, began, ended time.Time) (faster bool) {
	far := outlierFactor * (1 + spread)
	direction := 0
	switch {
	case v > far*e.value:
		direction = 1
	case v*far < e.value:
		direction = -1
	}

	switch {
	case !e.known:
		e.value = v
		e.known = true
		e.outlier = 0
		return direction < 0
	case direction == 0:
		e.value += (v - e.value) * smoothing
		e.outlier = 0
	case direction == e.outlier && began.Before(e.since):
		return false // it ran beside the first
	case direction == e.outlier:
		e.value = v
		e.since = ended
		return direction < 0
	default:
		e.value += (min(max(v, e.value/far), e.value*far) - e.value) * smoothing
		e.outlier = direction
		e.since = ended
	}
	return false
}

// A timing is what is known of how long hashes of a kind take.
type timing struct {
	kind     kind
	lanes    int                 // how many may run side by side
	relative func(n int) float64 // time of n side by side, relative to one

	unitTime estimate // nanoseconds of a worker for a unit
	spread   float64  // mean deviation of times from estimates, as a fraction of the estimate
	units    float64  // mean number of a hash
	service  Histogram
}

// learn takes in how long a batch of n hashes took, of which finished were not given up. If it is
// 0, the batch ended early: its time is a lower bound. If it is less than n, the time is a lower
// bound of what n hashes take, and an upper bound of what finished hashes take. It reports whether
// the estimate dropped at once.
func (k *timing) learn(n, finished int, units float64, began, ended time.Time) (faster bool) {
	// At least 1 ns: in a bubble of testing/synctest the clock stands still.
	took := float64(max(ended.Sub(began), 1))
	old := k.unitTime.value
	v := took / units / k.relative(n)

	switch {
	case finished == 0 && v <= old:
		return false // no contradiction
	case finished == 0:
		v *= outlierFactor // the whole would have taken longer
	case finished < n:
		v = min(max(old, v), took/units/k.relative(finished)) // old, or the nearer bound
	}

	// Slowly, in the time of decay, so that a neighbor that comes and goes is not forgotten
	// between.
	deviation := min(math.Abs(v/old-1), outlierFactor-1)
	k.spread += (deviation - k.spread) * min(smoothing, took/float64(decay))
	return k.unitTime.learn(v, k.spread, began, ended)
}

// A route is the list of kinds that a task is hashed as, stage by stage. Tasks of one route may
// share a batch.
type route struct {
	timings []*timing // one for each stage
	memory  int64     // bytes of the largest stage
	lanes   int       // tasks in a full batch
	waiting int       // sign-ins in the line
	trials  trials
}

// time returns how long a batch of n average tasks takes.
func (r *route) time(n int) time.Duration { return r.timeFrom(0, n) }

// timeFrom returns how long it takes from a stage on.
func (r *route) timeFrom(stage, n int) time.Duration {
	sum := 0.0
	for _, k := range r.timings[stage:] {
		sum += k.unitTime.value * k.units * k.relative(n)
	}
	return duration(sum)
}

// spread returns the largest spread of the stages.
func (r *route) spread() (widest float64) {
	for _, k := range r.timings {
		widest = max(widest, k.spread)
	}
	return widest
}

// note takes in what an admitted task needs.
func (r *route) note(stages []effort, memory int64) {
	r.memory = max(r.memory, memory)
	for i, k := range r.timings {
		k.units += (max(stages[i].units, 1) - k.units) * smoothing
	}
}

// Trials are tasks admitted only to test a route's estimate, one at a time: one so high that all
// tasks are refused would never be corrected otherwise.
type trials struct {
	current      *task         // it waits or runs; nil if there is none
	failed       time.Duration // how long the last one took that did not lower the estimate
	nextIdle     time.Time     // when a task with less time than failed may be tried
	nextBusy     time.Time     // with a queue: when one with less than twice failed may
	refusedSince time.Time     // first refusal since a task of the route has begun
}

// busyTrialAfter is how long a route must have been refused before a trial may join a queue.
const busyTrialAfter = 500 * time.Millisecond

// allow reports whether to admit, as a trial, a task that would be refused because only left
// remains to its deadline, though it could begin at once.
func (ts *trials) allow(left time.Duration, now time.Time) bool {
	return ts.current == nil && left > 0 && (!now.Before(ts.nextIdle) || left > ts.failed)
}

// allowBusy does so for a task that could not.
func (ts *trials) allowBusy(left time.Duration, now time.Time) bool {
	areRefused := !ts.refusedSince.IsZero() && now.Sub(ts.refusedSince) >= busyTrialAfter
	return ts.current == nil && left > 0 && areRefused && (!now.Before(ts.nextBusy) || left > 2*ts.failed)
}

// fail notes that a trial took so long and did not lower the estimate.
func (ts *trials) fail(took time.Duration, now time.Time) {
	ts.failed = took
	ts.nextIdle = now.Add(750 * time.Millisecond)
	ts.nextBusy = now.Add(max(150*time.Millisecond, 8*took))
}

// maxKinds bounds how many kinds are told apart. Beyond it, those of one algorithm share a timing
// and don't run side by side.
const maxKinds = 64

// minWait is the lowest wait limit if Options.MaxWait is 0.
const minWait = 300 * time.Millisecond

// times is all that is known of how long hashes take.
type times struct {
	maxWait  time.Duration         // Options.MaxWait
	timings  []*timing             // the kinds, in the order of their first calls
	routes   []*route              // in the order of their first calls
	unitTime map[Algorithm]float64 // nanoseconds of an algorithm's unit, for kinds not yet measured

	lanes    int                 // how many bcrypts may run side by side, 1 or more
	relative func(n int) float64 // time of n of them, relative to one
}

// learn takes in how long a batch took for its stage, with finished tasks that were not given up.
// It returns how many nanoseconds were expected.
func (ts *times) learn(b *batch, finished int, now time.Time) (expected float64) {
	first := b.tasks[0]
	k := b.route.timings[b.stage]
	n := len(b.tasks)
	units := first.stages[b.stage].units // 0 if not known
	expected = k.unitTime.value * units * k.relative(n)

	wasFast := finished > 0 && float64(now.Sub(b.stageBegan))*outlierFactor < expected
	if first.trial && wasFast {
		k.unitTime.doubt() // it is far too high: learn replaces it
	}

	if units > 0 && k.learn(n, finished, units, b.stageBegan, now) {
		for _, r := range ts.routes { // allow new trials at once
			r.trials = trials{current: r.trials.current, refusedSince: r.trials.refusedSince}
		}
	}

	ts.unitTime[k.kind.algorithm] = k.unitTime.value
	return expected
}

// waitLimit returns how long a task of a route may wait for others of it: Options.MaxWait if set,
// else the time of five full batches, and more where times spread. Admission allows for the spread,
// so as many hashes may wait as where they don't.
func (ts *times) waitLimit(r *route) time.Duration {
	if ts.maxWait > 0 {
		return ts.maxWait
	}
	return max(minWait, duration(5*float64(r.time(r.lanes))*(1+r.spread())))
}

// routeOf returns the route of stages, and adds it if it is new. memory is that of the largest.
func (ts *times) routeOf(stages []effort, memory int64) *route {
	var room [8]*timing
	timings := room[:0]
	lanes := 1
	alike := true

	for _, e := range stages {
		k := ts.timingOf(e)
		timings = append(timings, k)
		lanes = max(lanes, k.lanes)
		alike = alike && k.kind == e.kind
	}
	if !alike { // not side by side: the stages' units differ among tasks
		lanes = 1
	}

	for _, r := range ts.routes {
		if slices.Equal(r.timings, timings) {
			return r
		}
	}

	r := &route{timings: slices.Clone(timings), memory: memory, lanes: lanes}
	ts.routes = append(ts.routes, r)
	return r
}

// timingOf returns the timing of a stage's kind, and adds it if it is new.
func (ts *times) timingOf(e effort) *timing {
	is := func(k *timing) bool { return k.kind == e.kind }
	i := slices.IndexFunc(ts.timings, is)
	if i < 0 && len(ts.timings) >= maxKinds {
		e.kind = kind{algorithm: e.kind.algorithm}
		e.batches = false
		i = slices.IndexFunc(ts.timings, is)
	}
	if i >= 0 {
		return ts.timings[i]
	}

	k := &timing{
		kind: e.kind, lanes: 1, units: max(e.units, 1),
		relative: func(n int) float64 { return float64(n) },
	}
	if e.batches {
		k.lanes = ts.lanes
		k.relative = ts.relative
	}
	k.unitTime.value = ts.unitTime[e.kind.algorithm]

	ts.timings = append(ts.timings, k)
	return k
}

// hashes returns what Stats says of each kind.
func (ts *times) hashes() []Hashes {
	all := make([]Hashes, len(ts.timings))
	for i, k := range ts.timings {
		algorithm, cost := k.kind.names()
		alone := k.unitTime.value * k.units
		all[i] = Hashes{
			Algorithm: algorithm,
			Cost:      cost,
			Service:   k.service,
			Alone:     duration(alone),
			Drain:     duration(alone * k.relative(k.lanes) / float64(k.lanes)),
		}
	}
	return all
}

// unitTimes returns how many nanoseconds a unit of each algorithm is believed to take until one has
// been measured. It measures one hash of the policy, and takes all algorithms to be as much faster
// or slower than their secondsAVX as that one.
func unitTimes(measured *job) map[Algorithm]float64 {
	measured.threads = 1
	began := time.Now()
	measured.compute()
	took := float64(time.Since(began))

	need := &measured.need
	ratio := took / (need.units * algorithms[need.kind.algorithm].secondsAVX)
	times := map[Algorithm]float64{Foreign: ratio / 1e9} // its unit is a nanosecond
	for alg := Bcrypt; alg < Foreign; alg++ {
		times[alg] = ratio * algorithms[alg].secondsAVX
	}
	return times
}

// longestWait bounds all times: more would overflow a time's monotonic reading.
const longestWait = 365 * 24 * time.Hour

// duration converts nanoseconds, up to longestWait: more would turn negative.
func duration(ns float64) time.Duration { return time.Duration(min(ns, float64(longestWait))) }
