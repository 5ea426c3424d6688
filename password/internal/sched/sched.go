// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// A Config says how a Scheduler is set up. Run and Jitter are required.
type Config struct {
	Workers int           // 0: Cores, whatever it becomes
	Reserve int           // workers kept free
	Memory  int64         // bytes for all running tasks; 0: none for tasks that need any
	Queue   int           // tasks waiting, at most
	MaxWait time.Duration // longest wait of a task, whatever its deadline

	Lanes    int                 // tasks of one kind at once, at most; below 2: one
	Relative func(k int) float64 // time of k at once, relative to one, until it is measured; nil: k

	// Run computes tasks of one kind on the calling goroutine. slot is smaller
	// than the number of tasks running at once and nobody else's meanwhile. A
	// task that is Gone may be left undone.
	Run func(slot int, tasks []*Task)

	// Cores returns how many tasks the machine runs at once; nil: GOMAXPROCS.
	Cores func() int

	// Start runs f on a goroutine of its own; nil: by a go statement, of whoever
	// has called Do.
	Start func(f func())

	// Jitter returns a random duration in [0, n), n > 0.
	Jitter func(n time.Duration) time.Duration

	// Overload is called, one call at a time and on a goroutine of its own,
	// when an overload begins (true) and when it has ended (false).
	Overload func(began bool, s Stats)
}

// ErrClosed is the answer to what is submitted after Close, or was not finished by
// the end of it.
var ErrClosed = errors.New("closed")

// A Refusal is the answer to a task that was not begun.
type Refusal struct {
	Reason     Reason
	RetryAfter time.Duration // with jitter
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("refused (%v), retry after %v", r.Reason, r.RetryAfter)
}

// A Scheduler runs tasks. All methods may be called from any goroutine. It has
// no goroutine of its own while nothing runs.
type Scheduler struct {
	run      func(slot int, tasks []*Task)
	start    func(f func())
	cores    func() int
	jitter   func(n time.Duration) time.Duration
	notify   func(began bool, s Stats)
	relative func(k int) float64
	lanes    int
	capacity int // of the queue
	margin   float64
	favor    float64
	careless bool // a test's negative control: newcomers overtake without regard

	mu      sync.Mutex // held for microseconds, never while a task runs
	workers int
	reserve int
	memory  int64
	maxWait time.Duration
	off     [Classes]bool
	closed  bool
	drained chan struct{} // closed when nothing is left, after Close

	seq      uint64
	queues   [Classes]queue
	waiting  int      // tasks in all queues
	running  []*batch //
	inFlight int      // tasks in running
	threads  int      // workers that running occupies
	held     int64    // bytes that running occupies
	slots    slots

	rates  rates
	line   line  // scratch
	guest  *Task // while it is judged, it counts as being there
	shares shares
	top    top
	over   overload
	counts [Classes]Counts
	widths []uint64 // batches run, by width
}

// New returns a Scheduler.
func New(c Config) *Scheduler {
	s := &Scheduler{
		run: c.Run, start: c.Start, cores: c.Cores, jitter: c.Jitter, notify: c.Overload, relative: c.Relative,
		lanes: max(c.Lanes, 1), capacity: c.Queue, margin: defaultMargin, favor: defaultFavor,
		workers: c.Workers, reserve: c.Reserve, memory: c.Memory, maxWait: c.MaxWait,
	}
	if s.relative == nil {
		s.relative = func(k int) float64 { return float64(k) }
	}
	if s.start == nil {
		s.start = func(f func()) { go f() }
	}
	if s.cores == nil {
		s.cores = func() int { return runtime.GOMAXPROCS(0) }
	}
	s.widths = make([]uint64, s.lanes+1)
	s.rates = newRates(s.lanes, s.relative)
	s.shares = make(shares)
	s.top = newTop()
	return s
}

// Seed tells how long a unit of an algorithm takes by itself, before one has
// been run. Without it the first tasks of an algorithm count as no work.
func (s *Scheduler) Seed(algorithm uint8, unit time.Duration, per float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rates.seed(algorithm, float64(unit)/per)
}

// Do runs the task and returns nil; or a *Refusal, at once or when it turns out
// that it would be late; or ctx's error when ctx is done first; or ErrClosed.
// A worker may still have the task when an error is returned.
func (s *Scheduler) Do(ctx context.Context, t *Task) error {
	t.done = make(chan struct{})
	started, err := s.submit(ctx, t)
	if err != nil {
		return err
	}
	if !started {
		timer := time.AfterFunc(time.Until(t.expires), func() { s.expire(t) })
		defer timer.Stop()
	}
	select {
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return s.abandon(t, ctx.Err())
	}
}

// submit counts the task and lets it in or not. started: a worker has it.
func (s *Scheduler) submit(ctx context.Context, t *Task) (started bool, err error) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[t.Class].Submitted++
	s.top.add(t.Principal, now)
	if err := ctx.Err(); err != nil {
		s.counts[t.Class].Canceled++
		return false, err
	}
	if s.closed {
		s.counts[t.Class].Refused[Closed]++
		return false, ErrClosed
	}
	t.submitted = now
	t.Units = max(t.Units, 1)
	t.limit, _ = ctx.Deadline()
	if reason, after := s.admit(t, now); reason != 0 {
		s.counts[t.Class].Refused[reason]++
		return false, &Refusal{reason, after}
	}
	s.enqueue(t)
	s.dispatch(now)
	return t.state != queued, t.err
}

func (s *Scheduler) enqueue(t *Task) {
	t.seq = s.seq
	s.seq++
	t.state = queued
	s.queues[t.Class].insert(t)
	t.kind.queued[t.Class]++
	t.kind.units[t.Class] += t.Units
	s.waiting++
	t.charge = s.charge(t)
	s.shares.add(t)
}

// dequeue does the accounts of a task that leaves its queue; the queue itself is
// the caller's affair.
func (s *Scheduler) dequeue(t *Task) {
	t.kind.units[t.Class] -= t.Units
	if t.kind.queued[t.Class]--; t.kind.queued[t.Class] == 0 {
		t.kind.units[t.Class] = 0 // rounding errors must not add up
	}
	s.waiting--
	s.shares.remove(t)
}

// leave takes a task out of its queue for good: it was not run.
func (s *Scheduler) leave(t *Task, err error) {
	s.dequeue(t)
	t.state, t.err = ended, err
	close(t.done)
}

// abandon answers a caller whose context is done. If the task is queued it is
// dropped; if it runs its worker is told; if it has just ended its caller has
// the result.
func (s *Scheduler) abandon(t *Task, why error) error {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch t.state {
	case queued:
		s.queues[t.Class].remove(t)
		s.counts[t.Class].Canceled++
		s.leave(t, why)
		s.dispatch(now) // it may have been in the way of another
		s.checkDrained()
	case running:
		t.state = abandoned
		t.gone.Store(true)
		t.err = why
		close(t.done)
	}
	return t.err
}

// expire drops a task that could not finish in time any more.
func (s *Scheduler) expire(t *Task) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.state != queued {
		return
	}
	s.queues[t.Class].remove(t)
	s.drop(t, now)
	s.dispatch(now)
	s.checkDrained()
}

// drop answers a queued task that is late. It is out of its queue already.
func (s *Scheduler) drop(t *Task, now time.Time) {
	s.counts[t.Class].Dropped++
	wait := s.backlog(now)
	s.strained(now)
	s.leave(t, &Refusal{Late, s.retryAfter(0, wait)})
}

// Close lets nothing in any more and returns nil when all that was let in has
// ended. If ctx is done first, each caller that still waits gets ErrClosed, and
// Close returns ctx's error; what a worker has in hand ends in its own time.
func (s *Scheduler) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	if s.drained == nil {
		s.drained = make(chan struct{})
	}
	s.checkDrained()
	drained := s.drained
	s.mu.Unlock()
	select {
	case <-drained:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.waiting + s.inFlight
	s.giveUp()
	s.checkDrained()
	if n == 0 {
		return nil
	}
	return fmt.Errorf("closed with %d tasks unfinished: %w", n, ctx.Err())
}

// giveUp answers everyone who waits.
func (s *Scheduler) giveUp() {
	for c := range s.queues {
		for _, t := range s.queues[c].tasks {
			s.counts[c].Canceled++
			s.leave(t, ErrClosed)
		}
		s.queues[c].tasks = nil
	}
	for _, b := range s.running {
		for _, t := range b.tasks {
			if t.state == running {
				t.state = abandoned
				t.gone.Store(true)
				t.err = ErrClosed
				close(t.done)
			}
		}
	}
}

// checkDrained tells Close when nothing is left.
func (s *Scheduler) checkDrained() {
	if !s.closed || s.waiting+s.inFlight > 0 {
		return
	}
	if s.over.timer != nil {
		s.over.timer.Stop()
	}
	select {
	case <-s.drained:
	default:
		close(s.drained)
	}
}

// SetWorkers changes the number of workers; 0: Config.Cores. What runs is not
// interrupted.
func (s *Scheduler) SetWorkers(n int) { s.set(func() { s.workers = n }) }

// SetMemory changes the memory budget, in bytes.
func (s *Scheduler) SetMemory(n int64) { s.set(func() { s.memory = n }) }

// SetMaxWait changes how long a task waits at most, for those to come.
func (s *Scheduler) SetMaxWait(d time.Duration) { s.set(func() { s.maxWait = d }) }

// SetClass lets tasks of a class in, or refuses them from now on.
func (s *Scheduler) SetClass(class int, on bool) { s.set(func() { s.off[class] = !on }) }

func (s *Scheduler) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	s.dispatch(time.Now())
	s.checkDrained()
}

// cap returns how many workers there are to be occupied, at least 1.
func (s *Scheduler) cap() int {
	n := s.workers
	if n <= 0 {
		n = s.cores()
	}
	return max(n-s.reserve, 1)
}
