// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package turn lets a goroutine that computes for long share its processor with other goroutines
// and with the network, and a quota of CPU time with the rest of the process. It is of no use to
// work of less than half a millisecond.
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

// A turn on the processor is as long as the yield before it took, from slice to longest, but no
// longer than what goroutines without turns computed in that yield. A goroutine that yields often
// to others that compute until they are preempted, each 10 ms, gets next to nothing of the
// processor. If turns also grew by other turns, or by the time in which the system runs another
// program, those who take turns would keep the processor from the rest of the process. To yield
// each 0.1 ms took 3 to 11 % more processor time while other Ps were idle: a yield wakes one, which
// looks for work.
//
// It ends with the first look at the clock that finds it that long, or after Looks looks for each
// slice, for a clock may stand still (as testing/synctest's does). If there was more than taken
// between two looks, others have had the processor, and it begins anew.
const (
	slice   = 400 * time.Microsecond
	longest = 20 * time.Millisecond // the runtime preempts it before
	taken   = 5 * time.Millisecond
	Looks   = 8
)

// inTurns is how long the turns of all goroutines have taken, in nanoseconds.
var inTurns atomic.Int64

// A Turn is one goroutine's use of its processor. The zero Turn has not started.
type Turn struct {
	every  int // units of work from one look at the clock to the next
	left   int
	looks  int
	yields uint
	began  time.Time
	looked time.Time     // last
	slice  time.Duration // how long this turn is
	long   bool          // the last yield took longer than slice, or this is the first turn
	gone   func() bool
	call   func() bool // instead of a look at the clock
	given  bool
}

// Start begins a turn. A twentieth to a tenth of a millisecond takes about so many units of the
// work as every says, at least 1. gone reports whether no caller waits for the work any more; it is
// called at each yield, so it must be cheap. nil: one always does.
func (t *Turn) Start(every int, gone func() bool) {
	now := time.Now()
	*t = Turn{every: every, left: every, began: now, looked: now, slice: slice, long: true, gone: gone}
}

// StartCalling begins a turn that neither looks at the clock nor yields: it calls yield each so
// many units, which does both for it and is false once nobody waits. nil: as Start.
func (t *Turn) StartCalling(every int, yield func() bool) {
	t.Start(every, nil)
	t.call = yield
}

// Over counts n units of work, and reports whether the turn is over: then Yield.
func (t *Turn) Over(n int) bool {
	t.left -= n
	return t.left <= 0 && t.look()
}

func (t *Turn) look() bool {
	t.left = t.every
	t.looks++
	if t.call != nil {
		return true
	}
	now := time.Now()
	if now.Sub(t.looked) > taken {
		inTurns.Add(int64(t.looked.Sub(t.began)))
		t.began = now
	}
	t.looked = now
	return t.looks >= Looks*int(t.slice/slice) || now.Sub(t.began) >= t.slice
}

// Yield lets others have the processor and begins the next turn.
func (t *Turn) Yield() {
	if t.call != nil {
		t.given = !t.call()
		return
	}
	t.yields++
	began := time.Now()
	had := inTurns.Add(int64(began.Sub(t.began)))
	var cpu time.Duration
	if t.long { // the system call takes 1 to 2 µs, and more with hundreds of threads
		cpu = processTime()
	}
	var pause time.Duration
	// Else others use whatever a sleep leaves of the quota, and no P is idle and asks the network.
	if t.slice < longest {
		pause = paused(began)
	}
	switch {
	case pause > 0:
		time.Sleep(pause)
	case t.yields%parkEvery == 0 && t.slice < longest:
		park()
	default:
		runtime.Gosched()
	}
	now := time.Now()
	took := now.Sub(began) - pause
	most := slice // that a turn may take
	switch {
	case !knowsCPU:
		most = took
	case t.long:
		most = processTime() - cpu - time.Duration(inTurns.Load()-had)
	}
	t.slice = min(max(min(took, most), slice), longest)
	t.long = took > slice
	t.looks, t.left, t.began, t.looked = 0, t.every, now, now
}

// Did counts n units of work, and yields if the turn is over. It reports whether the work is to go
// on: false once nobody waits for it.
func (t *Turn) Did(n int) bool {
	if t.Over(n) {
		t.Yield()
		t.given = t.given || t.gone != nil && t.gone()
	}
	return !t.given
}

// GivenUp reports whether Did has been false.
func (t *Turn) GivenUp() bool { return t.given }

// parkEvery makes each second yield a park. A goroutine that only calls runtime.Gosched stands in
// the run queue, and while one does, no P asks the network poller: sysmon does, each 10 ms. With a
// worker on each of two Ps an HTTP request on the loopback interface took 20 ms, and with parks it
// takes 1.1, at the same throughput.
const parkEvery = 2

// maxParked bounds how many goroutines are parked at once, as each takes a pipe, and pipes are
// kept. With more of them at work there are more than Ps, and sysmon asks the poller, as without
// us.
const maxParked = 64

// parks are the pipes that nobody waits at.
var parks struct {
	mu   sync.Mutex
	free []*pipe
	made int
}

// park leaves the run queue until a P has nothing to run and has asked the network poller.
func park() {
	p := takePipe()
	if p == nil {
		runtime.Gosched()
		return
	}
	if !p.wait() {
		runtime.Gosched()
	}
	parks.mu.Lock()
	parks.free = append(parks.free, p)
	parks.mu.Unlock()
}

// takePipe returns a pipe, or nil: the process may be out of descriptors, and have some later.
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
