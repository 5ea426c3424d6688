// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What waits, and who is next.

import (
	"slices"
	"sync/atomic"
	"time"
)

// A task is a call of Verify, Hash or Ready as the scheduler sees it. The Pool sets the first group
// of fields.
type task struct {
	caller    uint64   // keyed hash of Login.Caller; each caller has a share of the machine
	principal uint64   // keyed hash of Login.Principal; each has a part of its caller's share
	upgrade   bool     // Login.Upgrade: it waits in the line of upgrades
	dryRun    bool     // Ready: it only asks
	stages    []effort // one worker computes them in order, until one has the answer
	call      *call    // what run computes

	// The results, set when do returns.
	outcome  Outcome
	reason   Reason
	waited   time.Duration // in the queue
	served   time.Duration // on a worker, until the answer
	together int           // size of its batch; 0 if no worker had it
	err      error         // nil if it was answered

	route  *route
	counts *Calls        // counts it
	claim  claim         // while it is queued
	memory int64         // bytes of its largest stage
	trial  bool          // admitted only to test an estimate
	alone  time.Duration // estimated time if its batch has no other task

	state state
	gone  atomic.Bool   // the caller has left, and the worker may give up
	done  chan struct{} // closed when the caller has its answer

	arrived  time.Time
	started  time.Time
	deadline time.Time // the context's; zero if it has none
	due      time.Time // the answer is of no use later
	beginBy  time.Time // in time for due even in a full batch
	expires  time.Time // in time for due if alone
}

// A state says where a task is. It changes under the scheduler's lock.
type state uint8

const (
	fresh   state = iota
	queued        // waits for a worker
	running       // a worker has it, and the caller waits
	ended         // the caller has its answer; a worker may still have it
)

// begun reports whether a worker got the task. If so, the task is the worker's until run returns,
// even if do has returned an error before.
func (t *task) begun() bool { return t.together > 0 }

// timeOf returns how long a batch of n tasks like t takes. Tasks of one route differ in their units
// by the length of the password, or by a wrapped hash's inner hash.
func (t *task) timeOf(n int) time.Duration {
	sum := 0.0
	for i, k := range t.route.timings {
		sum += k.unitTime.value * max(t.stages[i].units, 1) * k.relative(n)
	}
	return duration(sum)
}

func (t *task) timeLeft(now time.Time) time.Duration {
	if t.deadline.IsZero() {
		return longestWait
	}
	return t.deadline.Sub(now)
}

// end counts the task and answers its caller.
func (t *task) end(o Outcome, r Reason, err error, now time.Time) error {
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

	t.state = ended
	t.outcome = o
	t.reason = r
	t.err = err
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

// A line has the sign-ins that wait, first come, first served.
type line struct{ tasks []*task }

// next returns the tasks of a batch with the head of the line, or nil. It spreads the route's tasks
// over the free workers that no other route needs, so that none idles while another runs two.
// Upgrades fill the lanes that are left.
func (l *line) next(m *machine, upgrades []*task, now time.Time) []*task {
	if len(l.tasks) == 0 || !m.fits(l.tasks[0]) {
		return nil
	}
	head := l.tasks[0]
	tasks := []*task{head}
	if head.trial {
		return tasks
	}

	r := head.route
	free := max(m.free()-(len(l.tasks)-r.waiting), 1)
	spread := (r.waiting + free - 1) / free
	tasks = fillBatch(tasks, l.tasks, min(r.lanes, spread), now)
	return fillBatch(tasks, upgrades, r.lanes, now)
}

func without[T comparable](list []T, one T) []T {
	return slices.DeleteFunc(list, func(other T) bool { return other == one })
}

// fillBatch adds tasks of list to a batch of up to limit tasks, unless one of the batch would then
// be late that would be in time alone. A task that is late even alone, as hashes have become
// slower, does not keep the batch small.
func fillBatch(tasks, list []*task, limit int, now time.Time) []*task {
	head := tasks[0]
	for _, t := range list {
		n := len(tasks) + 1
		if n > limit {
			break
		}
		if t == head || t.route != head.route || t.trial || t.memory > head.memory {
			continue
		}

		end := now.Add(max(head.timeOf(n), t.timeOf(n)))
		late := func(t *task) bool { return end.After(t.due) && !now.Add(t.timeOf(1)).After(t.due) }
		if !late(t) && !slices.ContainsFunc(tasks, late) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// An upgradeLine has the upgrades that wait. They begin when no sign-in waits, and in lanes that a
// batch of sign-ins leaves free. Under lasting load they get 1/upgradePart of the machine, so that
// a store still moves.
type upgradeLine struct {
	tasks    []*task
	nextTurn time.Time // when one may begin before sign-ins that wait
	last     *batch    // whose pause ends then
}

const (
	maxUpgrades = 64
	upgradeWait = 10 * time.Second
	upgradePart = 100
)

// next returns the upgrades that may begin now as one batch, before the sign-ins that wait, or nil.
func (u *upgradeLine) next(m *machine, signIns []*task, now time.Time) []*task {
	if len(u.tasks) == 0 || !m.fits(u.tasks[0]) {
		return nil
	}

	tasks := []*task{u.tasks[0]}
	switch {
	case len(signIns) == 0:
		free := max(m.free(), 1)
		n := min(tasks[0].route.lanes, (len(u.tasks)+free-1)/free)
		tasks = fillBatch(tasks, u.tasks, n, now)
	case signIns[0].trial, now.Before(u.nextTurn):
		return nil
	}

	// Also where no sign-in waits: one that comes now finds one batch ahead, and no second.
	u.nextTurn = now.Add(m.pause(tasks[0].timeOf(len(tasks))))
	return tasks
}

// A queue is all that waits and runs. It decides who is next, and who is late. It has no lock and
// no goroutine, and knows no time but what it is told: see scheduler.
type queue struct {
	line     line
	upgrades upgradeLine
	machine  // its workers, memory, inUse, running; free, fits, parallel, pause, batchTime, charge
	times    // its maxWait, timings, routes, unitTime, lanes; learn, waitLimit, routeOf, hashes
}

func (q *queue) isEmpty() bool {
	return len(q.line.tasks)+len(q.upgrades.tasks)+len(q.running) == 0
}

// join adds an admitted task.
func (q *queue) join(t *task) {
	t.state = queued
	t.counts.Queued++
	t.route.note(t.stages, t.memory)
	if t.upgrade {
		q.upgrades.tasks = append(q.upgrades.tasks, t)
		return
	}

	q.line.tasks = append(q.line.tasks, t)
	t.route.waiting++
	if t.trial {
		t.route.trials.current = t
	}
}

// An outlook is what a task of a route finds ahead of it.
type outlook struct {
	ahead  float64       // nanoseconds that the machine needs for all that runs and waits
	spread float64       // the largest among it
	limit  time.Duration // how long the task may wait until it begins
}

// outlook returns the outlook of a task of a route, which may be nil.
//
// The limit is the longest of own and of all that run or wait, upgrades too. In a shorter queue a
// flood would leave no room for others, and neither would an upgrade that takes longer than the
// limit.
func (q *queue) outlook(own *route, now time.Time) outlook {
	var found outlook
	for _, b := range q.running {
		found.spread = max(found.spread, b.route.spread())
		found.limit = max(found.limit, q.waitLimit(b.route))
	}

	for _, r := range q.routes {
		if r.waiting > 0 || r == own {
			found.ahead += q.timeWaiting(r, own)
			found.spread = max(found.spread, r.spread())
			found.limit = max(found.limit, q.waitLimit(r))
		}
	}

	if len(q.upgrades.tasks) > 0 {
		r := q.upgrades.tasks[0].route
		found.limit = max(found.limit, q.waitLimit(r))
		isAhead := !now.Add(found.limit).Before(q.upgrades.nextTurn)
		if isAhead {
			found.ahead += float64(r.time(1)) / q.parallel(r)
		}
	}

	for _, b := range q.running {
		found.ahead += float64(b.timeLeft(found.limit, now)) / q.parallel(b.route)
	}
	return found
}

// timeWaiting returns the machine time, in nanoseconds, of a route's sign-ins that wait.
//
// A batch counts as its worker's time divided by how many such batches run at once. Each is taken
// to be full, but for the last one of own, which a task of own would join.
func (q *queue) timeWaiting(r, own *route) (sum float64) {
	n := r.waiting
	if trial := r.trials.current; trial != nil && trial.state == queued {
		n--
		sum = float64(trial.alone) / q.parallel(r)
	}
	if r != own {
		n += r.lanes - 1 // to round up
	}
	return sum + float64(n/r.lanes)*q.batchTime(r)
}

// remove takes a waiting task out and answers its caller.
func (q *queue) remove(t *task, o Outcome, r Reason, err error, now time.Time) {
	if t.upgrade {
		q.upgrades.tasks = without(q.upgrades.tasks, t)
	} else {
		q.line.tasks = without(q.line.tasks, t)
		t.route.waiting--
		if t.trial {
			t.route.trials.current = nil
		}
		t.claim.drop()
	}
	t.end(o, r, err, now)
}

// dropLate refuses a task that was admitted and can't be in time any more: not even alone, by what
// was known when it came.
func (q *queue) dropLate(t *task, now time.Time) {
	v := verdict{reason: ReasonLate, wait: duration(q.outlook(t.route, now).ahead)}
	q.remove(t, OutcomeDropped, ReasonLate, v.err(), now)
}

// next returns the next batch, or nil if there is no worker, no memory or no task. No sign-in
// overtakes the first in the line.
func (q *queue) next(now time.Time) *batch {
	tasks := q.upgrades.next(&q.machine, q.line.tasks, now)
	if tasks == nil {
		tasks = q.line.next(&q.machine, q.upgrades.tasks, now)
	}
	if tasks == nil {
		return nil
	}
	return q.begin(tasks, now)
}

// begin makes a batch of tasks that wait.
func (q *queue) begin(tasks []*task, now time.Time) *batch {
	first := tasks[0]
	takes := first.timeOf(len(tasks))
	if first.trial {
		takes = min(first.alone, first.timeLeft(now))
	}
	b := &batch{
		tasks: tasks, route: first.route, memory: first.memory,
		began: now, stageBegan: now, end: now.Add(takes),
	}
	if first.upgrade {
		q.upgrades.last = b
	}

	for _, t := range tasks {
		if !t.upgrade {
			t.claim.serve(now)
			b.route.waiting--
			b.route.trials.refusedSince = time.Time{}
		}
		t.counts.Queued--
		t.counts.Running++
		t.state = running
		t.started = now
		t.waited = now.Sub(t.arrived)
		t.together = len(tasks)
	}

	q.line.tasks = slices.DeleteFunc(q.line.tasks, (*task).begun)
	q.upgrades.tasks = slices.DeleteFunc(q.upgrades.tasks, (*task).begun)
	q.inUse += b.memory
	q.running = append(q.running, b)
	return b
}

// endStage learns how long a stage took, answers the callers whose answers are known, and returns
// the other tasks, which go on to the next stage. After the last it frees the worker.
func (q *queue) endStage(b *batch, answers []Outcome, now time.Time) (rest []*task) {
	finished := 0
	for _, t := range b.tasks {
		if !t.gone.Load() {
			finished++
		}
	}
	b.expected += q.learn(b, finished, now)

	for i, t := range b.tasks {
		if t.state == ended { // its caller left
			continue
		}
		b.route.timings[b.stage].service.record(now.Sub(b.stageBegan))
		if answers[i] != undecided {
			t.end(answers[i], NoReason, nil, now)
		} else {
			rest = append(rest, t)
		}
	}

	b.stage++
	if b.stage < len(b.route.timings) && len(rest) > 0 {
		b.tasks = rest
		b.stageBegan = now
		b.end = now.Add(b.route.timeFrom(b.stage, len(rest)))
		return rest
	}

	took := now.Sub(b.began)
	if b.tasks[0].trial {
		b.route.trials.current = nil
		wasFast := finished > 0 && float64(took)*outlierFactor < b.expected
		if !wasFast {
			b.route.trials.fail(took, now)
		}
	}
	q.inUse -= b.memory
	q.running = without(q.running, b)

	// A batch of upgrades that took less than was believed counts for what it took. One that took
	// more does not, as the machine may have stood still. Only the last batch shortens the pause:
	// where many workers make pauses shorter than a batch, each end would let another one begin.
	if nextTurn := b.began.Add(q.pause(took)); b == q.upgrades.last && nextTurn.Before(q.upgrades.nextTurn) {
		q.upgrades.nextTurn = nextTurn
	}
	return nil
}
