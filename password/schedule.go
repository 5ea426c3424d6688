// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// The way of a call through the pool: it is let in or refused, waits, gets a worker, and is
// answered.
//
//	queue.go      what waits, and what a worker has in hand
//	schedule.go   the way itself, and what a free worker does next
//	admission.go  whether a newcomer can be in time, and whether others need the time more
//	fairness.go   who has had too much
//	estimate.go   how long hashes take, as measured and as tried

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"fount"
)

// do runs the task and returns nil; or OverloadedError, at once or when it turns out to be late; or
// ctx's error when ctx is done first; or ErrClosed. With an error a worker may still have the task.
func (q *queue) do(ctx context.Context, t *task) error {
	t.done = make(chan struct{})
	waits, err := q.submit(ctx, t, true)
	if err != nil {
		return err
	}
	if waits {
		defer time.AfterFunc(time.Until(t.expires), func() { q.expire(t) }).Stop()
	}
	select {
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return q.abandon(t, ctx.Err())
	}
}

// submit judges the task and refuses it or, if it is meant, lets it in. Of one that is not meant a
// refusal counts alike, and nothing else is left behind. waits: no worker has it.
func (q *queue) submit(ctx context.Context, t *task, meant bool) (waits bool, err error) {
	why := ctx.Err() // with no lock held: a context is its caller's own code
	limit, limited := ctx.Deadline()
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	t.came, t.limit, t.memory, t.calls = now, time.Time{}, 0, q.callsOf(t.upgrade)
	if limited {
		// By now's clock: a deadline without a monotonic reading is compared by the wall clock,
		// with some tasks and not with others, and a clock that is set turns the order upside down.
		t.limit = now.Add(min(max(limit.Sub(now), -longestWait), longestWait))
	}
	for _, e := range t.stages {
		t.memory = max(t.memory, e.memory)
	}
	switch {
	case t.memory > q.memory: // nobody can ever do it
		err := fmt.Errorf("%w: it needs %d bytes, and the pool has a memory of %d", errMemory, t.memory, q.memory)
		return false, q.end(t, OutcomeInvalid, ReasonMemory, err, now)
	case why != nil:
		return false, q.end(t, OutcomeCanceled, ReasonGone, why, now)
	case q.closed:
		return false, q.end(t, OutcomeRefused, ReasonClosed, ErrClosed, now)
	}
	t.course = q.course(t.stages, t.memory)
	if meant && !t.upgrade {
		q.shares.seen(t.caller, t.principal, now)
	}
	switch reason, late, wait := q.judge(t, now); {
	case reason != NoReason:
		q.refused(t, reason, meant, now)
		return false, q.end(t, OutcomeRefused, reason, OverloadedError{reason, retryAfter(late, wait)}, now)
	case meant:
		q.enqueue(t)
		q.dispatch(now)
	}
	return t.state == queued, t.err
}

// retryAfter returns when to come back: after what was missing, spread evenly over what the queue
// takes: no two clients, and no two clones of this machine, alike.
func retryAfter(late, wait time.Duration) time.Duration {
	return late + time.Millisecond + fount.N(max(wait, time.Second))
}

func (q *queue) enqueue(t *task) {
	t.state = queued
	t.calls.Queued++
	t.course.memory = max(t.course.memory, t.memory)
	for i, k := range t.course.timings {
		k.units += (max(t.stages[i].units, 1) - k.units) * weight
	}
	if t.upgrade {
		q.upgrades = append(q.upgrades, t)
		return
	}
	q.waiting = append(q.waiting, t)
	t.course.waiting++
	if t.trial {
		t.course.trying, t.course.believed = true, t.work
	}
	t.charge = int64(q.chargeOf(t.course))
	t.shares = q.shares.join(t.caller, t.principal, t.charge)
}

// withdraw takes a task out of the queue that will not be run, and answers it.
func (q *queue) withdraw(t *task, o Outcome, r Reason, err error, now time.Time) {
	same := func(other *task) bool { return other == t }
	if t.upgrade {
		q.upgrades = slices.DeleteFunc(q.upgrades, same)
	} else {
		q.waiting = slices.DeleteFunc(q.waiting, same)
		t.course.waiting--
		if t.trial {
			t.course.trying, t.course.believed = false, 0
		}
		t.shares.leave(t.charge)
	}
	q.end(t, o, r, err, now)
}

// end counts the task and answers its caller.
func (q *queue) end(t *task, o Outcome, r Reason, err error, now time.Time) error {
	switch t.state {
	case queued:
		t.calls.Queued--
		t.waited = now.Sub(t.came)
	case running:
		t.calls.Running--
		t.served = now.Sub(t.started)
	}
	if err != nil && !t.begun() {
		err = notBegun{err}
	}
	t.state, t.outcome, t.reason, t.err = ended, o, r, err
	t.gone.Store(err != nil)
	t.calls.count(o, r)
	if err == nil {
		t.calls.Wait.note(t.waited)
		t.calls.Service.note(t.served)
		t.calls.Total.note(t.waited + t.served)
	}
	if t.done != nil {
		close(t.done)
	}
	return err
}

// count counts a call that was no task: the guards stopped it.
func (q *queue) count(upgrade bool, r Reason) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.callsOf(upgrade).count(OutcomeInvalid, r)
}

// abandon answers a caller whose context is done, unless its task has just ended.
func (q *queue) abandon(t *task, why error) error {
	if why == nil { // a context that does not keep its contract: nil would be success
		why = context.Canceled
	}
	outcome, reason := OutcomeCanceled, ReasonLeft
	if errors.Is(why, context.DeadlineExceeded) {
		outcome, reason = OutcomeExpired, NoReason
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	switch t.state {
	case queued:
		q.withdraw(t, outcome, reason, why, now)
		q.dispatch(now) // it may have been in the way of another
	case running:
		q.end(t, outcome, reason, why, now)
	}
	return t.err
}

// expire drops a task that could not finish in time any more, if it still waits.
func (q *queue) expire(t *task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	if t.state == queued {
		q.drop(t, now)
		q.dispatch(now)
	}
}

// drop answers a task that is late.
func (q *queue) drop(t *task, now time.Time) {
	ahead, _ := q.ahead(t.course, now)
	q.withdraw(t, OutcomeDropped, ReasonLate, OverloadedError{ReasonLate, retryAfter(0, duration(ahead))}, now)
}

// close lets nothing in any more, and returns nil when all that was let in has ended. If ctx is
// done first, it returns ctx's error, and callers that wait get ErrClosed, unless another close
// still waits for them; workers end in their own time.
func (q *queue) close(ctx context.Context) error {
	q.mu.Lock()
	q.closed = true
	q.closing++
	q.dispatch(time.Now())
	q.mu.Unlock()
	select {
	case <-q.drained:
		return nil
	case <-ctx.Done():
	}
	why := ctx.Err()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closing--
	if q.closing > 0 && len(q.waiting)+len(q.upgrades)+len(q.running) > 0 {
		return why
	}
	now := time.Now()
	for _, t := range slices.Concat(q.waiting, q.upgrades) {
		q.withdraw(t, OutcomeCanceled, ReasonClosed, ErrClosed, now)
	}
	for _, b := range q.running {
		for _, t := range b.tasks {
			if t.state == running {
				q.end(t, OutcomeCanceled, ReasonClosed, ErrClosed, now)
			}
		}
	}
	q.dispatch(now)
	if len(q.running) == 0 {
		return nil
	}
	return why
}

// dispatch hands out work until no worker, no memory or no task is left, and tells close when none
// is. Nobody passes the first in the queue.
func (q *queue) dispatch(now time.Time) {
	upgrade := func() bool {
		tasks := q.nextUpgrades(now)
		if tasks != nil {
			q.begin(tasks, true, now)
		}
		return tasks != nil
	}
	for len(q.waiting) > 0 {
		head := q.waiting[0]
		switch {
		case !head.trial && now.Add(head.time(1)).After(head.due):
			q.drop(head, now)
		case !head.trial && upgrade():
		case !q.fits(head):
			return
		default:
			q.form(head, now)
		}
	}
	for {
		if begun := upgrade(); !begun {
			break
		}
	}
	if q.closed && len(q.waiting)+len(q.upgrades)+len(q.running) == 0 {
		select {
		case <-q.drained:
		default:
			close(q.drained)
		}
	}
}

// form begins a batch with the first of the queue. No worker shall be idle while another has two:
// the waiting tasks of the course are spread over the free workers that no other takes. Upgrades
// get the lanes that are left.
func (q *queue) form(head *task, now time.Time) {
	c := head.course
	if head.trial {
		q.begin([]*task{head}, false, now)
		return
	}
	free := max(q.workers()-len(q.running)-(len(q.waiting)-c.waiting), 1)
	tasks := company([]*task{head}, q.waiting, min(c.lanes, (c.waiting+free-1)/free), head.due, now)
	q.begin(company(tasks, q.upgrades, c.lanes, head.due, now), false, now)
}

func (q *queue) begin(tasks []*task, upgrades bool, now time.Time) {
	c := tasks[0].course
	b := &batch{tasks: tasks, course: c, memory: tasks[0].memory, upgrades: upgrades, began: now, since: now}
	b.end = now.Add(tasks[0].time(len(tasks)))
	if t := tasks[0]; t.trial {
		b.end = now.Add(min(t.work, t.left(now)))
		c.believed = 0
	}
	for _, t := range tasks {
		if !t.upgrade {
			t.shares.serve(t.charge, now)
			c.waiting--
		}
		t.calls.Queued--
		t.calls.Running++
		t.state, t.started, t.waited, t.beside = running, now, now.Sub(t.came), len(tasks)
	}
	if !upgrades {
		c.refused = time.Time{}
	}
	waits := func(t *task) bool { return t.state != queued }
	q.waiting, q.upgrades = slices.DeleteFunc(q.waiting, waits), slices.DeleteFunc(q.upgrades, waits)
	q.held += b.memory
	q.running = append(q.running, b)
	// A go statement would hand down the caller's profiler labels, and what crypto/fips140 and
	// crypto/subtle set. A timer's goroutine has no parent.
	time.AfterFunc(0, func() { q.work(b) })
}

// work is a worker's turn.
func (q *queue) work(b *batch) {
	tasks := b.tasks
	for len(tasks) > 0 {
		answers := make([]Outcome, len(tasks))
		q.run(b.stage, tasks, answers)
		going := q.step(b, answers)
		for i, t := range tasks {
			if answers[i] == "" && !slices.Contains(going, t) {
				q.leave(t)
			}
		}
		tasks = going
	}
}

// step learns how long a stage took, answers those that have their answers, and returns the others,
// which go on to the next.
func (q *queue) step(b *batch, answers []Outcome) (going []*task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	k, first, n, left := b.course.timings[b.stage], b.tasks[0], len(b.tasks), 0
	for _, t := range b.tasks {
		if !t.isGone() {
			left++
		}
	}
	units := first.stages[b.stage].units
	took, old := now.Sub(b.since), k.unit.value*units*k.relative(n)
	b.expected += old
	if first.trial && left > 0 && float64(took)*far < old {
		k.unit.known = false // what was measured now replaces it
	}
	if units > 0 && k.learn(n, left, units, b.since, now) {
		for _, c := range q.courses { // what took too long before is tried again
			c.failed, c.next, c.nextBusy = 0, time.Time{}, time.Time{}
		}
	}
	q.units[k.kind.algorithm] = k.unit.value
	for i, t := range b.tasks {
		if t.state == ended { // its caller left
			continue
		}
		k.service.note(took)
		if answers[i] != "" {
			q.end(t, answers[i], NoReason, nil, now)
		} else {
			going = append(going, t)
		}
	}
	b.stage++
	if b.stage < len(b.course.timings) && len(going) > 0 {
		b.tasks, b.since, b.end = going, now, now.Add(b.course.timeFrom(b.stage, len(going)))
		return going
	}
	if first.trial {
		b.course.trying = false
		if took := now.Sub(b.began); left == 0 || float64(took)*far >= b.expected {
			b.course.failed, b.course.next = took, now.Add(750*time.Millisecond)
			b.course.nextBusy = now.Add(max(150*time.Millisecond, 8*took))
		}
	}
	q.held -= b.memory
	q.running = slices.DeleteFunc(q.running, func(other *batch) bool { return other == b })
	if b.upgrades {
		q.debt = min(q.debtAt(now)+now.Sub(b.began), q.repaid(time.Minute))
		q.indebted = now
	}
	q.dispatch(now)
	return nil
}

func principalID(id uint64) string { return fmt.Sprintf("%016x", id) }

// mostSenders is how many principals a snapshot holds.
const mostSenders = 10

func (q *queue) stats() Stats {
	q.mu.Lock()
	now := time.Now()
	ahead, _ := q.ahead(nil, now)
	st := Stats{
		SignIns: q.signIns, Upgrades: q.upgradeCalls,
		Workers: q.workers(), Busy: len(q.running), Memory: q.memory, MemoryInUse: q.held, MaxWait: q.wait(q.course(q.usual, 0)),
		Wait: duration(ahead), Hashes: make([]Hashes, len(q.timings)),
	}
	st.SignIns.Ended, st.Upgrades.Ended = slices.Clone(q.signIns.Ended), slices.Clone(q.upgradeCalls.Ended)
	for i, k := range q.timings {
		algorithm, cost := k.kind.names()
		one := k.unit.value * k.units
		drain := duration(one * k.relative(k.lanes) / float64(k.lanes))
		st.Hashes[i] = Hashes{algorithm, cost, k.service, duration(one), drain}
	}
	weights := make(map[uint64]float64)
	for _, caller := range q.shares.all.parts {
		for id, p := range caller.parts {
			if w := p.weight(now); w >= float64(time.Microsecond) {
				weights[id] += w
			}
		}
	}
	q.mu.Unlock() // to sort thousands takes a millisecond
	ids := slices.SortedFunc(maps.Keys(weights), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	for _, id := range ids[:min(mostSenders, len(ids))] {
		st.Top = append(st.Top, TopPrincipal{principalID(id), duration(weights[id])})
	}
	return st
}
