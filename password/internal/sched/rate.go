// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"math"
	"time"
)

// An average is an exponentially weighted moving average. Its first value
// counts as if it had always been so.
type average struct {
	value float64
	set   bool
}

// weight is the part of a new value: after 8 of them a change has sunk in by two
// thirds, and one outlier moves the average by an eighth of itself.
const weight = 1.0 / 8

func (a *average) add(v float64) {
	if !a.set {
		a.value, a.set = v, true
		return
	}
	a.value += (v - a.value) * weight
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

	alone    average
	wide     []average // by width
	spread   average   // distance of a time from its estimate, as a part of it
	relative func(k int) float64

	wait, service histogram
}

// time returns how long width tasks of so many units each take side by side.
func (k *kind) time(units float64, width int) time.Duration {
	unit := k.wide[width].value
	if !k.wide[width].set {
		unit = k.alone.value * k.relative(width)
	}
	return time.Duration(unit * units)
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
		return len(k.wide) - 1
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
		return units * k.alone.value
	}
	lanes := k.lanes()
	return k.batches((n+lanes-1)/lanes, units/float64(max(n, 1)))
}

// full is cost without the batch that is not full.
func (k *kind) full(n int, units float64) float64 {
	if k.lanes() == 1 {
		return units * k.alone.value
	}
	return k.batches(n/k.lanes(), units/float64(max(n, 1)))
}

func (k *kind) batches(n int, units float64) float64 {
	return float64(n) * float64(k.time(units, k.lanes()))
}

// drain returns the time of a worker that a unit takes while there is a queue.
func (k *kind) drain() float64 {
	lanes := k.lanes()
	return float64(k.time(1e6, lanes)) / 1e6 / float64(lanes)
}

// maxKinds bounds what stored hashes can make of the table of kinds. Those that
// find no place share one kind for each algorithm, and run one at a time.
const maxKinds = 64

// rates is everything measured.
type rates struct {
	lanes    int
	relative func(k int) float64
	kinds    map[Kind]*kind
	all      []*kind // in the order of their first arrival
	units    map[uint8]*average
}

func newRates(lanes int, relative func(k int) float64) rates {
	return rates{
		lanes: lanes, relative: relative,
		kinds: make(map[Kind]*kind), units: make(map[uint8]*average),
	}
}

func (r *rates) algorithm(a uint8) *average {
	u := r.units[a]
	if u == nil {
		u = new(average)
		r.units[a] = u
	}
	return u
}

func (r *rates) seed(algorithm uint8, unit float64) { r.algorithm(algorithm).add(unit) }

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
		wide: make([]average, r.lanes+1), relative: r.relative,
		alone: *r.algorithm(t.Kind.Algorithm), index: len(r.all),
	}
	r.kinds[key] = k
	r.all = append(r.all, k)
	return k
}

// learn takes in how long a batch took.
func (r *rates) learn(b *batch, took time.Duration) {
	k, n := b.kind, len(b.tasks)
	units := b.tasks[0].Units
	unit := float64(took) / units
	one := unit / r.relative(n)
	if estimate := k.time(units, n); estimate > 0 {
		k.spread.add(math.Abs(float64(took)/float64(estimate) - 1))
	}
	k.alone.add(one)
	r.algorithm(k.Algorithm).add(one)
	k.wide[n].add(unit)
}
