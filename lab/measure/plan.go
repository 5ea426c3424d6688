// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// The harness: which method is measured when, and what counts as its time.

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
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

	// Values, if not 0, is what a turn draws, in equal shares for the workers, however long that takes. Turn then says
	// how often they look at the clock in the warm-up.
	Values int

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

	// Draws, if not 0, is for how long after that each draw is timed, without the call: a Run's Draws. These turns don't count.
	Draws time.Duration

	// Burst, if not 0, has a turn draw in bursts of that many values, in equal shares, each after a pause of Idle, until
	// Turn is over or Values are drawn. The pauses don't count in its cost.
	Burst int
	Idle  time.Duration

	// Again, if not nil, is asked once all rounds are done. If it says so, as many follow.
	Again func([]Result) bool
}

// QuietShare is the least part of the cores' time that turns which never wait have to have had for their elapsed times to
// be judged. Below, these tell of other programs.
const QuietShare = 0.9

// Time is how long Run takes with n methods that all work, apart from opening and closing them, and unless it goes on.
func (p Plan) Time(n int) time.Duration {
	return time.Duration(n*p.Rounds*len(p.Workers)) * (p.Turn + p.Warmup)
}

// Turns is how many turns Run makes with n methods, unless it goes on.
func (p Plan) Turns(n int) int { return n * p.Rounds * len(p.Workers) }

// A Result is what the turns of one method gave.
type Result struct {
	Method Method
	Err    error     // why it could not be measured; then Costs and Runs are nil
	Costs  []*Sample // ns per value, as the plan counts them, for each number of its Workers
	Runs   [][]Run   // the same turns
}

// A Run is what one turn of a method gave.
type Run struct {
	Values  int           // of all workers
	Elapsed time.Duration // while they drew
	CPU     time.Duration // that this process used meanwhile, 0 if the plan has no CPU
	Draws   *Histogram    // of all draws, if the plan is Timed, else nil
	First   *Histogram    // of each worker's first draw in a burst, if it has bursts and is Timed
}

// NS is the elapsed ns per value.
func (r Run) NS() float64 { return float64(r.Elapsed) / float64(r.Values) }

// CoreNS is the CPU time per value in ns, of all goroutines on all cores.
func (r Run) CoreNS() float64 { return float64(r.CPU) / float64(r.Values) }

// Run measures the methods. It calls progress, if that is not nil, before each turn with the number of turns done and
// the number of all. A method that can't be opened or that panics gets no further turns; Run returns a Result for each
// method in the order given.
func (p Plan) Run(methods []Method, progress func(done, all int)) []Result {
	results := make([]Result, len(methods))
	for i, m := range methods {
		results[i] = Result{Method: m, Runs: make([][]Run, len(p.Workers))}
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
	for i := range results {
		p.sum(&results[i])
	}
}

// add makes a turn with the i-th number of workers, unless the method has failed.
func (p Plan) add(r *Result, i int) {
	if r.Err != nil {
		return
	}
	run, err := p.turn(r.Method, i)
	if err != nil {
		r.Err, r.Runs = err, nil
		return
	}
	r.Runs[i] = append(r.Runs[i], run)
}

// sum fills in the costs.
func (p Plan) sum(r *Result) {
	r.Costs = nil
	for i, runs := range r.Runs {
		var costs []float64
		for _, run := range runs {
			costs = append(costs, p.cost(run, p.Workers[i]))
		}
		r.Costs = append(r.Costs, Of(costs...))
	}
}

// cost is what counts of a run: the ns a value took, of each worker on average if they are CPU time.
func (p Plan) cost(r Run, workers int) float64 {
	if p.CPU != nil && !p.Elapsed {
		return r.CoreNS() / float64(workers)
	}
	return r.NS()
}

// Measure makes one turn of the method, with the first number of workers.
func (p Plan) Measure(m Method) (Run, error) {
	if m.Alone {
		p.Call, p.Draws, p.Burst, p.Idle = nil, 0, 0, 0
	}
	p.Warmup = max(p.Warmup, m.Warmup)
	return p.turn(m, 0)
}

// By is the plan with n goroutines, on as many cores as there are.
func (p Plan) By(n int) Plan {
	p.Workers, p.Procs = []int{n}, nil
	return p
}

// Calling is the plan with a call after each draw.
func (p Plan) Calling(call func() (call, close func())) Plan {
	p.Call = call
	return p
}

// Bursts is the plan with bursts of n values in all, each after a pause. A turn is at least two of them.
func (p Plan) Bursts(n int, idle time.Duration) Plan {
	p.Burst, p.Idle, p.Turn = n, idle, max(p.Turn, 2*idle)
	return p
}

// turn opens the method and lets the i-th number of workers draw for the plan's time.
func (p Plan) turn(m Method, i int) (Run, error) {
	if p.Procs != nil && p.Procs[i] != runtime.GOMAXPROCS(0) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p.Procs[i]))
	}
	src, err := open(m)
	if err != nil {
		return Run{}, err
	}
	defer src.Close()
	crew := newCrew(p, p.Workers[i])
	var ready, ended sync.WaitGroup
	ready.Add(len(crew.workers))
	for _, w := range crew.workers {
		ended.Go(func() { w.run(src, ready.Done) })
	}
	ready.Wait()
	run := p.heats(crew, false)
	if p.Draws > 0 {
		run.Draws = p.heats(crew, true).Draws
	}
	for _, w := range crew.workers {
		close(w.heats)
	}
	ended.Wait()
	return run, crew.err()
}

// open opens the method. Its panic is an error.
func open(m Method) (src Source, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return m.Open()
}

// heats has the crew draw: once, or in bursts.
func (p Plan) heats(crew *crew, timed bool) (run Run) {
	turn := p.Turn
	if timed {
		turn = p.Draws
	}
	start, before := time.Now(), p.used()
	for crew.err() == nil {
		time.Sleep(p.Idle)
		elapsed, values := crew.heat(p.part(run.Values), turn, timed)
		run.Elapsed += elapsed
		run.Values += values
		if p.Burst == 0 || p.Values > 0 && run.Values >= p.Values || p.Values == 0 && time.Since(start) >= turn {
			break
		}
	}
	run.CPU = p.used() - before
	run.Draws, run.First = crew.draws, crew.first
	return run
}

// part is how many values the next heat draws when so many are drawn, 0 if as many as time allows.
func (p Plan) part(drawn int) int {
	switch left := p.Values - drawn; {
	case p.Burst > 0 && p.Values > 0:
		return min(p.Burst, left)
	case p.Burst > 0:
		return p.Burst
	default:
		return p.Values
	}
}

// counts reports whether a heat ends by number and not by time.
func (p Plan) counts() bool { return p.Burst > 0 || p.Values > 0 }

func (p Plan) used() time.Duration {
	if p.CPU == nil {
		return 0
	}
	return p.CPU()
}
