// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// The queue, its tasks, and the batches that workers run.

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fount/internal/blowfish"
)

// A task is a call of Verify, Hash or Ready as the queue sees it. The Pool sets the first group of
// fields.
type task struct {
	caller    uint64   // keyed hash of Login.Caller; each caller has a share of the machine
	principal uint64   // keyed hash of Login.Principal; each has a part of its caller's share
	upgrade   bool     // Login.Upgrade: it waits in q.upgrades
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
	levels levels        // while it is queued
	charge int64         // machine time that it adds to a queue, in nanoseconds
	memory int64         // bytes of its largest stage
	trial  bool          // admitted only to test an estimate
	alone  time.Duration // estimated time if its batch has no other task

	state state
	gone  atomic.Bool
	done  chan struct{} // closed when the caller has its answer

	arrived  time.Time
	started  time.Time
	deadline time.Time // the context's; zero if it has none
	due      time.Time // the answer is of no use later
	beginBy  time.Time // in time for due even in a full batch
	expires  time.Time // in time for due if alone
}

// isGone reports whether the caller has left, so that the worker may give up.
func (t *task) isGone() bool { return t.gone.Load() }

// begun reports whether a worker got the task. If so, the task is the worker's until run returns,
// even if do has returned an error before.
func (t *task) begun() bool { return t.together > 0 }

// timeOf returns how long a batch of n tasks like t takes.
func (t *task) timeOf(n int) time.Duration { return t.route.timeOf(t.stages, n) }

func (t *task) timeLeft(now time.Time) time.Duration {
	if t.deadline.IsZero() {
		return longestWait
	}
	return t.deadline.Sub(now)
}

// A call has the jobs of one Verify or Hash, and its answer.
type call struct {
	task         task
	jobs         []job         // one for each stage
	first        [1]effort     // saves an allocation where there is one stage
	compared     int           // the stage with the stored hash; the others only take time
	unitsIfWrong float64       // work of that stage if the password is wrong
	lane         blowfish.Lane // for a bcrypt
	isHash       bool          // Hash called, not Verify

	result  Result
	encoded string
	err     error
}

// A state says where a task is. It changes under the queue's lock.
type state uint8

const (
	fresh   state = iota
	queued        // waits for a worker
	running       // a worker has it, and the caller waits
	ended         // the caller has its answer; a worker may still have it
)

// A batch is what one worker runs: one task, or several of one route side by side.
type batch struct {
	tasks        []*task
	route        *route
	memory       int64
	onlyUpgrades bool
	began        time.Time
	end          time.Time // as estimated

	stage      int
	stageBegan time.Time
	expected   float64 // estimated nanoseconds of the stages that have ended
}

// fillBatch adds tasks of list to a batch of up to limit tasks. It skips those that would end
// after due, or make a task of the batch end after its own due.
func fillBatch(tasks, list []*task, limit int, due, now time.Time) []*task {
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
		late := func(t *task) bool { return end.After(t.due) }
		if !end.After(due) && !late(t) && !slices.ContainsFunc(tasks, late) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// A queue runs tasks on a bounded number of workers, first come, first served, and refuses at once
// what it can't finish in time. Any goroutine may call its methods. It has no goroutine while
// nothing runs. The first group of fields does not change.
type queue struct {
	workers    func() int    // number of workers, 1 or more; it may change
	memory     int64         // bytes for all running tasks
	maxWaiting int           // tasks
	maxWait    time.Duration // Options.MaxWait; if 0, see ownWaitLimit
	stages     []effort      // of a call for an unknown user

	// run computes a stage of the tasks of a batch, and sets the answers of those that have theirs:
	// in the last stage, of all that are not gone. discard is called for a task that run has not
	// answered and does not get again.
	run     func(stage int, tasks []*task, answers []Outcome)
	discard func(t *task)

	drained chan struct{} // closed when nothing is left, after close

	mu          sync.Mutex // held for microseconds, never while a task runs
	closed      bool
	closing     int     // calls of close that have not given up
	waiting     []*task // sign-ins, first come, first served
	upgrades    []*task // the upgrades that wait, in the same order
	running     []*batch
	memoryInUse int64         // bytes of all running batches
	upgradeDebt time.Duration // see debtAt
	debtAsOf    time.Time
	shares      shares

	estimates

	signIns, upgradeCalls Calls
}

// open makes the queue ready. unitTime has the nanoseconds that a unit of each algorithm is believed
// to take until one has run.
func (q *queue) open(unitTime map[Algorithm]float64) {
	q.maxWait = min(q.maxWait, longestWait)
	q.drained, q.unitTime = make(chan struct{}), unitTime
	q.shares.start = time.Now()
	q.signIns.Ended, q.upgradeCalls.Ended = Endings(), Endings()
}

// fits reports whether a worker and enough memory are free for t.
func (q *queue) fits(t *task) bool {
	return len(q.running) < q.workers() && q.memoryInUse+t.memory <= q.memory
}

func (q *queue) countsOf(upgrade bool) *Calls {
	if upgrade {
		return &q.upgradeCalls
	}
	return &q.signIns
}

// Upgrades begin when no sign-in waits, and in lanes that a batch of sign-ins leaves free. Under
// lasting load they get 1/upgradePart of the machine, one at a time, so that a store still moves.
const (
	maxUpgrades = 64
	upgradeWait = 10 * time.Second
	upgradePart = 100
)

// nextUpgrades returns the upgrades that may begin now as one batch, or nil.
func (q *queue) nextUpgrades(now time.Time) []*task {
	if len(q.upgrades) == 0 || !q.fits(q.upgrades[0]) {
		return nil
	}
	tasks, r := q.upgrades[:1:1], q.upgrades[0].route
	switch {
	case len(q.waiting) == 0:
		free := max(q.workers()-len(q.running), 1) // a quota may have shrunk
		n := min(r.lanes, (len(q.upgrades)+free-1)/free)
		tasks = fillBatch(tasks, q.upgrades, n, now.Add(longestWait), now)
	case q.debtAt(now) > 0 || slices.ContainsFunc(q.running, func(b *batch) bool { return b.onlyUpgrades }):
		return nil
	}
	return slices.Clone(tasks)
}

// debtAt returns how much more of the workers' time than 1/upgradePart upgrades have had.
func (q *queue) debtAt(now time.Time) time.Duration {
	return max(q.upgradeDebt-q.repaid(now.Sub(q.debtAsOf)), 0)
}

// repaid returns by how much the debt falls in d.
func (q *queue) repaid(d time.Duration) time.Duration {
	return time.Duration(float64(min(d, longestWait)) * float64(q.workers()) / upgradePart)
}
