// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// The harness: which method is measured when, and what counts as its time.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// A Plan says how to measure. Every method gets one turn for each number of workers in each round, so that a change of
// the machine's speed from one second to the next meets all methods. The order is drawn anew for each: in a fixed one
// each method follows the same other, and what that leaves behind, or comes back every so many turns, is its neighbour's.
type Plan struct {
	Rounds  int           // turns of each method with each number of workers
	Turn    time.Duration // how long a turn draws
	Warmup  time.Duration // how long it draws before that, uncounted
	Workers []int         // numbers of goroutines that draw at once
	Procs   []int         // GOMAXPROCS for each of Workers; nil leaves it alone

	// Nonces, if not 0, is what a turn draws, in equal shares for the workers, however long that takes. Turn then says
	// how often they look at the clock in the warm-up.
	Nonces int

	// CPU, if not nil, gives the CPU time this process has used, and costs are counted in it: what other programs take
	// of the cores is left out. That is right for methods that never wait. If it is nil, or Elapsed is set, elapsed
	// time counts.
	CPU     func() time.Duration
	Elapsed bool

	// Call, if not nil, makes for each worker what it does after each draw, and what ends that; its time counts. The
	// goroutine that will call calls it.
	Call func() (call, close func())

	// Timed has each draw timed, without the call: a Run's Draws. The two looks at the clock count in its cost.
	Timed bool

	// Burst, if not 0, has a turn draw in bursts of that many nonces, in equal shares, each after a pause of Idle, until
	// Turn is over or Nonces are drawn. The pauses don't count in its cost.
	Burst int
	Idle  time.Duration

	// Again, if not nil, is asked once all rounds are done. If it says so, as many follow.
	Again func([]Result) bool
}

// Time is how long Run takes with n methods that all work, apart from opening and closing them, and unless it goes on.
func (p Plan) Time(n int) time.Duration {
	return time.Duration(n*p.Rounds*len(p.Workers)) * (p.Turn + p.Warmup)
}

// Turns is how many turns Run makes with n methods, unless it goes on.
func (p Plan) Turns(n int) int { return n * p.Rounds * len(p.Workers) }

// A Result is what the turns of one method gave.
type Result struct {
	Method Method
	Err    error    // why it could not be measured; then Costs and Runs are nil
	Costs  []Sample // for each number of the plan's Workers
	Runs   [][]Run  // the same turns
}

// A Run is what one turn of a method gave.
type Run struct {
	Nonces  int           // of all workers
	Elapsed time.Duration // while they drew
	CPU     time.Duration // that this process used meanwhile, 0 if the plan has no CPU
	Draws   *Histogram    // of all draws, if the plan is Timed, else nil
	First   *Histogram    // of each worker's first draw in a burst, if it has bursts and is Timed
}

// NS is the elapsed ns per nonce.
func (r Run) NS() float64 { return float64(r.Elapsed) / float64(r.Nonces) }

// CoreNS is the CPU time per nonce in ns, of all goroutines on all cores.
func (r Run) CoreNS() float64 { return float64(r.CPU) / float64(r.Nonces) }

// Run measures the methods. It calls progress, if that is not nil, before each turn with the number of turns done and
// the number of all. A method that can't be opened or that panics gets no further turns; Run returns a Result for each
// method in the order given.
func (p Plan) Run(methods []Method, progress func(done, all int)) []Result {
	results := make([]Result, len(methods))
	for i, m := range methods {
		results[i] = Result{Method: m, Costs: make([]Sample, len(p.Workers)), Runs: make([][]Run, len(p.Workers))}
	}
	all, done := p.Turns(len(methods)), 0
	each := func() {
		if progress != nil {
			progress(done, all)
		}
		done++
	}
	p.rounds(results, each)
	if p.Again != nil && p.Again(results) {
		all *= 2
		p.rounds(results, each)
	}
	return results
}

// rounds makes all rounds, and calls each before each turn.
func (p Plan) rounds(results []Result, each func()) {
	for range p.Rounds {
		for w := range p.Workers {
			for _, i := range rand.Perm(len(results)) {
				each()
				p.add(&results[i], w)
			}
		}
	}
}

// add makes a turn with the i-th number of workers, unless the method has failed.
func (p Plan) add(r *Result, i int) {
	if r.Err != nil {
		return
	}
	run, err := p.turn(r.Method, i)
	if err != nil {
		r.Err, r.Costs, r.Runs = err, nil, nil
		return
	}
	r.Runs[i] = append(r.Runs[i], run)
	r.Costs[i] = append(r.Costs[i], p.cost(run, p.Workers[i]))
}

// cost is what counts of a run: the ns a nonce took, of each worker on average if they are CPU time.
func (p Plan) cost(r Run, workers int) float64 {
	if p.CPU != nil && !p.Elapsed {
		return r.CoreNS() / float64(workers)
	}
	return r.NS()
}

// turn opens the method and lets the i-th number of workers draw for the plan's time.
func (p Plan) turn(m Method, i int) (Run, error) {
	if p.Procs != nil && p.Procs[i] != runtime.GOMAXPROCS(0) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p.Procs[i]))
	}
	src, err := m.Open()
	if err != nil {
		return Run{}, err
	}
	defer src.Close()
	crew := make(crew, p.Workers[i])
	var ready, ended sync.WaitGroup
	ready.Add(len(crew))
	for k := range crew {
		w := newWorker(p)
		crew[k] = w
		ended.Go(func() { w.run(src, ready.Done) })
	}
	ready.Wait()
	run := p.heats(crew)
	for _, w := range crew {
		close(w.heats)
	}
	ended.Wait()
	return run, crew.err()
}

// heats has the crew draw: once, or in bursts.
func (p Plan) heats(crew crew) (run Run) {
	start, before := time.Now(), p.used()
	for crew.err() == nil {
		time.Sleep(p.Idle)
		part := p.part(run.Nonces)
		elapsed, nonces := crew.heat(part)
		run.Elapsed += elapsed
		run.Nonces += nonces
		if p.Burst == 0 || p.Nonces > 0 && run.Nonces >= p.Nonces || p.Nonces == 0 && time.Since(start) >= p.Turn {
			break
		}
	}
	run.CPU = p.used() - before
	if p.Timed {
		run.Draws, run.First = crew.times()
	}
	if p.Burst == 0 {
		run.First = nil
	}
	return run
}

// part is how many nonces the next heat draws when so many are drawn, 0 if as many as time allows.
func (p Plan) part(drawn int) int {
	switch left := p.Nonces - drawn; {
	case p.Burst > 0 && p.Nonces > 0:
		return min(p.Burst, left)
	case p.Burst > 0:
		return p.Burst
	default:
		return p.Nonces
	}
}

// counts reports whether a heat ends by number and not by time.
func (p Plan) counts() bool { return p.Burst > 0 || p.Nonces > 0 }

func (p Plan) used() time.Duration {
	if p.CPU == nil {
		return 0
	}
	return p.CPU()
}

// A crew is the workers of a turn.
type crew []*worker

// heat lets all draw from one moment on, part nonces in all or for a turn's time, and returns how long that took from
// the first draw to the end of the last.
func (c crew) heat(part int) (elapsed time.Duration, nonces int) {
	h := heat{workers: int32(len(c)), start: time.Now()}
	h.ended.Add(len(c))
	for k, w := range c {
		w.share = (part + k) / len(c) // they add up to part
		w.heats <- &h
	}
	h.ended.Wait()
	from, to := c[0].from, c[0].to
	for _, w := range c {
		from, to, nonces = min(from, w.from), max(to, w.to), nonces+w.nonces
	}
	return to - from, nonces
}

// err is why some have failed.
func (c crew) err() error {
	var all error
	for _, w := range c {
		all = errors.Join(all, w.err)
	}
	return all
}

// times is what all of them have timed.
func (c crew) times() (draws, first *Histogram) {
	draws, first = new(Histogram), new(Histogram)
	for _, w := range c {
		draws.Merge(&w.draws)
		first.Merge(&w.first)
	}
	return draws, first
}

// A heat is a time in which all workers draw.
type heat struct {
	start   time.Time
	workers int32
	arrived atomic.Int32
	ended   sync.WaitGroup
}

// arrive returns when all have arrived. They yield until then and don't sleep: to be woken takes an idle core some 50 µs,
// as long as a burst.
func (h *heat) arrive() {
	for h.arrived.Add(1); h.arrived.Load() < h.workers; {
		runtime.Gosched()
	}
}

// A worker is one goroutine's share of a turn.
type worker struct {
	plan  Plan
	heats chan *heat // closed when the turn is over
	share int        // of the next heat's nonces, if those are counted
	over  func()     // to be called when what it does now is over
	err   error      // it panicked

	draw func([]Nonce)
	call func()    // nil for none
	step func(int) // draws so many
	n    int       // draws between two looks at the clock
	dst  [64]Nonce // 1 KiB: near, and long enough to hide the call of draw

	nonces   int           // drawn in the last heat
	from, to time.Duration // when its first draw began and its last ended, since the heat's start

	draws, first Histogram
	fresh        bool // the next draw is the first of a heat
}

func newWorker(p Plan) *worker {
	w := &worker{plan: p, heats: make(chan *heat, 1)}
	switch {
	case p.Timed:
		w.step = w.timed
	case p.Call != nil:
		w.step = w.calling
	default:
		w.step = w.take
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
	draw, done := src.Worker()
	defer done()
	w.draw = draw
	if w.plan.Call != nil {
		call, hangUp := w.plan.Call()
		defer hangUp()
		w.call = call
	}
	w.warmup()
	w.draws, w.first = Histogram{}, Histogram{}
	w.isOver()
	for h := range w.heats {
		w.over = h.ended.Done
		w.heat(h)
		w.isOver()
	}
}

func (w *worker) isOver() {
	over := w.over
	w.over = func() {}
	over()
}

// warmup draws for the plan's time and finds how many nonces to draw between two looks at the clock: as many as take
// between 1/512 and 1/256 of a turn. A look costs 40 ns, or 1 µs without a vDSO clock; in a turn of 40 ms it comes each
// 80 to 160 µs, and a slow method overruns its turn by no more than one of its draws.
func (w *worker) warmup() {
	w.n = 1
	for start, last := time.Now(), time.Duration(0); ; {
		w.step(w.n)
		now := time.Since(start)
		if now-last < w.plan.Turn/512 {
			w.n *= 2
		}
		if last = now; now >= w.plan.Warmup {
			return
		}
	}
}

// heat draws the worker's share, or else until the turn is over, and at least once.
func (w *worker) heat(h *heat) {
	h.arrive()
	w.fresh, w.nonces = true, 0
	w.from = time.Since(h.start)
	w.to = w.from
	switch {
	case w.plan.counts():
		for w.nonces < w.share {
			w.some(h, min(w.n, w.share-w.nonces))
		}
	default:
		for w.nonces == 0 || w.to < w.plan.Turn {
			w.some(h, w.n)
		}
	}
}

// some draws n nonces and looks at the clock.
func (w *worker) some(h *heat, n int) {
	w.step(n)
	w.nonces += n
	w.to = time.Since(h.start)
}

// take draws n nonces.
func (w *worker) take(n int) {
	for ; n > len(w.dst); n -= len(w.dst) {
		w.draw(w.dst[:])
	}
	w.draw(w.dst[:n])
}

// calling draws n nonces, each followed by a call.
func (w *worker) calling(n int) {
	for range n {
		w.draw(w.dst[:1])
		w.call()
	}
}

// timed draws n nonces, times each, and makes a call, if there is one, after it.
func (w *worker) timed(n int) {
	epoch := time.Now()
	for range n {
		before := time.Since(epoch)
		w.draw(w.dst[:1])
		took := time.Since(epoch) - before
		w.draws.Add(took)
		if w.fresh {
			w.first.Add(took)
			w.fresh = false
		}
		if w.call != nil {
			w.call()
		}
	}
}
