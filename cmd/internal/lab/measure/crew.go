// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// The goroutines of a turn, and what each of them does.

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A crew is the workers of a turn.
type crew []*worker

func newCrew(p Plan) crew {
	c := make(crew, p.Workers)
	for k := range c {
		c[k] = &worker{plan: p, k: k, heats: make(chan *heat, 1)}
	}
	return c
}

// draw has all draw from one moment on, for a turn's time. What they used while they waited for
// that moment does not count.
func (c crew) draw(p Plan) (turn Turn) {
	h := heat{Gate: Gate{Workers: len(c)}, start: time.Now(), turn: p.Turn}
	h.ended.Add(len(c))

	var uncounted time.Duration
	if p.CPU != nil {
		uncounted = p.CPU()
	}

	for _, w := range c {
		w.heats <- &h
	}
	h.ended.Wait()

	opened := time.Duration(h.opened.Load())
	for _, w := range c {
		turn.Elapsed = max(turn.Elapsed, w.to-opened)
		turn.Values += w.values
		uncounted += w.waited
	}

	if p.CPU != nil {
		turn.CPU = p.CPU() - uncounted
	}
	return turn
}

// err returns the errors of the workers.
func (c crew) err() error {
	var all error
	for _, w := range c {
		all = errors.Join(all, w.err)
	}
	return all
}

// A heat is a time in which all workers draw.
type heat struct {
	Gate
	start  time.Time
	opened atomic.Int64 // since then, in ns
	turn   time.Duration
	ended  sync.WaitGroup
}

// A Gate opens when all have arrived.
type Gate struct {
	Workers int

	arrived atomic.Int64
}

// Arrive returns when all have arrived. It spins: to be woken takes some 50 µs. If each can have a
// core it yields rarely: a bound thread comes late from a yield. If clock, the CPU time of a thread,
// is not nil, it returns what it took of that.
func (g *Gate) Arrive(clock func() time.Duration) (spun time.Duration) {
	looks := 1 << 14
	if g.Workers > runtime.GOMAXPROCS(0) {
		looks = 1
	}

	if clock == nil {
		clock = func() time.Duration { return 0 }
	}

	g.arrived.Add(1)
	open := false
	for !open {
		runtime.LockOSThread() // whose clock is read
		from := clock()
		for i := 0; i < looks && !open; i++ {
			open = g.arrived.Load() >= int64(g.Workers)
		}
		spun += clock() - from
		runtime.UnlockOSThread()

		if !open {
			runtime.Gosched()
		}
	}
	return spun
}

// drawsBetweenLooks warms a draw up and finds how many values to draw between two looks at the
// clock: as many as take 1/512 to 1/256 of a turn, a million at most. A look costs 40 ns, or 1 µs
// without a vDSO; a slow method overruns its turn by one of its draws at most. One slow step may be
// another program's; three in a row are the method's.
func drawsBetweenLooks(draw func(n int), turn, warmup time.Duration) (n int) {
	n = 1

	start := time.Now()
	last := time.Duration(0)
	slow := 0
	for slow < 3 || last < warmup {
		draw(n)
		now := time.Since(start)
		slow++

		if now-last < turn/512 && n < 1<<20 {
			n *= 2
			slow = 0
		}
		last = now
	}
	return n
}

// A worker is one goroutine's share of a turn.
type worker struct {
	plan  Plan
	k     int
	heats chan *heat // closed when the turn is over
	err   error      // it panicked

	draw func(n int)
	call func()      // nil for none
	step func(n int) // draws so many, each followed by a call if there is one
	n    int         // draws between two looks at the clock
	ends []func()    // of what it has opened

	values int           // drawn in the last heat
	to     time.Duration // when its last draw ended, since the heat's start
	waited time.Duration // CPU time until the gate opened
}

// run makes the worker's state, warms up, calls ready, and draws in every heat. It calls ready
// exactly once, and ends the heat, also if the method panics.
func (w *worker) run(src Source, ready func()) {
	w.err = try(func() { w.prepare(src) })
	ready()

	for h := range w.heats {
		w.err = errors.Join(w.err, try(func() { w.drawIn(h) }))
		h.ended.Done()
	}

	for _, end := range slices.Backward(w.ends) {
		w.err = errors.Join(w.err, try(end))
	}
}

// try calls f. A panic becomes the error, with the stack from its second line.
func try(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			cause, ok := r.(error)
			if !ok {
				cause = fmt.Errorf("panic: %v", r)
			}
			err = fmt.Errorf("%w\n%s", cause, debug.Stack())
		}
	}()
	f()
	return nil
}

// prepare makes the worker's state and warms up.
func (w *worker) prepare(src Source) {
	source := src.Worker(w.k)
	w.draw = source.Draw
	w.ends = append(w.ends, source.Close)
	w.step = w.draw

	if w.plan.Call != nil {
		call, hangUp := w.plan.Call()
		w.call = call
		w.ends = append(w.ends, hangUp)
		w.step = w.calling
	}

	w.n = drawsBetweenLooks(w.step, w.plan.Turn, w.plan.Warmup)
}

// drawIn draws until the turn of a heat is over, and at least once.
func (w *worker) drawIn(h *heat) {
	w.waited = h.Arrive(w.plan.Thread)
	h.opened.CompareAndSwap(0, int64(time.Since(h.start)))
	end := time.Duration(h.opened.Load()) + h.turn

	w.values = 0
	w.to = 0
	for w.values == 0 || w.to < end {
		w.step(w.n)
		w.values += w.n
		w.to = time.Since(h.start)
	}
}

// calling draws n values, each followed by a call.
func (w *worker) calling(n int) {
	for range n {
		w.draw(1)
		w.call()
	}
}
