// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// The simulated machine under all tests of the scheduler. It runs in a bubble of testing/synctest,
// so that half a minute takes milliseconds.
//
// A world is the machine; a sim plays it with the real scheduler. A load asks, and keeps the requests
// and what became of them. Games draw a world and its loads, and judge: a crowd with a flood or with
// upgrades (game_test.go), and a change of the machine, beside an oracle (heal_test.go).

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/game"
)

const ms = time.Millisecond

// A world is a machine as it is, whatever its queue believes, and the pool's options.
type world struct {
	seed     uint64
	workers  int
	present  course                // the part of workers that are there; none: all
	memory   int64                 // bytes; 0: 1 MiB for each worker
	lanes    int                   // how many bcrypts run side by side; 0: 1
	maxWait  time.Duration         // Options.MaxWait
	kinds    []effort              // that callers ask for in games, one as often as another
	unit     map[Algorithm]float64 // nanoseconds of a unit at full speed; none: 1 ms
	believed map[Algorithm]float64 // what the queue believes at the start; none: unit

	// A hash takes its time at full speed, divided by the machine's speed, and multiplied by a
	// random factor, of whose logarithm noise is the standard deviation. Noise is independent for
	// each batch; speed is common to all workers: a neighbor, a drift, a quota. While it is 0 the
	// process stands still: nothing is computed, nobody comes, and no worker sees that its callers
	// have left. Timers go off, which is kinder than a machine is.
	speed course // none: 1
	noise float64
}

// A course is a number that changes in steps. From a time on it may repeat itself.
type course struct {
	steps        []step // the first from 0
	from, period time.Duration
}

type step struct {
	from  time.Duration
	value float64
}

// at returns the value at a time, and when it began and ends.
func (c course) at(t time.Duration) (value float64, began, ends time.Duration) {
	value = 1
	ends = math.MaxInt64
	shift := time.Duration(0)
	if c.period > 0 && t >= c.from {
		shift = (t - c.from) / c.period * c.period
		began = c.from + shift
		ends = began + c.period
	}

	for _, s := range c.steps {
		from := s.from + shift
		if from > t {
			return value, began, min(ends, from)
		}
		value = s.value
		began = max(began, from)
	}
	return value, began, ends
}

// until returns when work that takes so long at full speed is done, if it is begun at a time.
func (w *world) until(at, work time.Duration) time.Duration {
	for {
		speed, _, ends := w.speed.at(at)
		if float64(work) <= speed*float64(ends-at) {
			return at + time.Duration(float64(work)/speed)
		}
		work -= time.Duration(speed * float64(ends-at))
		at = ends
	}
}

// done returns the work that one worker does between two times, as its time at full speed.
func (w *world) done(from, to time.Duration) (work float64) {
	for from < to {
		speed, _, ends := w.speed.at(from)
		ends = min(ends, to)
		work += speed * float64(ends-from)
		from = ends
	}
	return work
}

// runs returns when what is due at a time happens: then or, if the process stands still, within a
// thousandth of that time after it, so that the order is the same.
func (w *world) runs(at time.Duration) time.Duration {
	speed, began, ends := w.speed.at(at)
	if speed > 0 {
		return at
	}
	return w.runs(ends + (at-began)/1000)
}

// uneven makes a machine that is not the same all the time, beside its noise.
func (w *world) uneven(how string) {
	rng := rand.New(rand.NewPCG(w.seed, 78))
	phase := time.Duration(float64(100*ms) * math.Exp(rng.Float64()*math.Log(100)))

	switch how {
	case "drift": // by a fifth, within some ten seconds
		speed := 0.0 // its logarithm
		for i := range 64 {
			w.speed.steps = append(w.speed.steps, step{time.Duration(i) * time.Second, math.Exp(speed)})
			speed = 0.9*speed + 0.09*rng.NormFloat64()
		}
		w.speed.period = 64 * time.Second
	case "neighbor": // comes and goes, and slows everything
		slowed := 1 / (1.5 + 1.5*rng.Float64())
		w.speed = course{steps: []step{{0, 1}, {phase, slowed}}, period: 2 * phase}
	case "workers": // half of them come and go
		stay := float64((w.workers + 1) / 2)
		w.present = course{steps: []step{{0, 1}, {10 * phase, stay / float64(w.workers)}}, period: 20 * phase}
	case "memory": // for half of the workers
		w.memory = int64(max(w.workers/2, 1)) << 20
	}
}

// least returns how many workers at full speed do as much as the machine at its slowest, for hashes
// of 1 MiB.
func (w *world) least() float64 {
	least := float64(w.workers)
	if w.memory > 0 {
		least = min(least, float64(w.memory>>20))
	}

	for _, c := range []course{w.present, w.speed} {
		slowest := 1.0
		for _, s := range c.steps {
			slowest = min(slowest, s.value)
		}
		least *= slowest
	}
	return least
}

// relative is the time of bcrypts side by side, relative to one, as it was once measured.
func relative(n int) float64 { return []float64{0, 1, 1.03, 1.11, 1.24, 1.44, 1.84}[n] }

func (w *world) unitOf(a Algorithm) float64 {
	if unit, ok := w.unit[a]; ok {
		return unit
	}
	return float64(ms)
}

// time returns how long n hashes in one batch take at full speed.
func (w *world) time(e effort, n int) time.Duration {
	one := e.units * w.unitOf(e.kind.algorithm)
	if e.batches {
		return time.Duration(one * relative(n))
	}
	return time.Duration(one * float64(n))
}

// width returns the number of hashes in a full batch.
func (w *world) width(e effort) int {
	if e.batches {
		return max(w.lanes, 1)
	}
	return 1
}

// full returns how long a full batch takes at full speed.
func (w *world) full(e effort) time.Duration { return w.time(e, w.width(e)) }

// each returns a worker's time for a hash of a full batch.
func (w *world) each(e effort) float64 { return float64(w.full(e)) / float64(w.width(e)) }

// mean returns a worker's time for a hash of full batches of all kinds.
func (w *world) mean() (mean float64) {
	for _, k := range w.kinds {
		mean += w.each(k) / float64(len(w.kinds))
	}
	return mean
}

// longest returns how long the longest full batch takes at full speed.
func (w *world) longest() (longest time.Duration) {
	for _, k := range w.kinds {
		longest = max(longest, w.full(k))
	}
	return longest
}

// A sim is a scheduler on a simulated machine.
type sim struct {
	world
	scheduler *scheduler
	start     time.Time

	early     *task        // has its answer after the first stage
	asked     atomic.Int32 // requests
	computed  atomic.Int32 // stages
	discarded atomic.Int32 // tasks
}

// simulate returns a sim. It must be called in a bubble.
func simulate(w world) *sim {
	m := &sim{world: w, start: time.Now()}
	memory := w.memory
	if memory == 0 {
		memory = int64(w.workers) << 20
	}

	m.scheduler = &scheduler{
		unknown: w.kinds[:min(len(w.kinds), 1)],
		run:     m.compute,
		discard: func(*task) { m.discarded.Add(1) },

		admission: admission{maxWaiting: 8192},
		queue: queue{
			machine: machine{workers: m.workersNow, memory: memory},
			times:   times{maxWait: w.maxWait, lanes: max(w.lanes, 1), relative: relative},
		},
	}

	units := make(map[Algorithm]float64)
	for a := range Algorithm(32) {
		units[a] = w.unitOf(a)
		if believed, ok := w.believed[a]; ok {
			units[a] = believed
		}
	}
	m.scheduler.open(units)
	return m
}

// bubble runs f with a simulated machine, and then all that it left behind.
func bubble(t *testing.T, w world, f func(t *testing.T, m *sim)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f(t, simulate(w))
		time.Sleep(time.Minute)
	})
}

func (m *sim) now() time.Duration { return time.Since(m.start) }

func (m *sim) sleepUntil(at time.Duration) { time.Sleep(m.runs(at) - m.now()) }

func (m *sim) workersNow() int {
	present, _, _ := m.present.at(m.now())
	return int(math.Round(present * float64(m.workers)))
}

// compute is a worker. It looks each millisecond whether a caller still waits, if the process runs,
// and gives up when none does.
func (m *sim) compute(stage int, tasks []*task, answers []Outcome) {
	m.computed.Add(1)
	first := tasks[0]
	rng := rand.New(rand.NewPCG(m.seed, uint64(first.arrived.Sub(m.start))))
	work := float64(m.time(first.stages[stage], len(tasks))) * math.Exp(m.noise*rng.NormFloat64())
	grain := time.Duration(1 + rng.IntN(997)) // no two workers are ready at one moment

	now := m.now()
	end := time.NewTimer(m.until(now, time.Duration(work)) + grain - now)
	defer end.Stop()

	for _, t := range tasks {
		select {
		case <-t.done:
			continue
		case <-end.C:
		}

		for i, t := range tasks {
			if t == m.early || stage == len(t.stages)-1 {
				answers[i] = OutcomeMismatch
			}
		}
		return
	}
	m.sleepUntil(m.now() + ms + grain)
}

// A request is a task with its caller's context.
type request struct {
	*task
	within  time.Duration // from the call to its deadline; 0: none
	leaves  time.Duration // from the call until the caller leaves; 0: it stays
	clock   time.Time     // what the context says of the deadline, after a clock was set
	upgrade *request      // asked for after an answer

	idle bool // nothing ran or waited when it came
}

// misdated is a context whose deadline was made before a clock was set.
type misdated struct {
	context.Context
	deadline time.Time
}

func (c misdated) Deadline() (time.Time, bool) { return c.deadline, true }

// ask has the request's caller ask, and returns when it has left or has its answer.
func (m *sim) ask(r *request) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if r.leaves > 0 {
		defer time.AfterFunc(r.leaves, cancel).Stop()
	}
	if r.within > 0 {
		ctx, cancel = context.WithTimeout(ctx, r.within)
		defer cancel()
	}
	if !r.clock.IsZero() {
		ctx = misdated{ctx, r.clock}
	}

	m.asked.Add(1)
	m.scheduler.mu.Lock()
	r.idle = m.scheduler.queue.isEmpty()
	m.scheduler.mu.Unlock()

	err := m.scheduler.do(ctx, r.task)
	if err == nil && r.upgrade != nil {
		m.ask(r.upgrade)
	}
	return err
}

// asks has somebody ask on a goroutine of its own. It returns the error if there is one at once.
func (m *sim) asks(t *task) error {
	answer := make(chan error, 1)
	go func() { answer <- m.scheduler.do(context.Background(), t) }()
	synctest.Wait()
	select {
	case err := <-answer:
		return err
	default:
		return nil
	}
}

// A load is an open loop: requests come at random, also while others wait.
type load struct {
	rate     float64 // a second
	from, to time.Duration
	next     func(rng *rand.Rand) *request

	requests []*request // those that came, in order
}

// run has loads come, and returns when all are answered.
func (m *sim) run(t *testing.T, loads ...*load) {
	game.Skip(t)
	var all sync.WaitGroup

	all.Go(func() {
		for range 8 {
			time.Sleep(loads[0].to / 8)
			synctest.Wait()
			m.look(t)
		}
	})

	for i, l := range loads {
		rng := rand.New(rand.NewPCG(m.seed, uint64(100+i)))
		all.Go(func() {
			for at := l.from; at < l.to; {
				m.sleepUntil(at)
				at += time.Duration(rng.ExpFloat64() / l.rate * float64(time.Second))
				r := l.next(rng)
				l.requests = append(l.requests, r)
				all.Go(func() { m.ask(r) })
			}
		})
	}
	all.Wait()
}

// look requires that a snapshot adds up.
func (m *sim) look(t *testing.T) {
	stats := m.scheduler.stats()
	n := 0 // in the snapshot
	for _, calls := range []Calls{stats.SignIns, stats.Upgrades} {
		n += calls.Queued + calls.Running
		for _, e := range calls.Ended {
			n += int(e.Count)
		}
	}
	if asked := int(m.asked.Load()); n != asked {
		t.Errorf("at %v: %d of %d calls are in %+v", m.now(), n, asked, stats)
	}
}

// A tally is what became of requests.
type tally struct {
	asked, answered, late int // late: admitted, and not answered
	upgrades, upgraded    int // asked for after an answer; made
}

// tally counts the requests of a load that came from a time on.
func (m *sim) tally(l *load, from time.Duration) (sum tally) {
	for _, r := range l.requests {
		if r.arrived.Sub(m.start) < from {
			continue
		}

		sum.asked++
		switch {
		case r.outcome == OutcomeMismatch:
			sum.answered++
		case r.outcome != OutcomeRefused:
			sum.late++
		}

		if r.upgrade != nil && r.outcome == OutcomeMismatch {
			sum.upgrades++
			if r.upgrade.outcome == OutcomeMismatch {
				sum.upgraded++
			}
		}
	}
	return sum
}
