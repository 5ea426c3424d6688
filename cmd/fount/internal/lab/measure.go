// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// The harness: which method is measured when, and what counts as its time.

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// A Plan says how to measure. Every method gets one turn for each number of workers in each round, so that a change of
// the machine's speed from one second to the next meets all methods.
type Plan struct {
	Rounds  int           // turns of each method with each number of workers
	Turn    time.Duration // how long a turn draws
	Warmup  time.Duration // how long it draws before that, uncounted
	Workers []int         // numbers of goroutines that draw at once

	// CPU, if not nil, gives the CPU time this process has used, and costs are counted in it: what other programs take
	// of the cores is left out. That is right for methods that never wait. If nil, elapsed time counts.
	CPU func() time.Duration
}

// Time is how long Run takes with n methods that all work, apart from opening and closing them.
func (p Plan) Time(n int) time.Duration {
	return time.Duration(n*p.Rounds*len(p.Workers)) * (p.Turn + p.Warmup)
}

// A Result is what the turns of one method gave.
type Result struct {
	Method Method
	Err    error    // why it could not be measured; then Costs is nil
	Costs  []Sample // for each number of the plan's Workers
}

// Run measures the methods. It calls progress, if that is not nil, before each turn with the number of turns done and
// the number of all. A method that can't be opened or that panics gets no further turns; Run returns a Result for each
// method in the order given.
func (p Plan) Run(methods []Method, progress func(done, all int)) []Result {
	results := make([]Result, len(methods))
	for i, m := range methods {
		results[i] = Result{Method: m, Costs: make([]Sample, len(p.Workers))}
	}
	all, done := p.Rounds*len(p.Workers)*len(methods), 0
	for round := range p.Rounds {
		for w, workers := range p.Workers {
			for i := range methods {
				r := &results[(i+round)%len(methods)] // none is always the first after a pause
				if progress != nil {
					progress(done, all)
				}
				done++
				if r.Err != nil {
					continue
				}
				ns, err := p.turn(r.Method, workers)
				if err != nil {
					r.Err, r.Costs = err, nil
					continue
				}
				r.Costs[w] = append(r.Costs[w], ns)
			}
		}
	}
	return results
}

// turn opens the method, lets workers goroutines draw for the plan's time, and returns the ns it took, of each of them on
// average if they are CPU time, divided by the nonces of all.
func (p Plan) turn(m Method, workers int) (ns float64, err error) {
	src, err := m.Open()
	if err != nil {
		return 0, err
	}
	defer src.Close()
	g := gate{open: make(chan struct{})}
	crew := make([]worker, workers)
	var ready, ended sync.WaitGroup
	ready.Add(workers)
	for i := range crew {
		ended.Go(func() { crew[i].run(src, p, &g, ready.Done) })
	}
	ready.Wait()
	before := p.used()
	g.start = time.Now()
	close(g.open)
	ended.Wait()
	used := p.used() - before
	var nonces int
	var last time.Duration
	for _, w := range crew {
		err = errors.Join(err, w.err)
		nonces += w.nonces
		last = max(last, w.elapsed)
	}
	if err != nil {
		return 0, err
	}
	if p.CPU != nil {
		return float64(used) / float64(workers) / float64(nonces), nil
	}
	// All look at the same deadline, so the others wait for the last only as long as between two looks at the clock.
	return float64(last) / float64(nonces), nil
}

func (p Plan) used() time.Duration {
	if p.CPU == nil {
		return 0
	}
	return p.CPU()
}

// A gate is closed until all workers are warm.
type gate struct {
	open  chan struct{}
	start time.Time // set before open is closed
}

// A worker is one goroutine's share of a turn.
type worker struct {
	nonces  int           // drawn from the gate's start on
	elapsed time.Duration // from the gate's start to the end of the last draw
	err     error         // it panicked

	draw func([]Nonce)
	dst  [64]Nonce // 1 KiB: near, and long enough to hide the call of draw
}

// run makes the worker's state, warms up, calls ready, waits for the gate, and draws until the turn is over. It calls
// ready exactly once, also if the method panics.
func (w *worker) run(src Source, p Plan, g *gate, ready func()) {
	ready = sync.OnceFunc(ready)
	defer ready()
	defer func() {
		if r := recover(); r != nil {
			w.err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	draw, done := src.Worker()
	defer done()
	w.draw = draw
	n := w.warmup(p)
	ready()
	<-g.open
	for w.elapsed < p.Turn {
		w.take(n)
		w.nonces += n
		w.elapsed = time.Since(g.start)
	}
}

// warmup draws for the plan's time and returns how many nonces to draw between two looks at the clock: as many as take
// between 1/512 and 1/256 of a turn. A look costs 40 ns, or 1 µs without a vDSO clock; in a turn of 40 ms it comes each
// 80 to 160 µs, and a slow method overruns its turn by no more than one of its draws.
func (w *worker) warmup(p Plan) (n int) {
	n = 1
	for start, last := time.Now(), time.Duration(0); ; {
		w.take(n)
		now := time.Since(start)
		if now-last < p.Turn/512 {
			n *= 2
		}
		if last = now; now >= p.Warmup {
			return n
		}
	}
}

// take draws n nonces.
func (w *worker) take(n int) {
	for ; n > len(w.dst); n -= len(w.dst) {
		w.draw(w.dst[:])
	}
	w.draw(w.dst[:n])
}
