// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"math"
	"time"

	"fount/password/internal/histogram"
)

const (
	// weight is the part of a new value in an average: after 8 of them a change has sunk in by two thirds.
	weight = 1.0 / 8

	// far is by what factor a value must be off to be either an outlier or a new truth.
	far = 1.6
)

// An estimate is a moving average that tells an outlier from a change. A pause of the machine makes
// everything late that runs at the time, and tells nothing of what comes after; a slowdown shows in
// what begins later, too. So a value that is far off moves the average by little, and a second one in
// the same direction, of something begun after the first was known, replaces it.
type estimate struct {
	value float64
	known bool      // measured; else a guess, which the first value replaces
	away  int       // the last value was far above (1) or below (-1)
	since time.Time // when that was known
}

// learn reports whether things became faster: a second value was far below, or the first one far
// below the guess.
func (e *estimate) learn(v float64, began, ended time.Time) (faster bool) {
	direction := 0
	switch {
	case v > far*e.value:
		direction = 1
	case v*far < e.value:
		direction = -1
	}
	switch {
	case !e.known:
		e.value, e.known, e.away = v, true, 0
		return direction < 0
	case direction == 0:
		e.value += (v - e.value) * weight
		e.away = 0
	case direction == e.away && began.Before(e.since): // beside the first
	case direction == e.away:
		e.value, e.since = v, ended
		return direction < 0
	default:
		e.value += (min(max(v, e.value/far), e.value*far) - e.value) * weight
		e.away, e.since = direction, ended
	}
	return false
}

// A kind is what is known of a Kind: how long a unit takes, in nanoseconds of one worker, by itself
// and side by side with others.
type kind struct {
	Kind
	index byte // in rates.kinds
	batch bool

	alone     estimate
	algorithm *estimate // in its place until it is known
	ratio     []float64 // time of so many side by side, relative to one
	spread    float64   // mean distance of a time from its estimate, as a part of it
	units     float64   // on average
	service   histogram.Histogram
}

// unit returns how long a unit takes by itself.
func (k *kind) unit() float64 {
	if k.alone.value > 0 {
		return k.alone.value
	}
	return k.algorithm.value
}

// of returns the time of n side by side, relative to one: those that can't are done in turn.
func (k *kind) of(n int) float64 {
	if k.batch {
		return k.ratio[n]
	}
	return float64(n)
}

// learn takes in how long n tasks took, which somebody still waited for in left of them. Where nobody
// did they were given up, and would have taken longer; where some were given up on the way they took no
// longer than all would have, and no less than the rest by itself.
func (k *kind) learn(n, left int, units float64, began, ended time.Time) (faster bool) {
	// At least 1 ns: a clock may stand still meanwhile, and two zeros have no ratio.
	took := float64(max(ended.Sub(began), 1))
	old, v := k.unit(), took/units/k.of(n)
	switch {
	case left == 0 && v <= old:
		return false
	case left == 0:
		v *= far
	case left < n:
		v = min(max(old, v), took/units/k.of(left))
	case k.batch && n > 1 && k.alone.known:
		// Part of what is off is put down to the lanes: one by itself puts that right.
		e := min(max(v/old, 1/far), far)
		k.ratio[n] = min(max(k.ratio[n]*(1+(e-1)*weight), 1), float64(n)*far)
		v = took / units / k.ratio[n]
	}
	// Over the time that a queue holds: a neighbor that comes and goes must not be forgotten in between.
	k.spread += (min(math.Abs(v/old-1), far-1) - k.spread) * min(weight, took/float64(fade))
	k.alone.value = old // the guess, before the first
	k.algorithm.learn(v, began, ended)
	return k.alone.learn(v, began, ended)
}

// A course is the list of kinds that tasks go through, and what became of them.
type course struct {
	kinds   []*kind
	memory  int64
	lanes   int
	waiting int // tasks in the queue

	// An estimate that keeps all tasks out would never be put right: now and then one is let in to try.
	trying   *Task         // the one that is under way
	failed   time.Duration // one that had so long was given up, or showed that the estimate is right
	next     time.Time     // an idle scheduler tries nothing shorter before
	nextBusy time.Time     // nor a busy one what is not twice as long
	refused  time.Time     // when the first was refused after the last was begun
}

// time returns how long n tasks side by side take.
func (c *course) time(n int) time.Duration {
	sum := 0.0
	for _, k := range c.kinds {
		sum += k.unit() * k.units * k.of(n)
	}
	return duration(sum)
}

// time returns how long n like this one take side by side. Tasks of one course may have other work: the length of a
// password, or a wrapped hash's inner one.
func (t *Task) time(n int) time.Duration {
	sum := 0.0
	for i, k := range t.course.kinds {
		sum += k.unit() * max(t.Stages[i].Units, 1) * k.of(n)
	}
	return duration(sum)
}

// admitted takes in the work and the memory of a task that is let in.
func (c *course) admitted(t *Task) {
	c.memory = max(c.memory, t.memory)
	for i, k := range c.kinds {
		k.units += (max(t.Stages[i].Units, 1) - k.units) * weight
	}
}

func (c *course) spread() (most float64) {
	for _, k := range c.kinds {
		most = max(most, k.spread)
	}
	return most
}

// patience is how long nothing of a course must have been begun before a busy scheduler tries one.
const patience = 500 * time.Millisecond

// ripe reports whether a task that is to be refused, because it has only so long, shall be tried.
func (c *course) ripe(left time.Duration, busy bool, now time.Time) bool {
	switch {
	case left <= 0 || c.trying != nil:
		return false
	case busy:
		return !c.refused.IsZero() && now.Sub(c.refused) >= patience && (!now.Before(c.nextBusy) || left > 2*c.failed)
	}
	return !now.Before(c.next) || left > c.failed
}

// tried takes in that a trial of so long showed no more than what was known.
func (c *course) tried(took time.Duration, now time.Time) {
	c.failed, c.next, c.nextBusy = took, now.Add(750*time.Millisecond), now.Add(max(150*time.Millisecond, 8*took))
}

// maxKinds bounds what stored hashes can make of the table. Those that find no place share one kind
// for each algorithm, and run one at a time.
const maxKinds = 64

// rates is everything measured.
type rates struct {
	lanes      int
	relative   func(n int) float64
	kinds      []*kind // in the order of their first arrival
	byKind     map[Kind]*kind
	courses    []*course
	byKinds    map[string]*course // by the indices of their kinds
	algorithms map[uint8]*estimate
}

func newRates(lanes int, relative func(n int) float64) rates {
	return rates{
		lanes: lanes, relative: relative, byKind: make(map[Kind]*kind), byKinds: make(map[string]*course),
		algorithms: make(map[uint8]*estimate),
	}
}

func (r *rates) algorithm(a uint8) *estimate {
	u := r.algorithms[a]
	if u == nil {
		u = new(estimate)
		r.algorithms[a] = u
	}
	return u
}

// course returns what is known of a task's stages.
func (r *rates) course(stages []Stage) *course {
	var room [32]byte
	key := room[:0]
	for i := range stages {
		k := r.kind(&stages[i])
		key = append(key, k.index)
	}
	if c := r.byKinds[string(key)]; c != nil {
		return c
	}
	c := &course{lanes: 1}
	for i, index := range key {
		k := r.kinds[index]
		c.kinds, c.memory = append(c.kinds, k), max(c.memory, stages[i].Memory)
		if k.batch {
			c.lanes = r.lanes
		}
	}
	r.byKinds[string(key)] = c
	r.courses = append(r.courses, c)
	return c
}

func (r *rates) kind(s *Stage) *kind {
	if k := r.byKind[s.Kind]; k != nil {
		return k
	}
	key, batch := s.Kind, s.Batch
	if len(r.kinds) >= maxKinds {
		key, batch = Kind{Algorithm: key.Algorithm}, false
		if k := r.byKind[key]; k != nil {
			return k
		}
	}
	k := &kind{Kind: key, index: byte(len(r.kinds)), batch: batch, algorithm: r.algorithm(key.Algorithm), units: max(s.Units, 1), ratio: make([]float64, r.lanes+1)}
	for n := 1; n <= r.lanes; n++ {
		k.ratio[n] = r.relative(n) / r.relative(1)
	}
	r.byKind[key] = k
	r.kinds = append(r.kinds, k)
	return k
}

// longest is the longest time that counts: more overflows a time's monotonic reading.
const longest = 365 * 24 * time.Hour

// duration returns so many nanoseconds, up to longest: more would turn negative.
func duration(ns float64) time.Duration { return time.Duration(min(ns, float64(longest))) }
