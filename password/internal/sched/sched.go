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

	telling chan struct{} // holds one while Overload runs

	mu      sync.Mutex // held for microseconds, never while a task runs
	workers int
	memory  int64
	maxWait time.Duration
	off     [Classes]bool
	closed  bool
	gaveUp  bool          // Close did
	between int           // chains of which no task is here, and one is to come
	drained chan struct{} // closed when nothing is left, after Close

	seq      uint64
	queues   [Classes]queue
	waiting  int              // tasks in all queues
	rest     [Classes]float64 // machine time of what comes after the tasks in each
	running  []*batch         //
	inFlight int              // tasks in running
	threads  int              // workers that running occupies
	held     int64            // bytes that running occupies
	slots    slots

	rates  rates
	line   line  // scratch
	guest  *Task // while it is judged, it counts as being there
	asked  Task  // scratch
	shares shares
	top    top
	over   overload
	strain Strain // of overloads that have ended
	counts [Classes]Counts
	widths []uint64 // batches run, by width
}

// New returns a Scheduler.
func New(c Config) *Scheduler {
	s := &Scheduler{
		run: c.Run, start: c.Start, cores: c.Cores, jitter: c.Jitter, notify: c.Overload, relative: c.Relative,
		lanes: max(c.Lanes, 1), capacity: c.Queue, margin: defaultMargin, favor: defaultFavor,
		workers: c.Workers, memory: c.Memory, maxWait: min(c.MaxWait, longest),
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
	s.telling = make(chan struct{}, 1)
	s.shares = newShares()
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

// Expect has Stats list the task's kind before one has come.
func (s *Scheduler) Expect(t *Task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rates.kind(t)
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

// submit counts the task and lets it in or not. started: a worker has it. What
// needs more than all memory is not counted: nobody can ever do it.
func (s *Scheduler) submit(ctx context.Context, t *Task) (started bool, err error) {
	now := time.Now()
	why := ctx.Err() // with no lock held: a context is its caller's own code
	limit, limited := ctx.Deadline()
	s.mu.Lock()
	defer s.mu.Unlock()
	expected := s.arrives(t.Chain)
	defer s.checkDrained() // a chain that ends here may have been the last
	if t.Memory > s.memory {
		return false, &Refusal{Memory, s.retryAfter(time.Minute, time.Minute)}
	}
	s.arrived(t, now)
	if why != nil {
		s.counts[t.Class].Canceled++
		return false, why
	}
	if s.closed && (!expected || s.gaveUp) {
		s.counts[t.Class].Refused[Closed]++
		return false, ErrClosed
	}
	s.prepare(t, limit, limited, now)
	s.seq++
	if reason, after := s.admit(t, now); reason != 0 {
		s.counts[t.Class].Refused[reason]++
		return false, &Refusal{reason, after}
	}
	s.enqueue(t, now)
	if t.rank == 0 && !t.Continues {
		t.goFirst(now)
	}
	s.dispatch(now)
	return t.state != queued, t.err
}

// arrived counts a task that has come.
func (s *Scheduler) arrived(t *Task, now time.Time) {
	s.counts[t.Class].Submitted++
	s.top.add(t.Principal, now)
}

// prepare sets what the task is judged by.
func (s *Scheduler) prepare(t *Task, limit time.Time, limited bool, now time.Time) {
	t.submitted = now
	t.Units = max(t.Units, 1)
	t.work = t.Units
	t.limit = time.Time{}
	if limited {
		// By now's clock: a deadline that has no monotonic reading would be compared by
		// the wall clock, with some tasks and not with others, and a clock that is set
		// would turn the queue's order upside down.
		t.limit = now.Add(min(max(limit.Sub(now), -longest), longest))
	}
	t.rank = s.shares.rank(t, now)
	t.seq = s.seq // before it is judged: its place is behind those that are due with it
}

// longest is the longest time that counts: more overflows a time's monotonic reading.
const longest = 365 * 24 * time.Hour

// duration returns so many nanoseconds, up to longest: more would turn negative.
func duration(ns float64) time.Duration { return time.Duration(min(ns, float64(longest))) }

func (s *Scheduler) enqueue(t *Task, now time.Time) {
	t.state = queued
	t.charge = s.charge(t)
	s.putIn(t, now)
	if t.probe {
		t.kind.doubt.trying = true
	}
}

// putIn does the accounts of a task that joins its queue, with the charge that it has.
func (s *Scheduler) putIn(t *Task, now time.Time) {
	s.queues[t.rank].insert(t)
	t.kind.queued[t.rank]++
	t.kind.units[t.rank] += t.work
	s.rest[t.rank] += t.rest
	s.waiting++
	s.shares.add(t, now)
}

// dequeue does the accounts of a task that leaves its queue; the queue itself is
// the caller's affair.
func (s *Scheduler) dequeue(t *Task) {
	t.kind.units[t.rank] -= t.work
	if t.kind.queued[t.rank]--; t.kind.queued[t.rank] == 0 {
		t.kind.units[t.rank] = 0 // rounding errors must not add up
	}
	s.waiting--
	if s.rest[t.rank] -= t.rest; s.waiting == 0 {
		s.rest = [Classes]float64{}
	}
	s.shares.remove(t)
}

// leave takes a task out of its queue for good: it was not run.
func (s *Scheduler) leave(t *Task, err error, now time.Time) {
	s.dequeue(t)
	s.shares.leave(t, now)
	if t.probe {
		t.kind.doubt.trying = false
	}
	t.Waited = max(now.Sub(t.submitted), 0)
	t.state, t.err = ended, err
	close(t.done)
}

// abandon answers a caller whose context is done. If the task is queued it is
// dropped; if it runs its worker is told; if it has just ended its caller has
// the result.
func (s *Scheduler) abandon(t *Task, why error) error {
	if why == nil { // a context that does not keep its contract: nil would be success
		why = context.Canceled
	}
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch t.state {
	case queued:
		s.queues[t.rank].remove(t)
		s.goneAway(t, why)
		s.leave(t, why, now)
		s.dispatch(now) // it may have been in the way of another
	case running:
		t.giveUp(why, now)
	}
	return t.err
}

// giveUp answers the caller of a task that runs, and tells its worker.
func (t *Task) giveUp(why error, now time.Time) {
	t.state = abandoned
	t.gone.Store(true)
	t.Served = max(now.Sub(t.started), 0)
	t.err = why
	close(t.done)
}

// goneAway counts a task whose caller did not wait for the answer.
func (s *Scheduler) goneAway(t *Task, why error) {
	if errors.Is(why, context.DeadlineExceeded) {
		s.counts[t.Class].Expired++
	} else {
		s.counts[t.Class].Canceled++
	}
}

// expire drops a task that could not finish in time any more.
func (s *Scheduler) expire(t *Task) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.state != queued {
		return
	}
	s.queues[t.rank].remove(t)
	s.drop(t, Late, now)
	s.dispatch(now)
}

// drop answers a queued task that is late or makes way. It is out of its queue already.
func (s *Scheduler) drop(t *Task, why Reason, now time.Time) {
	s.counts[t.Class].Dropped++
	wait := s.backlog(now)
	s.strained(now)
	s.leave(t, &Refusal{why, s.retryAfter(0, wait)}, now)
}

// parts notes that a task with Rest has ended: the next of its chain may be submitted, whatever is
// closed meanwhile.
func (s *Scheduler) parts(c *Chain) {
	if c != nil && !c.over {
		c.between = true
		s.between++
	}
}

// arrives ends that, and reports whether it was so.
func (s *Scheduler) arrives(c *Chain) (expected bool) {
	if expected = c != nil && c.between; expected {
		c.between = false
		s.between--
	}
	return expected
}

// End says that no task of the chain is to come any more. Its caller says so in any case, also
// when it dies while a worker has one.
func (s *Scheduler) End(c *Chain) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.over = true
	if s.arrives(c) {
		s.checkDrained()
	}
}

// Close lets nothing in any more, but what continues a Chain, and returns nil when all that was
// let in has ended. If ctx is done first, each caller that still waits gets ErrClosed, and
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
	why := ctx.Err()
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.waiting + s.inFlight + s.between
	s.giveUp()
	if n == 0 {
		return nil
	}
	return fmt.Errorf("closed with %d tasks unfinished: %w", n, why)
}

// giveUp answers everyone who waits.
func (s *Scheduler) giveUp() {
	s.gaveUp = true
	now := time.Now()
	for c := range s.queues {
		for _, t := range s.queues[c].tasks {
			s.counts[t.Class].Canceled++
			s.leave(t, ErrClosed, now)
		}
		s.queues[c].tasks = nil
	}
	for _, b := range s.running {
		for _, t := range b.tasks {
			if t.state == running {
				t.giveUp(ErrClosed, now)
			}
		}
	}
}

// checkDrained tells Close when nothing is left. The last to go is what a worker has, or
// a chain: nothing waits while nothing runs.
func (s *Scheduler) checkDrained() {
	if !s.closed || s.waiting+s.inFlight+s.between > 0 {
		return
	}
	if s.over.now() {
		s.over.timer.Stop()
		s.endOverload(time.Now())
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
func (s *Scheduler) SetMaxWait(d time.Duration) { s.set(func() { s.maxWait = min(d, longest) }) }

// SetClass lets tasks of a class in, or refuses them from now on.
func (s *Scheduler) SetClass(class int, on bool) { s.set(func() { s.off[class] = !on }) }

func (s *Scheduler) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	s.walk(time.Now())
}

// cap returns how many workers there are to be occupied, at least 1.
func (s *Scheduler) cap() int {
	n := s.workers
	if n <= 0 {
		n = s.cores()
	}
	return max(n, 1)
}
