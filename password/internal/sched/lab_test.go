// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

// A laboratory: the scheduler in a bubble of package testing/synctest, where time
// passes only while everyone waits, with work that is a sleep. Every run of a test
// is the same, and takes as long as its bookkeeping.

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const ms = time.Millisecond

// hash is the kind of most tests, by itself 50 ms; half is one of half the time.
var (
	hash = Kind{Algorithm: 1, Cost: [3]uint32{10}}
	half = Kind{Algorithm: 1, Cost: [3]uint32{9}}
	big  = Kind{Algorithm: 2, Cost: [3]uint32{64}}    // 80 ms, and holds a megabyte
	pair = Kind{Algorithm: 2, Cost: [3]uint32{64, 2}} // 40 ms, and occupies two workers
)

var unitsOf = map[Kind]float64{hash: 50, half: 25, big: 80, pair: 40}

// measured is the relative time of lanes as the prototype had it.
var measured = []float64{0, 1, 1.03, 1.11, 1.24, 1.44, 1.84}

func lanesTime(k int) float64 { return measured[k] }

// oneLane is for schedulers without lanes.
func oneLane(k int) float64 { return float64(k) }

// A lab is a scheduler whose tasks take a millisecond for each unit.
type lab struct {
	*Scheduler
	t      *testing.T
	rng    *rand.Rand
	noise  func() float64      // what the time of a batch is multiplied by; nil: 1
	actual func(k int) float64 // relative times; nil: those the scheduler believes in

	mu      sync.Mutex
	order   []any // payloads, as they were begun
	running int
	peak    int   // most batches at once
	held    int64 // most bytes at once
	holding int64
	wide    []int // widths of batches
}

func newLab(t *testing.T, c Config) *lab {
	t.Helper()
	l := &lab{t: t, rng: rand.New(&locked{src: rand.NewPCG(1, 2)})}
	c.Run = l.run
	if c.Jitter == nil {
		c.Jitter = func(n time.Duration) time.Duration { return n / 2 }
	}
	if c.Workers == 0 {
		c.Workers = 2
	}
	if c.Queue == 0 {
		c.Queue = 10000
	}
	if c.MaxWait == 0 {
		c.MaxWait = time.Second
	}
	if c.Relative == nil {
		c.Relative = oneLane
	}
	l.Scheduler = New(c)
	l.Seed(1, ms, 1)
	l.Seed(2, ms, 1)
	return l
}

// locked is a source for several goroutines.
type locked struct {
	mu  sync.Mutex
	src rand.Source
}

func (l *locked) Uint64() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.src.Uint64()
}

func (l *lab) run(_ int, tasks []*Task) {
	n := len(tasks)
	relative := l.relative
	if l.actual != nil {
		relative = l.actual
	}
	d := time.Duration(tasks[0].Units * float64(ms) * relative(n))
	l.mu.Lock()
	if l.noise != nil {
		d = time.Duration(float64(d) * l.noise())
	}
	for _, t := range tasks {
		l.order = append(l.order, t.Payload)
	}
	l.wide = append(l.wide, n)
	l.running++
	l.holding += tasks[0].Memory
	l.peak, l.held = max(l.peak, l.running), max(l.held, l.holding)
	l.mu.Unlock()
	time.Sleep(d)
	l.mu.Lock()
	l.running--
	l.holding -= tasks[0].Memory
	l.mu.Unlock()
}

// task returns a task of a kind.
func task(k Kind) *Task {
	t := &Task{Class: 1, Kind: k, Units: unitsOf[k], Threads: 1, Batch: true}
	switch k {
	case big:
		t.Batch, t.Memory = false, 1<<20
	case pair:
		t.Batch, t.Threads = false, 2
	}
	return t
}

// within runs the task with so much time from now; 0: no deadline.
func (l *lab) within(t *Task, d time.Duration) error {
	ctx := l.t.Context()
	if d > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	return l.Do(ctx, t)
}

// asks does the same on a goroutine of its own, and returns the refusal that it gets at once,
// or nil.
func (l *lab) asks(t *Task, d time.Duration) *Refusal {
	answer := make(chan error, 1)
	go func() { answer <- l.within(t, d) }()
	synctest.Wait()
	select {
	case err := <-answer:
		r, _ := errors.AsType[*Refusal](err)
		return r
	default:
		return nil
	}
}

// A verdict is what became of a task of an open loop.
type verdict struct {
	task    *Task
	arrived time.Time
	took    time.Duration // until the answer
	within  time.Duration // what it had
	err     error
}

func (v verdict) admitted() bool {
	r, ok := errors.AsType[*Refusal](v.err)
	return !ok || r.Reason == Late || r.Reason == Evicted
}

func (v verdict) good() bool { return v.err == nil && v.took <= v.within }

// arrivals is an open loop: tasks come at a rate, whatever becomes of them.
type arrivals struct {
	rate   float64 // a second, Poisson
	lasts  time.Duration
	within func() time.Duration // by itself a second
	make   func() *Task
}

// open runs an open loop and returns all verdicts.
func (l *lab) open(do func(ctx context.Context, t *Task) error, loops ...arrivals) []verdict {
	var (
		mu  sync.Mutex
		all []verdict
		wg  sync.WaitGroup
	)
	for _, a := range loops {
		rng := rand.New(rand.NewPCG(l.rng.Uint64(), 3))
		wg.Go(func() {
			start := time.Now()
			var at time.Duration
			for {
				at += time.Duration(rng.ExpFloat64() / a.rate * float64(time.Second))
				if at > a.lasts {
					return
				}
				time.Sleep(time.Until(start.Add(at)))
				t, within := a.make(), time.Second
				if a.within != nil {
					within = a.within()
				}
				wg.Go(func() {
					began := time.Now()
					ctx, cancel := context.WithTimeout(l.t.Context(), within)
					defer cancel()
					err := do(ctx, t)
					mu.Lock()
					all = append(all, verdict{t, began, time.Since(began), within, err})
					mu.Unlock()
				})
			}
		})
	}
	wg.Wait()
	return all
}

func count(all []verdict, which func(verdict) bool) (n int) {
	for _, v := range all {
		if which(v) {
			n++
		}
	}
	return n
}

// bubble runs f in a bubble, and then all that it left behind.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f(t)
		time.Sleep(time.Minute)
	})
}

// simulated returns how many seconds or how many runs a simulation has: n, or
// fewer where they cost more.
func simulated(n int) int {
	if raceEnabled {
		return n / 6
	}
	return n
}

// lognormal is noise with a median of 1.
func (l *lab) lognormal(sigma float64) func() float64 {
	return func() float64 { return math.Exp(sigma * l.rng.NormFloat64()) }
}

// chained does a task and then others, each after the one before it, as one call
// of a caller.
func (l *lab) chained(ctx context.Context, first *Task, kinds ...Kind) error {
	chain := []*Task{first}
	for _, k := range kinds {
		next := task(k)
		next.Principal, next.Class = first.Principal, first.Class
		chain = append(chain, next)
	}
	for i, t := range chain {
		t.Continues, t.Rest = i > 0, chain[i+1:]
		if err := l.Do(ctx, t); err != nil {
			return err
		}
	}
	return nil
}
