// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"fount/password/internal/histogram"
)

// A Config says how a Scheduler is set up. Run and Jitter are required.
type Config struct {
	Workers int           // 0: Cores, whatever it becomes
	Memory  int64         // bytes for all running tasks; 0: none for tasks that need any
	Queue   int           // tasks waiting, at most
	MaxWait time.Duration // longest wait of a task, whatever its deadline

	Lanes    int                 // tasks of one kind at once, at most; below 2: one
	Relative func(n int) float64 // time of n at once, relative to one, until it is measured; nil: n

	// Run computes a stage of tasks of one course on the calling goroutine, and notes the answers of
	// those that have theirs: all of them, if it is the last and they are not Gone. slot is smaller than
	// the number of tasks running at once and nobody else's meanwhile.
	Run func(slot, stage int, tasks []*Task, answers []Outcome)

	// Leave is called by the worker for a task that has no answer from Run and comes to it no more.
	Leave func(t *Task)

	// Name returns what Stats calls a kind: its algorithm and its cost.
	Name func(k Kind) (algorithm, cost string)

	// Cores returns how many tasks the machine runs at once; nil: GOMAXPROCS.
	Cores func() int

	// Start runs f on a goroutine of its own; nil: by a go statement, of whoever has called Do.
	Start func(f func())

	// Jitter returns a random duration in [0, n), n > 0.
	Jitter func(n time.Duration) time.Duration
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

// A Scheduler runs tasks. All methods may be called from any goroutine. It has no goroutine of its
// own while nothing runs.
type Scheduler struct {
	run      func(slot, stage int, tasks []*Task, answers []Outcome)
	leave    func(t *Task)
	name     func(k Kind) (algorithm, cost string)
	start    func(f func())
	cores    func() int
	jitter   func(n time.Duration) time.Duration
	workers  int
	memory   int64
	capacity int // of the queue
	maxWait  time.Duration
	made     time.Time

	mu      sync.Mutex // held for microseconds, never while a task runs
	closed  bool
	drained chan struct{} // closed when nothing is left, after Close

	queue    []*Task // first come, first served
	upgrades []*Task // that wait apart
	running  []*batch
	held     int64 // bytes that running occupies
	slots    slots
	debt     time.Duration // of upgrades, as of indebted
	indebted time.Time
	asked    time.Time // when the last sign-in came

	shares shares
	rates  rates

	calls  [2]tally // of sign-ins and of upgrades
	widths []uint64 // batches begun, by width
}

// A tally counts the calls that have ended.
type tally struct {
	ended                [outcomes][reasons]uint64
	wait, service, total histogram.Histogram // of the answered
}

// New returns a Scheduler.
func New(c Config) *Scheduler {
	s := &Scheduler{
		run: c.Run, leave: c.Leave, name: c.Name, start: c.Start, cores: c.Cores, jitter: c.Jitter, capacity: c.Queue,
		workers: c.Workers, memory: c.Memory, maxWait: min(c.MaxWait, longest),
	}
	if s.leave == nil {
		s.leave = func(*Task) {}
	}
	if s.name == nil {
		s.name = func(k Kind) (algorithm, cost string) { return fmt.Sprint(k.Algorithm), fmt.Sprint(k.Cost) }
	}
	if s.start == nil {
		s.start = func(f func()) { go f() }
	}
	if s.cores == nil {
		s.cores = func() int { return runtime.GOMAXPROCS(0) }
	}
	relative := c.Relative
	if relative == nil {
		relative = func(n int) float64 { return float64(n) }
	}
	s.rates = newRates(max(c.Lanes, 1), relative)
	s.widths = make([]uint64, s.rates.lanes+1)
	s.made = time.Now()
	s.shares.start = s.made
	return s
}

// Seed tells how long a unit of an algorithm takes by itself, in nanoseconds, before one has been
// run. Without it the first tasks of an algorithm count as no work.
func (s *Scheduler) Seed(algorithm uint8, unit float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rates.algorithm(algorithm).value = unit
}

// Expect has Stats list the kinds of stages before one has come.
func (s *Scheduler) Expect(stages []Stage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rates.course(stages)
}

// Do runs the task and returns nil; or a *Refusal, at once or when it turns out that it would be
// late; or ctx's error when ctx is done first; or ErrClosed. A worker may still have the task when an
// error is returned.
func (s *Scheduler) Do(ctx context.Context, t *Task) error {
	t.done = make(chan struct{})
	waits, err := s.submit(ctx, t, true)
	if err != nil {
		return err
	}
	if waits {
		timer := time.AfterFunc(time.Until(t.expires), func() { s.expire(t) })
		defer timer.Stop()
		if t.Upgrade {
			defer time.AfterFunc(quiet, s.look).Stop()
		}
	}
	select {
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return s.abandon(t, ctx.Err())
	}
}

// look begins upgrades for which a worker was kept free that nobody took.
func (s *Scheduler) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dispatch(time.Now())
}

// Ask returns what Do would answer at once to the task: nil if it would be let in, and then nothing
// is kept for it and nothing left behind. A refusal leaves what Do's leaves, as its caller makes no
// task of it: it is counted, and the shares take notice.
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
	t.came, t.limit = now, time.Time{}
	if limited {
		// By now's clock: a deadline that has no monotonic reading would be compared by the wall clock, with
		// some tasks and not with others, and a clock that is set would turn the order upside down.
		t.limit = now.Add(min(max(limit.Sub(now), -longest), longest))
	}
	switch {
	case slices.ContainsFunc(t.Stages, func(g Stage) bool { return g.Memory > s.memory }): // nobody can ever do it
		return false, s.end(t, Invalid, Memory, &Refusal{Reason: Memory}, now)
	case why != nil:
		return false, s.end(t, Canceled, Gone, why, now)
	case s.closed:
		return false, s.end(t, Refused, Closed, ErrClosed, now)
	}
	t.course, t.memory = s.rates.course(t.Stages), 0
	for _, g := range t.Stages {
		t.memory = max(t.memory, g.Memory)
	}
	if meant && !t.Upgrade {
		s.shares.seen(t, now)
		s.asked = now
	}
	v := s.judge(t, now)
	if v.reason != NoReason {
		return false, s.refuse(t, v, meant, now)
	}
	if meant {
		s.enqueue(t)
		s.dispatch(now)
	}
	return t.state == queued, t.err
}

// refuse answers a task that is not let in.
func (s *Scheduler) refuse(t *Task, v verdict, meant bool, now time.Time) error {
	if !t.Upgrade {
		if !meant {
			s.shares.seen(t, now)
		}
		if t.course.refused.IsZero() {
			t.course.refused = now
		}
		if v.reason == Share || v.reason == Deadline && t.time(1) <= t.left(now) {
			s.shares.refused(t, now)
		}
	}
	return s.end(t, Refused, v.reason, &Refusal{v.reason, s.retryAfter(v.late, v.wait)}, now)
}

// retryAfter returns when to come back: when the time that was missing has passed, and then spread
// over the time in which the queue is worked off.
func (s *Scheduler) retryAfter(late, wait time.Duration) time.Duration {
	return late + time.Millisecond + s.jitter(max(wait, time.Second))
}

func (s *Scheduler) enqueue(t *Task) {
	t.state = queued
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
	t.charge = s.chargeOf(t.course)
	s.shares.join(t)
}

// dequeue takes a task out that will not be run.
func (s *Scheduler) dequeue(t *Task) {
	same := func(other *Task) bool { return other == t }
	if t.Upgrade {
		s.upgrades = slices.DeleteFunc(s.upgrades, same)
		return
	}
	s.queue = slices.DeleteFunc(s.queue, same)
	t.course.waiting--
	if t.course.trying == t {
		t.course.trying = nil
	}
	t.leave()
}

// end counts the task and answers its caller.
func (s *Scheduler) end(t *Task, o Outcome, r Reason, err error, now time.Time) error {
	switch t.state {
	case queued:
		t.Waited = now.Sub(t.came)
	case running:
		t.Served = now.Sub(t.started)
	}
	t.state, t.Outcome, t.Reason, t.err = ended, o, r, err
	t.gone.Store(err != nil)
	s.count(t.Upgrade, o, r, t.Waited, t.Served)
	if t.done != nil {
		close(t.done)
	}
	return err
}

// Count counts a call that was no task: the guards stopped it.
func (s *Scheduler) Count(upgrade bool, o Outcome, r Reason) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count(upgrade, o, r, 0, 0)
}

func (s *Scheduler) count(upgrade bool, o Outcome, r Reason, wait, run time.Duration) {
	c := &s.calls[0]
	if upgrade {
		c = &s.calls[1]
	}
	c.ended[o][r]++
	if o.Answered() {
		c.wait.Note(wait)
		c.service.Note(run)
		c.total.Note(wait + run)
	}
}

// abandon answers a caller whose context is done. If the task is queued it is dropped; if it runs its
// worker is told; if it has just ended its caller has the result.
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
		s.dequeue(t)
		s.end(t, outcome, reason, why, now)
		s.dispatch(now) // it may have been in the way of another
		s.checkDrained()
	case running:
		s.end(t, outcome, reason, why, now)
	}
	return t.err
}

// expire drops a task that could not finish in time any more.
func (s *Scheduler) expire(t *Task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.state != queued {
		return
	}
	now := time.Now()
	s.dequeue(t)
	s.drop(t, now)
	s.dispatch(now)
	s.checkDrained()
}

// drop answers a task that is late. It is out of the queue already.
func (s *Scheduler) drop(t *Task, now time.Time) {
	ahead, _ := s.ahead(t.course, now)
	s.end(t, Dropped, Late, &Refusal{Late, s.retryAfter(0, duration(ahead))}, now)
}

// Close lets nothing in any more, and returns nil when all that was let in has ended. If ctx is done
// first, each caller that still waits gets ErrClosed, and Close returns ctx's error; what a worker has
// in hand ends in its own time.
func (s *Scheduler) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	if s.drained == nil {
		s.drained = make(chan struct{})
	}
	s.dispatch(time.Now()) // nobody comes any more for whom a worker is kept free
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
	n, now := len(s.queue)+len(s.upgrades), time.Now()
	for _, t := range slices.Concat(s.queue, s.upgrades) {
		s.dequeue(t)
		s.end(t, Canceled, Closed, ErrClosed, now)
	}
	for _, b := range s.running {
		n += len(b.tasks)
		for _, t := range b.tasks {
			if t.state == running {
				s.end(t, Canceled, Closed, ErrClosed, now)
			}
		}
	}
	s.checkDrained()
	if n == 0 {
		return nil
	}
	return fmt.Errorf("closed with %d tasks unfinished: %w", n, why)
}

// checkDrained tells Close when nothing is left.
func (s *Scheduler) checkDrained() {
	if !s.closed || len(s.queue)+len(s.upgrades)+len(s.running) > 0 {
		return
	}
	select {
	case <-s.drained:
	default:
		close(s.drained)
	}
}

// cap returns how many workers there are to be occupied, at least 1.
func (s *Scheduler) cap() int {
	n := s.workers
	if n <= 0 {
		n = s.cores()
	}
	return max(n, 1)
}

// Stats is a snapshot, consistent in itself. Counts start with the scheduler and never fall.
type Stats struct {
	Start time.Time `json:"start"` // when the scheduler was made
	Time  time.Time `json:"time"`  // of the snapshot

	SignIns  Calls `json:"sign_ins"`
	Upgrades Calls `json:"upgrades"`

	Workers     int           `json:"workers"` // in force now
	Busy        int           `json:"busy"`
	Memory      int64         `json:"memory"` // the budget, in bytes
	MemoryInUse int64         `json:"memory_in_use"`
	MaxWait     time.Duration `json:"max_wait"`
	Wait        time.Duration `json:"wait"` // until all that waits and runs now is done, as estimated

	Lanes  []uint64 `json:"lanes"`  // turns of workers by how many calls they did at once
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
	Cost      string              `json:"cost"`    // as stored hashes write it: "10", "m=19456,t=2,p=1"; "other": of several
	Service   histogram.Histogram `json:"service"` // with a worker, whatever ran beside them
	Alone     time.Duration       `json:"alone"`   // one by itself: the estimate in use
	Drain     time.Duration       `json:"drain"`   // workers' time for one while others wait, as estimated: Workers/Drain is the rate
}

// A Sender is a principal, and what it has in the queue and had in the last seconds, of all callers.
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
		Start: s.made, Time: now,
		SignIns: s.calls[0].snapshot(len(s.queue)), Upgrades: s.calls[1].snapshot(len(s.upgrades)),
		Workers: s.cap(), Busy: len(s.running), Memory: s.memory, MemoryInUse: s.held, MaxWait: s.maxWait,
		Wait: duration(ahead), Lanes: slices.Clone(s.widths), Hashes: make([]Hashes, len(s.rates.kinds)),
	}
	for _, b := range s.running {
		for _, t := range b.tasks {
			switch {
			case t.state == ended:
			case t.Upgrade:
				st.Upgrades.Running++
			default:
				st.SignIns.Running++
			}
		}
	}
	for i, k := range s.rates.kinds {
		lanes := 1
		if k.batch {
			lanes = s.rates.lanes
		}
		one := k.unit() * k.units
		st.Hashes[i] = Hashes{"", "", k.service, duration(one), duration(one * k.of(lanes) / float64(lanes))}
		st.Hashes[i].Algorithm, st.Hashes[i].Cost = s.name(k.Kind)
	}
	weights = make(map[uint64]float64)
	for _, caller := range s.shares.all.parts {
		for id, p := range caller.parts {
			if w := p.weight(now); w >= float64(time.Microsecond) {
				weights[id] += w // with all callers
			}
		}
	}
	return st, weights
}

func (c *tally) snapshot(queued int) Calls {
	ended := Endings()
	for i := range ended {
		ended[i].Count = c.ended[ended[i].Outcome][ended[i].Reason]
	}
	return Calls{Queued: queued, Ended: ended, Wait: c.wait, Service: c.service, Total: c.total}
}
