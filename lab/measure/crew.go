// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// The goroutines of a turn, and what each of them does.

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// A crew is the workers of a turn.
type crew struct {
	workers []*worker

	mu    sync.Mutex
	draws *Histogram // nil unless the plan has Draws
}

func newCrew(p Plan) *crew {
	c := &crew{workers: make([]*worker, p.Workers)}
	if p.Draws > 0 {
		c.draws = NewHistogram(2)
	}
	for k := range c.workers {
		c.workers[k] = newWorker(p, c, k)
	}
	return c
}

// heat lets all draw from one moment on, part values in all or for a turn's time, and returns how long that took from the
// first draw to the end of the last.
func (c *crew) heat(part int, turn time.Duration, timed bool) (elapsed time.Duration, values int) {
	n := len(c.workers)
	h := heat{Gate: Gate{Workers: n, Looks: 1}, start: time.Now(), turn: turn, timed: timed}
	h.ended.Add(n)
	for k, w := range c.workers {
		w.share = (part + k) / n // they add up to part
		w.heats <- &h
	}
	h.ended.Wait()
	from, to := c.workers[0].from, c.workers[0].to
	for _, w := range c.workers {
		from, to, values = min(from, w.from), max(to, w.to), values+w.values
	}
	return to - from, values
}

// err is why some have failed.
func (c *crew) err() error {
	var all error
	for _, w := range c.workers {
		all = errors.Join(all, w.err)
	}
	return all
}

// A heat is a time in which all workers draw.
type heat struct {
	Gate
	start time.Time
	turn  time.Duration
	timed bool // each draw
	ended sync.WaitGroup
}

// A Gate opens when all have arrived.
type Gate struct {
	Workers int
	Looks   int // that each takes before it yields its core: 1 where there may be fewer cores than workers

	arrived atomic.Int64
}

// Arrive returns when all have arrived. It does not sleep: to be woken takes an idle core some 50 µs, as long as a burst.
func (g *Gate) Arrive() {
	g.arrived.Add(1)
	for i := 1; g.arrived.Load() < int64(g.Workers); i++ {
		if i%g.Looks == 0 {
			runtime.Gosched()
		}
	}
}

// Batch warms a draw up for that long and finds how many values to draw between two looks at the clock: as many as take between
// 1/512 and 1/256 of a turn, and a million at most. A look costs 40 ns, or 1 µs without a vDSO clock; in a turn of 40 ms it
// comes each 80 to 160 µs, and a slow method overruns its turn by no more than one of its draws.
func Batch(draw func(n int), turn, warmup time.Duration) (n int) {
	n = 1
	for start, last := time.Now(), time.Duration(0); ; {
		draw(n)
		now := time.Since(start)
		if now-last < turn/512 && n < 1<<20 {
			n *= 2
		}
		if last = now; now >= warmup {
			return n
		}
	}
}

// A worker is one goroutine's share of a turn.
type worker struct {
	plan  Plan
	crew  *crew
	k     int
	heats chan *heat // closed when the turn is over
	share int        // of the next heat's values, if those are counted
	over  func()     // to be called when what it does now is over
	err   error      // it panicked

	draw func(n int)
	call func()      // nil for none
	step func(n int) // draws so many
	n    int         // draws between two looks at the clock

	values   int           // drawn in the last heat
	from, to time.Duration // when its first draw began and its last ended, since the heat's start

	took []time.Duration // of draws that are not in the crew's histogram yet
}

// kept is how many times a worker keeps before it takes the crew's lock. A histogram for each would be 37 KiB, and there may be
// 100,000 workers.
const kept = 256

func newWorker(p Plan, c *crew, k int) *worker {
	w := &worker{plan: p, crew: c, k: k, heats: make(chan *heat, 1)}
	if c.draws != nil {
		w.took = make([]time.Duration, 0, kept)
	}
	w.step = func(n int) { w.draw(n) }
	if p.Call != nil {
		w.step = w.calling
	}
	return w
}

// run makes the worker's state, warms up, calls ready, and draws in every heat. It calls ready exactly once, and ends
// the heat, also if the method panics.
func (w *worker) run(src Source, ready func()) {
	w.over = ready
	defer func() {
		if r := recover(); r != nil {
			w.err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			w.over()
		}
	}()
	source := src.Worker(w.k)
	defer source.Close()
	w.draw = source.Draw
	if w.plan.Call != nil {
		call, hangUp := w.plan.Call()
		defer hangUp()
		w.call = call
	}
	w.n = Batch(w.step, w.plan.Turn, w.plan.Warmup)
	w.isOver()
	for h := range w.heats {
		w.over = h.ended.Done
		w.heat(h)
		w.keep()
		w.isOver()
	}
}

func (w *worker) isOver() {
	over := w.over
	w.over = func() {}
	over()
}

// heat draws the worker's share, or else until the turn is over, and at least once.
func (w *worker) heat(h *heat) {
	h.Arrive()
	w.values = 0
	w.from = time.Since(h.start)
	w.to = w.from
	switch {
	case w.plan.Burst > 0:
		for w.values < w.share {
			w.some(h, min(w.n, w.share-w.values))
		}
	default:
		n := w.n
		if h.timed {
			n = min(n, kept) // which was found without the looks at the clock
		}
		for w.values == 0 || w.to < h.turn {
			w.some(h, n)
		}
	}
}

// some draws n values and looks at the clock.
func (w *worker) some(h *heat, n int) {
	if h.timed {
		w.timed(n)
	} else {
		w.step(n)
	}
	w.values += n
	w.to = time.Since(h.start)
}

// calling draws n values, each followed by a call.
func (w *worker) calling(n int) {
	for range n {
		w.draw(1)
		w.call()
	}
}

// timed draws n values, times each, and makes a call, if there is one, after it.
func (w *worker) timed(n int) {
	epoch := time.Now()
	for range n {
		before := time.Since(epoch)
		w.draw(1)
		w.add(time.Since(epoch) - before)
		if w.call != nil {
			w.call()
		}
	}
}

// add counts the time of a draw.
func (w *worker) add(took time.Duration) {
	if w.took = append(w.took, took); len(w.took) == kept {
		w.keep()
	}
}

// keep puts the times into the crew's histogram.
func (w *worker) keep() {
	if len(w.took) > 0 {
		w.crew.mu.Lock()
		for _, took := range w.took {
			w.crew.draws.Add(took)
		}
		w.crew.mu.Unlock()
	}
	w.took = w.took[:0]
}
