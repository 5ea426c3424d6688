// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package turn lets a goroutine that computes for long yield to other goroutines and to the
// network, and sleep before the process has used up its quota of CPU time. A computation of less
// than half a millisecond does not need it.
//
// GOMAXPROCS follows the quota too, but rounds it up, to 2 at least: where all Ps compute, the
// kernel stops the process in each period. On 2 cores, beside other programs, a timer of 2 ms was
// late by, at the 99th percentile and at most, in three times 5 s each:
//
//	quota             half a CPU        1.5 CPUs
//	without a pace    76 ms, 81 ms      24 ms, 36 ms    stopped in 7 to 10 of 10 periods
//	with it            7 ms, 16 ms       4 ms, 15 ms    in none
//
// The pace left 13 to 19 % of the work undone with half a CPU, and 24 to 31 % with 1.5.
package turn

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A turn is the time that a goroutine computes between two yields: at least slice, at most longest.
// In between it is as long as the yield before it took, because a goroutine that yields too often
// to others that compute until they are preempted, after 10 ms, gets almost no processor time. But
// it is no longer than what goroutines without turns have computed in that yield. If other turns,
// or time of other programs, made turns longer, goroutines with turns would starve the rest of the
// process. Yielding each 0.1 ms took 3 to 11 % more processor time while other Ps were idle,
// because a yield wakes one, which looks for work.
//
// A turn ends at the first look at the clock that finds it long enough, or after Looks looks for
// each slice, as a clock may stand still (in a bubble of testing/synctest). If more than preempted
// has passed between two looks, others have had the processor, and the turn begins anew.
const (
	slice     = 400 * time.Microsecond
	longest   = 20 * time.Millisecond // the runtime preempts after 10 ms
	preempted = 5 * time.Millisecond
	Looks     = 8
)

// timeInTurns is the sum of all goroutines' turns, in nanoseconds.
var timeInTurns atomic.Int64

// A Turn counts one goroutine's work, and has it yield. Start it before use.
type Turn struct {
	unitsPerLook int // units of work from one look at the clock to the next
	unitsLeft    int
	looks        int
	yields       uint
	began        time.Time
	looked       time.Time     // last
	slice        time.Duration // how long this turn is
	long         bool          // the last yield took longer than slice, or this is the first turn
	gone         func() bool
	yield        func() bool // instead of a look at the clock
	givenUp      bool
}

// Start begins a turn. every is the number of units of work, at least 1, that take 0.05 to 0.1 ms:
// after so many the turn looks at the clock. gone, if not nil, reports whether to give up the work;
// it is called at each yield, so it must be cheap.
func (t *Turn) Start(every int, gone func() bool) {
	now := time.Now()
	*t = Turn{
		unitsPerLook: every,
		unitsLeft:    every,
		began:        now,
		looked:       now,
		slice:        slice,
		long:         true,
		gone:         gone,
	}
}

// StartCalling begins a turn that calls yield after each so many units, instead of looking at the
// clock and yielding. yield returns false to give up the work. If yield is nil, it is Start.
func (t *Turn) StartCalling(every int, yield func() bool) {
	t.Start(every, nil)
	t.yield = yield
}

// Over counts n units of work, and reports whether to call Yield.
func (t *Turn) Over(n int) bool {
	t.unitsLeft -= n
	return t.unitsLeft <= 0 && t.look()
}

func (t *Turn) look() bool {
	t.unitsLeft = t.unitsPerLook
	t.looks++
	if t.yield != nil {
		return true
	}

	now := time.Now()
	if now.Sub(t.looked) > preempted {
		timeInTurns.Add(int64(t.looked.Sub(t.began)))
		t.began = now
	}

	t.looked = now
	return t.looks >= Looks*int(t.slice/slice) || now.Sub(t.began) >= t.slice
}

// Yield lets other goroutines run and begins the next turn.
func (t *Turn) Yield() {
	if t.yield != nil {
		t.givenUp = !t.yield()
		return
	}

	t.yields++
	began := time.Now()
	had := timeInTurns.Add(int64(began.Sub(t.began)))
	var cpu time.Duration
	if t.long { // the system call takes 1 to 2 µs, and more with hundreds of threads
		cpu = processTime()
	}

	pause := t.rest(began)

	now := time.Now()
	took := now.Sub(began) - pause
	others := slice // of this time was computed without turns
	switch {
	case !knowsCPU:
		others = took
	case t.long:
		others = processTime() - cpu - time.Duration(timeInTurns.Load()-had)
	}

	t.slice = min(max(min(took, others), slice), longest)
	t.long = took > slice
	t.looks = 0
	t.unitsLeft = t.unitsPerLook
	t.began = now
	t.looked = now
}

// rest lets others run, and returns how long it slept for the quota. With a longest turn others
// compute too: they would use what a sleep leaves of the quota, and no P would be idle to poll the
// network. So it neither sleeps nor parks.
func (t *Turn) rest(now time.Time) (pause time.Duration) {
	if t.slice < longest {
		pause = quotaPause(now)
	}

	switch {
	case pause > 0:
		time.Sleep(pause)
	case t.yields%parkEvery == 0 && t.slice < longest:
		park()
	default:
		runtime.Gosched()
	}
	return pause
}

// Did counts n units of work, and yields if the turn is over. It returns false if the work is to be
// given up.
func (t *Turn) Did(n int) bool {
	if t.Over(n) {
		t.Yield()
		t.givenUp = t.givenUp || t.gone != nil && t.gone()
	}
	return !t.givenUp
}

// GivenUp reports whether Did has returned false.
func (t *Turn) GivenUp() bool { return t.givenUp }

// Each second yield parks. A goroutine that only calls runtime.Gosched stays in the run queue, and
// while one is there, no P polls the network but sysmon, each 10 ms. With a worker on each of two
// Ps an HTTP request on the loopback interface took 20 ms; with parking it takes 1.1, at the same
// throughput.
const parkEvery = 2

// maxParked bounds how many goroutines are parked at once, because each needs a pipe, and pipes are
// kept. Further goroutines only call runtime.Gosched.
const maxParked = 64

// parks holds the unused pipes.
var parks struct {
	mu   sync.Mutex
	free []*pipe
	made int
}

// park leaves the run queue until a P has nothing to run and has polled the network.
func park() {
	p := takePipe()
	if p == nil || !p.wait() {
		runtime.Gosched()
	}
	if p == nil {
		return
	}

	parks.mu.Lock()
	parks.free = append(parks.free, p)
	parks.mu.Unlock()
}

// takePipe returns an unused pipe, or nil if there are maxParked or no more descriptors.
func takePipe() *pipe {
	parks.mu.Lock()
	defer parks.mu.Unlock()
	if n := len(parks.free); n > 0 {
		p := parks.free[n-1]
		parks.free = parks.free[:n-1]
		return p
	}
	if parks.made == maxParked {
		return nil
	}

	p := newPipe()
	if p != nil {
		parks.made++
	}
	return p
}
