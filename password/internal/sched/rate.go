// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"math"
	"time"

	"fount/password/internal/histogram"
)

// weight is the part of a new value in an average: after 8 of them a change has
// sunk in by two thirds.
const weight = 1.0 / 8

// far is by what factor a value must be off to be either an outlier or a new truth.
const far = 1.6

// An estimate is a moving average that tells an outlier from a change. A pause of
// the machine makes everything late that runs at the time, and tells nothing
// of what comes after; a slowdown shows in what begins later, too. So a value that
// is far off moves the average by little, and a second one in the same
// direction, of something begun after the first was known, replaces it.
type estimate struct {
	value float64
	known bool      // measured; else a guess, which the first value replaces
	away  int       // the last value was far above (1) or below (-1)
	since time.Time // when that was known
}

// faster: such a second value was far below, or the first one far below the guess.
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

// A kind is what is known of a Kind: how long a unit takes, in nanoseconds of
// one worker, by itself and side by side with others, and how many wait.
type kind struct {
	Kind
	index   int // in rates.all
	threads int
	memory  int64
	batch   bool

	queued  [Classes]int
	units   [Classes]float64 // of the queued
	running int              // batches
	last    float64          // units of the last to come

	alone     estimate
	algorithm *estimate // in its place until it is known
	ratio     []float64 // time of so many side by side, relative to one
	spread    float64   // mean distance of a time from its estimate, as a part of it
	doubt     doubt

	wait, service histogram.Histogram // of the completed
}

// unit returns how long a unit takes by itself.
func (k *kind) unit() float64 {
	if k.alone.value > 0 {
		return k.alone.value
	}
	return k.algorithm.value
}

// time returns how long width tasks of so many units each take side by side.
func (k *kind) time(units float64, width int) time.Duration {
	return duration(k.unit() * k.ratio[width] * units)
}

// waiting returns how many of the kind wait.
func (k *kind) waiting() (n int) {
	for _, m := range k.queued {
		n += m
	}
	return n
}

// present reports whether any of the kind waits or runs.
func (k *kind) present() bool { return k.running > 0 || k.waiting() > 0 }

// lanes returns how many tasks of the kind may run side by side.
func (k *kind) lanes() int {
	if k.batch {
		return len(k.ratio) - 1
	}
	return 1
}

// longest returns how long a task of the kind takes in full company: of those
// whose units differ, the last one to come.
func (k *kind) longest() time.Duration { return k.time(k.last, k.lanes()) }

// cost returns the time of a worker, in nanoseconds, until n waiting tasks with
// units altogether have been begun and done. A batch that is not full of them
// counts as full: it may take others along.
func (k *kind) cost(n int, units float64) float64 {
	if k.lanes() == 1 {
		return units * k.unit()
	}
	lanes := k.lanes()
	return k.batches((n+lanes-1)/lanes, units/float64(max(n, 1)))
}

// full is cost without the batch that is not full.
func (k *kind) full(n int, units float64) float64 {
	if k.lanes() == 1 {
		return units * k.unit()
	}
	return k.batches(n/k.lanes(), units/float64(max(n, 1)))
}

func (k *kind) batches(n int, units float64) float64 {
	return float64(n) * float64(k.time(units, k.lanes()))
}

// drain returns the time of a worker that a unit takes while there is a queue.
func (k *kind) drain() float64 {
	lanes := k.lanes()
	return k.unit() * k.ratio[lanes] / float64(lanes)
}

// learn takes in how long a batch took. Where one kind has become faster, the machine
// may have: what was found too long before may be tried again.
func (r *rates) learn(b *batch, left int, ended time.Time) {
	if b.kind.learn(b, left, ended) {
		for _, k := range r.all {
			k.doubt.reset()
		}
	}
}

// learn takes in how long a batch took that somebody still waited for in left of
// its lanes. Where nobody did it was given up, and would have taken longer; where
// some lanes were given up on the way it took no longer than all would have, and no
// less than the rest by itself.
func (k *kind) learn(b *batch, left int, ended time.Time) (faster bool) {
	n := len(b.tasks)
	// At least 1 ns: a clock may stand still meanwhile, and two zeros have no ratio.
	unit := float64(max(ended.Sub(b.began), 1)) / b.tasks[0].Units
	old := k.unit()
	v := unit / k.ratio[n]
	switch {
	case left == 0 && v <= old:
		return false
	case left == 0:
		v *= far
		k.doubt.fail(ended.Sub(b.began), ended)
	case left < n:
		v = min(max(old, v), unit/k.ratio[left])
	case n > 1 && k.alone.known:
		// Part of what is off is put down to the lanes: one by itself puts that right.
		e := min(max(v/old, 1/far), far)
		k.ratio[n] = min(max(k.ratio[n]*(1+(e-1)*weight), 1), float64(n)*far)
		v = unit / k.ratio[n]
	}
	// Over the time that a queue holds: a neighbor that comes and goes must not be forgotten in between.
	k.spread += (min(math.Abs(v/old-1), far-1) - k.spread) * min(weight, float64(ended.Sub(b.began))/float64(memory))
	k.alone.value = old // the guess, before the first
	k.algorithm.learn(v, b.began, ended)
	faster = k.alone.learn(v, b.began, ended)
	switch {
	case k.alone.away < 0 && !faster: // an outlier, or the first of many
		k.doubt.reset()
		k.doubt.since = ended.Add(-patience)
	case left > 0:
		k.doubt.since = time.Time{}
	}
	return faster
}

// tried takes in what a probe came to: where it shows that the estimate was right it has
// failed, too.
func (k *kind) tried(b *batch, left int, took time.Duration, now time.Time) {
	k.doubt.trying = false
	if left == 0 || float64(took)*far > k.unit()*b.tasks[0].Units {
		k.doubt.fail(took, now)
	}
	if left > 0 {
		k.alone.known = false // what is measured now replaces it
	}
}

// A doubt is what becomes of an estimate that keeps all tasks out and so is never
// put right: after a while one task is let in to try.
type doubt struct {
	since  time.Time     // of the first refusal since the last news
	trying bool          // one is under way
	failed time.Duration // one that had so long was given up
	times  uint          // so often, one after the other
	at     time.Time     // that was
}

// patience is how long nothing is tried after the first refusal, and shorter how long
// an idle scheduler tries nothing shorter after a failure. Where others wait, the time between failures
// doubles until they take no more than one part in dear of a worker: right after a change
// the first may be the last of the old speed. A task with twice as long need not wait: otherwise one with too little
// time could keep all others from trying.
const (
	patience = 150 * time.Millisecond
	shorter  = 750 * time.Millisecond
	dear     = 16
)

// ripe reports whether a task that is to be refused, because it has only so long,
// shall be tried instead.
func (d *doubt) ripe(left time.Duration, busy bool, now time.Time) bool {
	if d.since.IsZero() {
		d.since = now
	}
	switch {
	case d.trying || now.Sub(d.since) < patience:
		return false
	case busy:
		return left > 2*d.failed || now.Sub(d.at) >= max(patience, d.failed*time.Duration(min(uint(1)<<d.times/2, dear)))
	}
	return left > d.failed || now.Sub(d.at) >= shorter
}

// fail notes that a trial came to nothing.
func (d *doubt) fail(took time.Duration, now time.Time) {
	if !d.at.Equal(now) {
		d.times = min(d.times+1, 16)
	}
	d.failed, d.at = took, now
}

// reset notes that what was too long may be no more.
func (d *doubt) reset() { d.failed, d.times = 0, 0 }

// maxKinds bounds what stored hashes can make of the table of kinds. Those that
// find no place share one kind for each algorithm, and run one at a time.
const maxKinds = 64

// rates is everything measured.
type rates struct {
	lanes    int
	relative func(k int) float64
	kinds    map[Kind]*kind
	all      []*kind // in the order of their first arrival
	units    map[uint8]*estimate
}

func newRates(lanes int, relative func(k int) float64) rates {
	return rates{
		lanes: lanes, relative: relative,
		kinds: make(map[Kind]*kind), units: make(map[uint8]*estimate),
	}
}

func (r *rates) algorithm(a uint8) *estimate {
	u := r.units[a]
	if u == nil {
		u = new(estimate)
		r.units[a] = u
	}
	return u
}

func (r *rates) seed(algorithm uint8, unit float64) { r.algorithm(algorithm).value = unit }

// kind returns what is known of a task's kind.
func (r *rates) kind(t *Task) *kind {
	k := r.kinds[t.Kind]
	if k == nil {
		k = r.add(t)
	}
	k.last = t.Units
	return k
}

func (r *rates) add(t *Task) *kind {
	key := t.Kind
	if len(r.all) >= maxKinds {
		key.Cost = [3]uint32{}
		if k := r.kinds[key]; k != nil {
			k.threads, k.memory = max(k.threads, t.Threads), max(k.memory, t.Memory)
			return k
		}
	}
	k := &kind{
		Kind: key, threads: t.Threads, memory: t.Memory, batch: t.Batch && key == t.Kind,
		ratio: make([]float64, r.lanes+1), algorithm: r.algorithm(t.Kind.Algorithm), index: len(r.all),
	}
	for n := 1; n <= r.lanes; n++ {
		k.ratio[n] = r.relative(n) / r.relative(1)
	}
	r.kinds[key] = k
	r.all = append(r.all, k)
	return k
}
