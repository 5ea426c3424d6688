// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What happens to a call of Pool.Verify, from function to function:
//
//	Policy.verifyJob   verify.go     check lengths, form, limits and key
//	newVerifyCall      equal.go      add stages, so that all wrong passwords take equally long
//	queue.do, submit   schedule.go   make it a task
//	queue.admit        admission.go  admit or refuse it; fairness.go: whose calls are confined
//	queue.dispatch     schedule.go   wait in queue.go's lists; form a batch for a free worker
//	Pool.run           compute.go    compute a stage: bcrypts in lanes (internal/blowfish), argon2
//	                                 and scrypt (password/internal), all yielding (internal/turn)
//	call.answer        compute.go    compare in constant time (job.check in verify.go)
//	queue.endStage     schedule.go   learn from the time it took (estimate.go), next stage or end
//
// A task's times and deadline are monotonic: a step of the wall clock changes none of them.

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

// do runs the task. The error is nil, OverloadedError, ErrClosed, or ctx's if ctx is done first.
// After an error a worker may still have the task.
func (q *queue) do(ctx context.Context, t *task) error {
	t.done = make(chan struct{})
	waits, err := q.submit(ctx, t, false)
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

// submit refuses the task or puts it into the queue. In a dry run, for Pool.Ready, a refusal counts
// as any other, but a task that would be admitted is forgotten. waits reports whether the task is
// in the queue and no worker has it yet.
func (q *queue) submit(ctx context.Context, t *task, dryRun bool) (waits bool, err error) {
	why := ctx.Err() // unlocked, as a context may run the caller's code
	limit, limited := ctx.Deadline()
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	t.arrived, t.deadline, t.memory, t.counts = now, time.Time{}, 0, q.countsOf(t.upgrade)
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
		return false, q.finish(t, OutcomeInvalid, ReasonMemory, err, now)
	case why != nil:
		return false, q.finish(t, OutcomeCanceled, ReasonGone, why, now)
	case q.closed:
		return false, q.finish(t, OutcomeRefused, ReasonClosed, ErrClosed, now)
	}
	t.route = q.routeOf(t.stages, t.memory)
	if !dryRun && !t.upgrade {
		q.shares.noteActive(t.caller, t.principal, now)
	}
	switch reason, late, wait := q.admit(t, now); {
	case reason != NoReason:
		q.noteRefusal(t, reason, dryRun, now)
		return false, q.finish(t, OutcomeRefused, reason, OverloadedError{reason, retryAfter(late, wait)}, now)
	case !dryRun:
		q.enqueue(t)
		q.dispatch(now)
	}
	return t.state == queued, t.err
}

// retryAfter returns how long a refused client shall wait: the time by which it was late, and a
// random part of the time that the queue takes, so that refused clients don't come back together.
func retryAfter(late, wait time.Duration) time.Duration {
	return late + time.Millisecond + fount.N(max(wait, time.Second))
}

func (q *queue) enqueue(t *task) {
	t.state = queued
	t.counts.Queued++
	t.route.memory = max(t.route.memory, t.memory)
	for i, k := range t.route.timings {
		k.units += (max(t.stages[i].units, 1) - k.units) * smoothing
	}
	if t.upgrade {
		q.upgrades = append(q.upgrades, t)
		return
	}
	q.waiting = append(q.waiting, t)
	t.route.waiting++
	if t.trial {
		t.route.inTrial, t.route.trialTime = true, t.alone
	}
	t.charge = int64(q.chargeOf(t.route))
	t.levels = q.shares.enqueue(t.caller, t.principal, t.charge)
}

// remove takes a task out of the queue and answers its caller.
func (q *queue) remove(t *task, o Outcome, r Reason, err error, now time.Time) {
	same := func(other *task) bool { return other == t }
	if t.upgrade {
		q.upgrades = slices.DeleteFunc(q.upgrades, same)
	} else {
		q.waiting = slices.DeleteFunc(q.waiting, same)
		t.route.waiting--
		if t.trial {
			t.route.inTrial, t.route.trialTime = false, 0
		}
		t.levels.dequeue(t.charge)
	}
	q.finish(t, o, r, err, now)
}

// finish counts the task and answers its caller.
func (q *queue) finish(t *task, o Outcome, r Reason, err error, now time.Time) error {
	switch t.state {
	case queued:
		t.counts.Queued--
		t.waited = now.Sub(t.arrived)
	case running:
		t.counts.Running--
		t.served = now.Sub(t.started)
	}
	if err != nil && !t.begun() {
		err = notBegun{err}
	}
	t.state, t.outcome, t.reason, t.err = ended, o, r, err
	t.gone.Store(err != nil)
	t.counts.count(o, r)
	if err == nil {
		t.counts.Wait.record(t.waited)
		t.counts.Service.record(t.served)
		t.counts.Total.record(t.waited + t.served)
	}
	if t.done != nil {
		close(t.done)
	}
	return err
}

// countInvalid counts a call that Policy.verifyJob or hashJob has refused.
func (q *queue) countInvalid(upgrade bool, r Reason) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.countsOf(upgrade).count(OutcomeInvalid, r)
}

// abandon answers a caller whose context is done, unless its task has just ended.
func (q *queue) abandon(t *task, why error) error {
	if why == nil { // a broken context: nil would mean a match
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
		q.remove(t, outcome, reason, why, now)
		q.dispatch(now) // the next in the queue may fit
	case running:
		q.finish(t, outcome, reason, why, now)
	}
	return t.err
}

// expire drops a task that still waits at t.expires.
func (q *queue) expire(t *task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	if t.state == queued {
		q.dropLate(t, now)
		q.dispatch(now)
	}
}

// dropLate refuses a task that was admitted and can't be in time any more.
func (q *queue) dropLate(t *task, now time.Time) {
	ahead, _ := q.timeAhead(t.route, now)
	q.remove(t, OutcomeDropped, ReasonLate, OverloadedError{ReasonLate, retryAfter(0, duration(ahead))}, now)
}

// close admits no more tasks, and returns nil when all have ended. If ctx is done first, it returns
// ctx's error and answers all callers with ErrClosed, unless another close still waits for them.
// Workers may then run on for a while.
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
		q.remove(t, OutcomeCanceled, ReasonClosed, ErrClosed, now)
	}
	for _, b := range q.running {
		for _, t := range b.tasks {
			if t.state == running {
				q.finish(t, OutcomeCanceled, ReasonClosed, ErrClosed, now)
			}
		}
	}
	q.dispatch(now)
	if len(q.running) == 0 {
		return nil
	}
	return why
}

// dispatch starts batches until no worker, no memory or no task is left. No sign-in overtakes the
// first in the queue. When no task is left, dispatch wakes close.
func (q *queue) dispatch(now time.Time) {
	upgrade := func() bool {
		tasks := q.nextUpgrades(now)
		if tasks != nil {
			q.start(tasks, true, now)
		}
		return tasks != nil
	}
	for len(q.waiting) > 0 {
		head := q.waiting[0]
		switch {
		case !head.trial && now.Add(head.timeOf(1)).After(head.due):
			q.dropLate(head, now)
		case !head.trial && upgrade():
		case !q.fits(head):
			return
		default:
			q.beginBatch(head, now)
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

// beginBatch starts a batch with the head of the queue. It spreads the route's waiting tasks over
// the free workers that no other route needs, so that none idles while another runs two tasks.
// Upgrades fill the lanes that are left.
func (q *queue) beginBatch(head *task, now time.Time) {
	r := head.route
	if head.trial {
		q.start([]*task{head}, false, now)
		return
	}
	free := max(q.workers()-len(q.running)-(len(q.waiting)-r.waiting), 1)
	tasks := fillBatch([]*task{head}, q.waiting, min(r.lanes, (r.waiting+free-1)/free), head.due, now)
	q.start(fillBatch(tasks, q.upgrades, r.lanes, head.due, now), false, now)
}

func (q *queue) start(tasks []*task, onlyUpgrades bool, now time.Time) {
	r := tasks[0].route
	b := &batch{tasks: tasks, route: r, memory: tasks[0].memory, onlyUpgrades: onlyUpgrades, began: now, stageBegan: now}
	b.end = now.Add(tasks[0].timeOf(len(tasks)))
	if t := tasks[0]; t.trial {
		b.end = now.Add(min(t.alone, t.timeLeft(now)))
		r.trialTime = 0
	}
	for _, t := range tasks {
		if !t.upgrade {
			t.levels.serve(t.charge, now)
			r.waiting--
		}
		t.counts.Queued--
		t.counts.Running++
		t.state, t.started, t.waited, t.together = running, now, now.Sub(t.arrived), len(tasks)
	}
	if !onlyUpgrades {
		r.refusedSince = time.Time{}
	}
	begun := func(t *task) bool { return t.state != queued }
	q.waiting, q.upgrades = slices.DeleteFunc(q.waiting, begun), slices.DeleteFunc(q.upgrades, begun)
	q.memoryInUse += b.memory
	q.running = append(q.running, b)
	// A go statement would inherit the caller's profiler labels and what crypto/fips140 and
	// crypto/subtle set. A timer's goroutine inherits nothing.
	time.AfterFunc(0, func() { q.runBatch(b) })
}

// runBatch runs all stages of a batch, as a worker.
func (q *queue) runBatch(b *batch) {
	tasks := b.tasks
	for len(tasks) > 0 {
		answers := make([]Outcome, len(tasks))
		q.run(b.stage, tasks, answers)
		rest := q.endStage(b, answers)
		for i, t := range tasks {
			if answers[i] == "" && !slices.Contains(rest, t) {
				q.discard(t)
			}
		}
		tasks = rest
	}
}

// endStage learns how long a stage took, answers the callers whose answers are known, and returns
// the other tasks, which go on to the next stage. After the last it frees the worker.
func (q *queue) endStage(b *batch, answers []Outcome) (rest []*task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	k, first, n, wanted := b.route.timings[b.stage], b.tasks[0], len(b.tasks), 0
	for _, t := range b.tasks {
		if !t.isGone() {
			wanted++
		}
	}
	units := first.stages[b.stage].units
	took, old := now.Sub(b.stageBegan), k.unitTime.value*units*k.relative(n)
	b.expected += old
	if first.trial && wanted > 0 && float64(took)*outlierFactor < old {
		k.unitTime.known = false // the trial has shown that it was far too high: learn replaces it
	}
	if units > 0 && k.learn(n, wanted, units, b.stageBegan, now) {
		for _, r := range q.routes { // allow new trials at once
			r.failedTrial, r.nextIdleTrial, r.nextBusyTrial = 0, time.Time{}, time.Time{}
		}
	}
	q.unitTime[k.kind.algorithm] = k.unitTime.value
	for i, t := range b.tasks {
		if t.state == ended { // its caller left
			continue
		}
		k.service.record(took)
		if answers[i] != "" {
			q.finish(t, answers[i], NoReason, nil, now)
		} else {
			rest = append(rest, t)
		}
	}
	b.stage++
	if b.stage < len(b.route.timings) && len(rest) > 0 {
		b.tasks, b.stageBegan, b.end = rest, now, now.Add(b.route.timeFrom(b.stage, len(rest)))
		return rest
	}
	if first.trial {
		b.route.inTrial = false
		if took := now.Sub(b.began); wanted == 0 || float64(took)*outlierFactor >= b.expected {
			b.route.failedTrial, b.route.nextIdleTrial = took, now.Add(750*time.Millisecond)
			b.route.nextBusyTrial = now.Add(max(150*time.Millisecond, 8*took))
		}
	}
	q.memoryInUse -= b.memory
	q.running = slices.DeleteFunc(q.running, func(other *batch) bool { return other == b })
	if b.onlyUpgrades {
		q.upgradeDebt = min(q.debtAt(now)+now.Sub(b.began), q.repaid(time.Minute))
		q.debtAsOf = now
	}
	q.dispatch(now)
	return nil
}

func principalID(id uint64) string { return fmt.Sprintf("%016x", id) }

// maxTop is the length of Stats.Top.
const maxTop = 10

func (q *queue) stats() Stats {
	q.mu.Lock()
	now := time.Now()
	ahead, _ := q.timeAhead(nil, now)
	st := Stats{
		SignIns: q.signIns, Upgrades: q.upgradeCalls,
		Workers: q.workers(), Busy: len(q.running), Memory: q.memory, MemoryInUse: q.memoryInUse, MaxWait: q.waitLimit(q.routeOf(q.stages, 0)),
		Wait: duration(ahead), Hashes: make([]Hashes, len(q.timings)),
	}
	st.SignIns.Ended, st.Upgrades.Ended = slices.Clone(q.signIns.Ended), slices.Clone(q.upgradeCalls.Ended)
	for i, k := range q.timings {
		algorithm, cost := k.kind.names()
		one := k.unitTime.value * k.units
		drain := duration(one * k.relative(k.lanes) / float64(k.lanes))
		st.Hashes[i] = Hashes{algorithm, cost, k.service, duration(one), drain}
	}
	weights := make(map[uint64]float64)
	for _, caller := range q.shares.all.parts {
		for id, s := range caller.parts {
			if w := s.weight(now); w >= float64(time.Microsecond) {
				weights[id] += w
			}
		}
	}
	q.mu.Unlock() // sorting thousands takes a millisecond
	ids := slices.SortedFunc(maps.Keys(weights), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	for _, id := range ids[:min(maxTop, len(ids))] {
		st.Top = append(st.Top, TopPrincipal{principalID(id), duration(weights[id])})
	}
	return st
}
