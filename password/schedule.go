// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// The life of a call of Pool.Verify:
//
//	Policy.verifyJob  verify.go     check lengths, form, limits, key ──▶ invalid
//	newVerifyCall     equal.go      add stages, so that all wrong passwords take equally long
//	     ▼
//	admission.admit   admission.go  in time? (estimate.go)
//	     │            fairness.go   of a heavy caller? ──▶ refused
//	     ▼
//	queue.join        queue.go      wait in one of two lines ──▶ dropped, expired, canceled
//	     ▼
//	queue.next        queue.go      first come, first served, by a worker (machine.go)
//	     ▼
//	Pool.run          compute.go    compute a stage: bcrypts in lanes (internal/blowfish), argon2 and
//	     │                          scrypt (password/internal), all yielding (internal/turn)
//	call.answer       compute.go    compare in constant time (job.check in job.go)
//	     ▼
//	queue.endStage    queue.go      learn from the time it took (estimate.go), next stage or
//	                                ──▶ match, mismatch, unknown
//
// A task's times and deadline are monotonic: a step of the wall clock changes none of them.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// A scheduler runs tasks on a bounded number of workers, first come, first served, and refuses at
// once what it can't finish in time. It has the lock, the callers' contexts, and the goroutines;
// admission and queue decide. Once it is open, any goroutine may call its methods, but dispatch
// only with the lock. It has no goroutine while nothing runs. The fields above mu do not change.
type scheduler struct {
	unknown []effort // the stages of a call for an unknown user

	// run computes a stage of the tasks of a batch, and sets the answers of those that have theirs:
	// in the last stage, of all that are not gone. discard is called for a task that run has not
	// answered and does not get again.
	run     func(stage int, tasks []*task, answers []Outcome)
	discard func(t *task)

	drained chan struct{} // closed when nothing is left, after close

	mu        sync.Mutex // held for microseconds, never while a task runs
	closed    bool
	closing   int // calls of close that have not given up
	saving    int // upgrades of SignIn that are being hashed or saved
	admission admission
	queue     queue
	calls     counts
}

// open makes the scheduler ready. unitTime has the nanoseconds that a unit of each algorithm is
// believed to take until one has run.
func (s *scheduler) open(unitTime map[Algorithm]float64) {
	s.drained = make(chan struct{})
	s.queue.maxWait = min(s.queue.maxWait, longestWait)
	s.queue.unitTime = unitTime
	s.admission.shares.start = time.Now()
	s.calls.signIns.Ended = Endings()
	s.calls.upgrades.Ended = Endings()
}

// do runs the task. The error is nil, OverloadedError, ErrClosed, or ctx's if ctx is done first.
// After an error a worker may still have the task.
func (s *scheduler) do(ctx context.Context, t *task) error {
	t.done = make(chan struct{})
	waits, err := s.submit(ctx, t)
	if err != nil {
		return err
	}

	if waits {
		defer time.AfterFunc(time.Until(t.expires), func() { s.expire(t) }).Stop()
	}

	select {
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return s.abandon(t, ctx.Err())
	}
}

// submit refuses the task or puts it into the queue. waits reports whether the task is in the queue
// and no worker has it yet.
func (s *scheduler) submit(ctx context.Context, t *task) (waits bool, err error) {
	why := ctx.Err() // unlocked, as a context may run the caller's code
	limit, limited := ctx.Deadline()

	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	q := &s.queue

	t.arrived = now
	t.counts = s.calls.of(t.upgrade)
	if limited {
		// Make the deadline monotonic: one that is not would be compared by the wall clock, with
		// some tasks but not with others, and a step of that clock would reverse their order.
		t.deadline = now.Add(min(max(limit.Sub(now), -longestWait), longestWait))
	}
	for _, e := range t.stages {
		t.memory = max(t.memory, e.memory)
	}

	switch {
	case t.memory > q.memory: // no worker could ever run it
		err := fmt.Errorf("%w: it needs %d bytes, and the pool has a memory of %d", errMemory, t.memory, q.memory)
		return false, t.end(OutcomeInvalid, ReasonMemory, err, now)
	case why != nil:
		return false, t.end(OutcomeCanceled, ReasonGone, why, now)
	case s.closed:
		return false, t.end(OutcomeRefused, ReasonClosed, ErrClosed, now)
	}

	t.route = q.routeOf(t.stages, t.memory)
	if v := s.admission.ask(q, t, now); v.reason != NoReason {
		return false, t.end(OutcomeRefused, v.reason, v.err(), now)
	}

	if !t.dryRun {
		s.dispatch(now)
	}
	return t.state == queued, t.err
}

// abandon answers a caller whose context is done, unless its task has just ended.
func (s *scheduler) abandon(t *task, why error) error {
	if why == nil { // a broken context: nil would mean a match
		why = context.Canceled
	}
	outcome := OutcomeCanceled
	reason := ReasonLeft
	if errors.Is(why, context.DeadlineExceeded) {
		outcome = OutcomeExpired
		reason = NoReason
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	now := time.Now()
	switch t.state {
	case queued:
		s.queue.remove(t, outcome, reason, why, now)
		s.dispatch(now) // the next in the queue may fit
	case running:
		t.end(outcome, reason, why, now)
	}
	return t.err
}

// expire drops a task that still waits at t.expires.
func (s *scheduler) expire(t *task) {
	s.mu.Lock()
	defer s.mu.Unlock()

	now := time.Now()
	if t.state == queued {
		s.queue.dropLate(t, now)
		s.dispatch(now)
	}
}

// dispatch starts batches until no worker, no memory or no task is left. When no task is left, it
// wakes close.
func (s *scheduler) dispatch(now time.Time) {
	for b := s.queue.next(now); b != nil; b = s.queue.next(now) {
		// A go statement would inherit the caller's profiler labels and what crypto/fips140 and
		// crypto/subtle set. A timer's goroutine inherits nothing.
		time.AfterFunc(0, func() { s.work(b) })
	}

	if s.closed && s.isDrained() {
		select {
		case <-s.drained:
		default:
			close(s.drained)
		}
	}
}

// work runs all stages of a batch, as a worker.
func (s *scheduler) work(b *batch) {
	tasks := b.tasks
	for len(tasks) > 0 {
		answers := make([]Outcome, len(tasks))
		s.run(b.stage, tasks, answers)

		s.mu.Lock()
		now := time.Now()
		rest := s.queue.endStage(b, answers, now)
		if rest == nil {
			s.dispatch(now)
		}
		s.mu.Unlock()

		for i, t := range tasks {
			if answers[i] == undecided && !slices.Contains(rest, t) {
				s.discard(t)
			}
		}
		tasks = rest
	}
}

// close admits no more tasks, and returns nil when all have ended and all upgrades are saved. If
// ctx is done first, it returns ctx's error and answers all callers with ErrClosed, unless another
// close still waits for them. Workers may then run on for a while.
func (s *scheduler) close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.closing++
	s.dispatch(time.Now())
	s.mu.Unlock()

	select {
	case <-s.drained:
		return nil
	case <-ctx.Done():
	}

	why := ctx.Err()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing--
	if s.closing > 0 && !s.isDrained() {
		return why
	}

	now := time.Now()
	for _, t := range slices.Concat(s.queue.line.tasks, s.queue.upgrades.tasks) {
		s.queue.remove(t, OutcomeCanceled, ReasonClosed, ErrClosed, now)
	}
	for _, b := range s.queue.running {
		for _, t := range b.tasks {
			if t.state == running {
				t.end(OutcomeCanceled, ReasonClosed, ErrClosed, now)
			}
		}
	}

	s.dispatch(now)
	if s.isDrained() {
		return nil
	}
	return why
}

func (s *scheduler) isDrained() bool { return s.queue.isEmpty() && s.saving == 0 }

// beginSave has close wait until u.done is called. u may call Hash several times.
func (s *scheduler) beginSave(u *upgrade) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if u.done == nil {
		s.saving++
		u.done = s.endSave
	}
}

func (s *scheduler) endSave() {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.saving--
	s.dispatch(time.Now())
}

// countInvalid counts a call that Policy.verifyJob or hashJob has refused.
func (s *scheduler) countInvalid(upgrade bool, r Reason) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.calls.of(upgrade).count(OutcomeInvalid, r)
}

func principalID(id uint64) string { return fmt.Sprintf("%016x", id) }

// maxTop is the length of Stats.Top.
const maxTop = 10

func (s *scheduler) stats() Stats {
	s.mu.Lock()
	now := time.Now()
	q := &s.queue
	st := Stats{
		SignIns:     s.calls.signIns,
		Upgrades:    s.calls.upgrades,
		Workers:     q.workers(),
		Busy:        len(q.running),
		Memory:      q.memory,
		MemoryInUse: q.inUse,
		MaxWait:     q.outlook(q.routeOf(s.unknown, 0), now).limit,
		Wait:        duration(q.outlook(nil, now).ahead),
		Hashes:      q.hashes(),
	}
	// The copies of Calls share their lists.
	st.SignIns.Ended = slices.Clone(st.SignIns.Ended)
	st.Upgrades.Ended = slices.Clone(st.Upgrades.Ended)
	weights := s.admission.shares.weights(now)
	s.mu.Unlock() // sorting thousands takes a millisecond

	ids := slices.SortedFunc(maps.Keys(weights), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	for _, id := range ids[:min(maxTop, len(ids))] {
		st.Top = append(st.Top, TopPrincipal{principalID(id), duration(weights[id])})
	}
	return st
}
