// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// How long hashes take, as measured and as tried.

import (
	"math"
	"slices"
	"time"
)

const (
	// weight is the part of a new value in an average: 8 of them bring two thirds of a change.
	weight = 1.0 / 8

	// far is by what factor a value must be off to be either an outlier or a new truth.
	far = 1.6

	// fade is the time constant with which what was is forgotten. A queue holds as long.
	fade = 2 * time.Second
)

// An estimate is a moving average that tells an outlier from a change. A pause of the machine
// delays what runs at the time, and tells nothing of what comes after; a slowdown shows in what
// begins later, too. So a value that is far off moves the average by little, and a second one in
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

// A timing is how long hashes of a kind take: nanoseconds of one worker for a unit.
type timing struct {
	kind     kindID
	lanes    int                 // at once, at most
	relative func(n int) float64 // time of n at once, relative to one

	unit    estimate
	spread  float64 // mean distance of a time from its estimate, as a part of it
	units   float64 // on average
	service Histogram
}

// learn takes in how long n tasks took, which somebody still waited for in left of them. Where
// nobody did they were given up, and would have taken longer; where some did they took no longer
// than all would have, and no less than the rest by itself.
func (k *timing) learn(n, left int, units float64, began, ended time.Time) (faster bool) {
	// At least 1 ns: a clock may stand still meanwhile, and two zeros have no ratio.
	took := float64(max(ended.Sub(began), 1))
	old, v := k.unit.value, took/units/k.relative(n)
	switch {
	case left == 0 && v <= old:
		return false
	case left == 0:
		v *= far
	case left < n:
		v = min(max(old, v), took/units/k.relative(left))
	}
	// Over the time that a queue holds: a neighbor that comes and goes must not be forgotten
	// between.
	k.spread += (min(math.Abs(v/old-1), far-1) - k.spread) * min(weight, took/float64(fade))
	return k.unit.learn(v, began, ended)
}

// A course is the list of kinds that tasks go through, and what became of them.
type course struct {
	timings []*timing
	memory  int64
	lanes   int
	waiting int // tasks in the queue

	// An estimate that keeps all out would never be put right: now and then one is let in to try.
	trying   bool          // one is under way
	believed time.Duration // what that takes, while it waits
	failed   time.Duration // one of so long was given up, or proved the estimate right
	next     time.Time     // an idle scheduler tries nothing shorter before
	nextBusy time.Time     // nor a busy one what is not twice as long
	refused  time.Time     // when the first was, after the last was begun
}

// time returns how long n tasks side by side take on average.
func (c *course) time(n int) time.Duration { return c.timeFrom(0, n) }

// timeFrom returns how long they take from a stage on.
func (c *course) timeFrom(stage, n int) time.Duration {
	sum := 0.0
	for _, k := range c.timings[stage:] {
		sum += k.unit.value * k.units * k.relative(n)
	}
	return duration(sum)
}

// timeOf returns how long n tasks of such stages take side by side. Tasks of one course may have
// other work: the length of a password, or a wrapped hash's inner one.
func (c *course) timeOf(stages []effort, n int) time.Duration {
	sum := 0.0
	for i, k := range c.timings {
		sum += k.unit.value * max(stages[i].units, 1) * k.relative(n)
	}
	return duration(sum)
}

func (c *course) spread() (most float64) {
	for _, k := range c.timings {
		most = max(most, k.spread)
	}
	return most
}

// patience is how long nothing of a course must have been begun before a busy scheduler tries one.
const patience = 500 * time.Millisecond

// ripe reports whether a task that is to be refused, because it has only so long, shall be tried.
func (c *course) ripe(left time.Duration, busy bool, now time.Time) bool {
	switch {
	case left <= 0 || c.trying:
		return false
	case busy:
		return !c.refused.IsZero() && now.Sub(c.refused) >= patience &&
			(!now.Before(c.nextBusy) || left > 2*c.failed)
	}
	return !now.Before(c.next) || left > c.failed
}

// maxKinds bounds what stored hashes can make of the kinds. Those that find no place share one for
// each algorithm, and run one at a time.
const maxKinds = 64

// A ledger is all that is known of how long hashes take.
type ledger struct {
	timings []*timing // in the order of their first arrival
	courses []*course
	units   map[Algorithm]float64 // nanoseconds that one of an algorithm took last

	lanes    int // tasks of one kind at once, at most; 1 or more
	relative func(n int) float64
}

// course returns what is known of stages, of which each holds so much memory at most.
func (l *ledger) course(stages []effort, memory int64) *course {
	var room [8]*timing
	timings, lanes, alike := room[:0], 1, true
	for _, e := range stages {
		k := l.timing(e)
		timings, lanes, alike = append(timings, k), max(lanes, k.lanes), alike && k.kind == e.kind
	}
	if !alike { // tasks of the course have different work
		lanes = 1
	}
	for _, c := range l.courses {
		if slices.Equal(c.timings, timings) {
			return c
		}
	}
	c := &course{timings: slices.Clone(timings), memory: memory, lanes: lanes}
	l.courses = append(l.courses, c)
	return c
}

func (l *ledger) timing(e effort) *timing {
	is := func(k *timing) bool { return k.kind == e.kind }
	i := slices.IndexFunc(l.timings, is)
	if i < 0 && len(l.timings) >= maxKinds {
		e.kind, e.batch = kindID{algorithm: e.kind.algorithm}, false
		i = slices.IndexFunc(l.timings, is)
	}
	if i >= 0 {
		return l.timings[i]
	}
	k := &timing{kind: e.kind, lanes: 1, units: max(e.units, 1), relative: func(n int) float64 { return float64(n) }}
	if e.batch {
		k.lanes, k.relative = l.lanes, l.relative
	}
	k.unit.value = l.units[e.kind.algorithm]
	l.timings = append(l.timings, k)
	return k
}

// longestWait is the longest time that counts: more overflows a time's monotonic reading.
const longestWait = 365 * 24 * time.Hour

// duration returns so many nanoseconds, up to longestWait: more would turn negative.
func duration(ns float64) time.Duration { return time.Duration(min(ns, float64(longestWait))) }
