// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"fount/password/internal/histogram"
)

// A Config says how a Scheduler is set up. All fields but MaxWait are required.
type Config struct {
	Workers func() int    // how many tasks the machine runs at once, 1 or more
	Memory  int64         // bytes for all running tasks
	Queue   int           // tasks waiting, at most
	MaxWait time.Duration // longest wait of a task, whatever its deadline; 0: see Scheduler.wait
	Usual   []Stage       // whose longest wait Stats shows

	Lanes    int                 // tasks of one kind at once, at most; 1 or more
	Relative func(n int) float64 // time of n of them, relative to one

	// Run computes a stage of tasks of one course, and notes the answers of those that have theirs:
	// in the last stage all that are not Gone. Leave is called for a task that Run has not answered
	// and does not see again.
	Run   func(stage int, tasks []*Task, answers []Outcome)
	Leave func(t *Task)

	Name   func(k Kind) (algorithm, cost string) // what Stats calls a kind
	Start  func(f func())                        // runs f on a goroutine of its own
	Jitter func(n time.Duration) time.Duration   // returns a random duration in [0, n), n > 0
}

// ErrClosed is the answer to what is submitted after Close, or was not finished by the end of it.
var ErrClosed = errors.New("closed")

// A Refusal is the answer to a task that was not begun.
type Refusal struct {
	Reason     Reason
	RetryAfter time.Duration // with jitter
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("refused (%v), retry after %v", r.Reason, r.RetryAfter)
}

// A Scheduler runs tasks. All methods may be called from any goroutine. It has no goroutine while
// nothing runs.
type Scheduler struct {
	Config
	drained chan struct{} // closed when nothing is left, after Close

	mu       sync.Mutex // held for microseconds, never while a task runs
	closed   bool
	closing  int     // calls of Close that have not given up
	queue    []*Task // first come, first served
	upgrades []*Task // that wait apart
	running  []*batch
	held     int64         // bytes that running occupies
	debt     time.Duration // of upgrades, as of indebted
	indebted time.Time
	shares   shares

	kinds   []*kind // in the order of their first arrival
	courses []*course
	units   map[uint8]float64 // what one of an algorithm took last

	signIns, upgradeCalls Calls
}

// New returns a Scheduler.
func New(c Config) *Scheduler {
	c.MaxWait = min(c.MaxWait, longest)
	s := &Scheduler{Config: c, drained: make(chan struct{}), units: map[uint8]float64{}}
	s.shares.start = time.Now()
	s.signIns.Ended, s.upgradeCalls.Ended = Endings(), Endings()
	return s
}

// Seed tells how long a unit of an algorithm takes, in nanoseconds, until one has been run. Without
// it the first tasks count as no work.
func (s *Scheduler) Seed(algorithm uint8, unit float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.units[algorithm] = unit
}

// Do runs the task and returns nil; or a *Refusal, at once or when it turns out to be late; or
// ctx's error when ctx is done first; or ErrClosed. With an error a worker may still have the task.
func (s *Scheduler) Do(ctx context.Context, t *Task) error {
	t.done = make(chan struct{})
	waits, err := s.submit(ctx, t, true)
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

// Ask returns what Do would answer at once to the task. If that is nil, nothing is left behind; a
// refusal counts as Do's, as its caller makes no task of it.
func (s *Scheduler) Ask(ctx context.Context, t *Task) error {
	_, err := s.submit(ctx, t, false)
	return err
}

// submit judges the task and refuses it or, if it is meant, lets it in. waits: no worker has it.
func (s *Scheduler) submit(ctx context.Context, t *Task, meant bool) (waits bool, err error) {
	why := ctx.Err() // with no lock held: a context is its caller's own code
	limit, limited := ctx.Deadline()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	t.came, t.limit, t.memory, t.calls = now, time.Time{}, 0, s.callsOf(t.Upgrade)
	if limited {
		// By now's clock: a deadline without a monotonic reading is compared by the wall clock,
		// with some tasks and not with others, and a clock that is set turns the order upside down.
		t.limit = now.Add(min(max(limit.Sub(now), -longest), longest))
	}
	for _, g := range t.Stages {
		t.memory = max(t.memory, g.Memory)
	}
	switch {
	case t.memory > s.Memory: // nobody can ever do it
		return false, s.end(t, Invalid, Memory, &Refusal{Reason: Memory}, now)
	case why != nil:
		return false, s.end(t, Canceled, Gone, why, now)
	case s.closed:
		return false, s.end(t, Refused, Closed, ErrClosed, now)
	}
	t.course = s.course(t)
	if meant && !t.Upgrade {
		s.shares.seen(t, now)
	}
	switch reason, late, wait := s.judge(t, now); {
	case reason != NoReason:
		s.refused(t, reason, meant, now)
		return false, s.end(t, Refused, reason, &Refusal{reason, s.retryAfter(late, wait)}, now)
	case meant:
		s.enqueue(t)
		s.dispatch(now)
	}
	return t.state == queued, t.err
}

// retryAfter returns when to come back: after what was missing, spread over what the queue takes.
func (s *Scheduler) retryAfter(late, wait time.Duration) time.Duration {
	return late + time.Millisecond + s.Jitter(max(wait, time.Second))
}

func (s *Scheduler) enqueue(t *Task) {
	t.state = queued
	t.calls.Queued++
	t.course.admitted(t)
	if t.Upgrade {
		s.upgrades = append(s.upgrades, t)
		return
	}
	s.queue = append(s.queue, t)
	t.course.waiting++
	if t.trial {
		t.course.trying = t
	}
	t.charge = int64(s.chargeOf(t.course))
	s.shares.join(t)
}

// withdraw takes a task out of the queue that will not be run, and answers it.
func (s *Scheduler) withdraw(t *Task, o Outcome, r Reason, err error, now time.Time) {
	same := func(other *Task) bool { return other == t }
	if t.Upgrade {
		s.upgrades = slices.DeleteFunc(s.upgrades, same)
	} else {
		s.queue = slices.DeleteFunc(s.queue, same)
		t.course.waiting--
		if t.course.trying == t {
			t.course.trying = nil
		}
		t.leave()
	}
	s.end(t, o, r, err, now)
}

// end counts the task and answers its caller.
func (s *Scheduler) end(t *Task, o Outcome, r Reason, err error, now time.Time) error {
	switch t.state {
	case queued:
		t.calls.Queued--
		t.Waited = now.Sub(t.came)
	case running:
		t.calls.Running--
		t.Served = now.Sub(t.started)
	}
	t.state, t.Outcome, t.Reason, t.err = ended, o, r, err
	t.gone.Store(err != nil)
	t.calls.count(o, r)
	if err == nil {
		t.calls.Wait.Note(t.Waited)
		t.calls.Service.Note(t.Served)
		t.calls.Total.Note(t.Waited + t.Served)
	}
	if t.done != nil {
		close(t.done)
	}
	return err
}

// Count counts a call that was no task: the guards stopped it.
func (s *Scheduler) Count(upgrade bool, r Reason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.callsOf(upgrade).count(Invalid, r)
}

func (s *Scheduler) callsOf(upgrade bool) *Calls {
	if upgrade {
		return &s.upgradeCalls
	}
	return &s.signIns
}

// abandon answers a caller whose context is done, unless its task has just ended.
func (s *Scheduler) abandon(t *Task, why error) error {
	if why == nil { // a context that does not keep its contract: nil would be success
		why = context.Canceled
	}
	outcome, reason := Canceled, Left
	if errors.Is(why, context.DeadlineExceeded) {
		outcome, reason = Expired, NoReason
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch t.state {
	case queued:
		s.withdraw(t, outcome, reason, why, now)
		s.dispatch(now) // it may have been in the way of another
	case running:
		s.end(t, outcome, reason, why, now)
	}
	return t.err
}

// expire drops a task that could not finish in time any more, if it still waits.
func (s *Scheduler) expire(t *Task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if t.state == queued {
		s.drop(t, now)
		s.dispatch(now)
	}
}

// drop answers a task that is late.
func (s *Scheduler) drop(t *Task, now time.Time) {
	ahead, _ := s.ahead(t.course, now)
	s.withdraw(t, Dropped, Late, &Refusal{Late, s.retryAfter(0, duration(ahead))}, now)
}

// Close lets nothing in any more, and returns nil when all that was let in has ended. If ctx is
// done first, it returns ctx's error, and callers that wait get ErrClosed, unless another Close
// still waits for them; workers end in their own time.
func (s *Scheduler) Close(ctx context.Context) error {
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
	if s.closing--; s.closing > 0 && len(s.queue)+len(s.upgrades)+len(s.running) > 0 {
		return why
	}
	now := time.Now()
	for _, t := range slices.Concat(s.queue, s.upgrades) {
		s.withdraw(t, Canceled, Closed, ErrClosed, now)
	}
	for _, b := range s.running {
		for _, t := range b.tasks {
			if t.state == running {
				s.end(t, Canceled, Closed, ErrClosed, now)
			}
		}
	}
	if s.dispatch(now); len(s.running) == 0 {
		return nil
	}
	return why
}

// Stats is a snapshot, consistent in itself. Counts never fall.
type Stats struct {
	SignIns  Calls `json:"sign_ins"`
	Upgrades Calls `json:"upgrades"`

	Workers     int           `json:"workers"` // in force now
	Busy        int           `json:"busy"`
	Memory      int64         `json:"memory"` // the budget, in bytes
	MemoryInUse int64         `json:"memory_in_use"`
	MaxWait     time.Duration `json:"max_wait"` // that a call of the policy's may have to wait now
	Wait        time.Duration `json:"wait"`     // until all there is now is done, as estimated

	Hashes []Hashes `json:"hashes"` // in the order in which kinds were first seen
	Top    []Sender `json:"top"`    // the principals that have most of the machine
}

// Calls is what became of calls. All that have begun are those in Ended, Queued and Running.
type Calls struct {
	Queued  int      `json:"queued"`
	Running int      `json:"running"`
	Ended   []Ending `json:"ended"` // all that there are, in the order of Endings

	// Of those that were answered.
	Wait    histogram.Histogram `json:"wait"`    // in the queue
	Service histogram.Histogram `json:"service"` // with a worker
	Total   histogram.Histogram `json:"total"`   // both
}

func (c *Calls) count(o Outcome, r Reason) {
	for i := range c.Ended {
		if e := &c.Ended[i]; e.Outcome == o && e.Reason == r {
			e.Count++
		}
	}
}

// Of returns how many calls ended so, for one of the reasons if any are given.
func (c Calls) Of(o Outcome, of ...Reason) (n uint64) {
	for _, e := range c.Ended {
		if e.Outcome == o && (len(of) == 0 || slices.Contains(of, e.Reason)) {
			n += e.Count
		}
	}
	return n
}

// Hashes is how long the hashes of one kind take.
type Hashes struct {
	Algorithm string              `json:"algorithm"`
	Cost      string              `json:"cost"`    // "10", "m=19456,t=2,p=1"; "other": of several
	Service   histogram.Histogram `json:"service"` // with a worker, whatever ran beside them
	Alone     time.Duration       `json:"alone"`   // one by itself: the estimate in use
	Drain     time.Duration       `json:"drain"`   // of a worker for one: Workers/Drain is the rate
}

// A Sender is a principal, and what it has in the queue and had in the last seconds, of all
// callers.
type Sender struct {
	ID     string        `json:"id"`     // PrincipalID's
	Weight time.Duration `json:"weight"` // machine time
}

// PrincipalID returns the name that Stats has for a principal.
func PrincipalID(id uint64) string { return fmt.Sprintf("%016x", id) }

// mostSenders is how many principals a snapshot holds.
const mostSenders = 10

// Stats returns a snapshot.
func (s *Scheduler) Stats() Stats {
	st, weights := s.snapshot()
	ids := slices.SortedFunc(maps.Keys(weights), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	for _, id := range ids[:min(mostSenders, len(ids))] {
		st.Top = append(st.Top, Sender{PrincipalID(id), duration(weights[id])})
	}
	return st
}

// snapshot is all that is copied under the lock, and what principals weigh.
func (s *Scheduler) snapshot() (st Stats, weights map[uint64]float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	ahead, _ := s.ahead(nil, now)
	st = Stats{
		SignIns: s.signIns, Upgrades: s.upgradeCalls,
		Workers: s.Workers(), Busy: len(s.running), Memory: s.Memory, MemoryInUse: s.held, MaxWait: s.wait(s.course(&Task{Stages: s.Usual})),
		Wait: duration(ahead), Hashes: make([]Hashes, len(s.kinds)),
	}
	st.SignIns.Ended, st.Upgrades.Ended = slices.Clone(s.signIns.Ended), slices.Clone(s.upgradeCalls.Ended)
	for i, k := range s.kinds {
		algorithm, cost := s.Name(k.Kind)
		one := k.unit.value * k.units
		drain := duration(one * k.relative(k.lanes) / float64(k.lanes))
		st.Hashes[i] = Hashes{algorithm, cost, k.service, duration(one), drain}
	}
	weights = make(map[uint64]float64)
	for _, caller := range s.shares.all.parts {
		for id, p := range caller.parts {
			if w := p.weight(now); w >= float64(time.Microsecond) {
				weights[id] += w
			}
		}
	}
	return st, weights
}
