// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What waits for a worker, and what a worker has in hand.

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fount/internal/blowfish"
)

// A task is one call of Verify or Hash, or of Ready, on its way. Who makes it sets the first group
// of fields.
type task struct {
	caller    uint64   // who asks in the name of principals, and has a share of the machine
	principal uint64   // who has a share of the caller's
	upgrade   bool     // it waits apart, for what the others leave
	stages    []effort // done one after the other by one worker, until one has the answer
	call      *call    // what run computes

	// What is set when do returns.
	outcome Outcome
	reason  Reason
	waited  time.Duration // until a worker had it, or it left the queue
	served  time.Duration // from then until its answer
	beside  int           // tasks that its worker had at once, itself included; 0: no worker had it
	err     error         // nil if it was answered

	course *course
	calls  *Calls  // in which it is counted
	shares lineage // while it is queued
	charge int64   // machine time that it takes from all when there is a queue, in nanoseconds
	memory int64   // of its stages, the most
	trial  bool    // it is let in to try an estimate
	work   time.Duration

	state state
	gone  atomic.Bool
	done  chan struct{} // closed when the caller has its answer

	came    time.Time
	started time.Time
	limit   time.Time // the caller's deadline; zero: none
	due     time.Time // finished by then, or worthless
	latest  time.Time // to be begun by then, whatever its company
	expires time.Time // if not begun by then, even alone, it is late
}

// isGone reports whether nobody waits for the task any more: its worker may give up.
func (t *task) isGone() bool { return t.gone.Load() }

// begun reports, after do has returned, whether a worker got the task: then it is the worker's
// until run has returned, whatever do returned.
func (t *task) begun() bool { return t.beside > 0 }

// time returns how long n like this one take side by side.
func (t *task) time(n int) time.Duration { return t.course.timeOf(t.stages, n) }

func (t *task) left(now time.Time) time.Duration {
	if t.limit.IsZero() {
		return longestWait
	}
	return t.limit.Sub(now)
}

// A call is what one Verify or Hash computes.
type call struct {
	task  task
	works []work        // of its stages
	first [1]effort     // room for the stages of most
	place int           // of the one that is compared: the others take the time of other hashes
	units float64       // that it takes there if the password is wrong
	lane  blowfish.Lane // for a bcrypt
	hash  bool          // a new hash is to be made

	result  Result
	encoded string
	err     error
}

// A state is where a task is. It changes under the queue's lock.
type state uint8

const (
	fresh   state = iota
	queued        // waits for a worker
	running       // a worker has it, and the caller waits
	ended         // the caller has its answer; a worker may still have it
)

// A batch is what a worker has in hand: one task, or several of one course.
type batch struct {
	tasks    []*task
	course   *course
	memory   int64
	upgrades bool // nothing else
	began    time.Time
	end      time.Time // as estimated

	stage    int
	since    time.Time // that the stage began
	expected float64   // of the stages that are done, with the estimates of their time
}

// company adds tasks of a list to those of a batch, up to a number, as far as all are done by due
// and by their own.
func company(tasks, list []*task, most int, due, now time.Time) []*task {
	head := tasks[0]
	for _, t := range list {
		n := len(tasks) + 1
		if n > most {
			break
		}
		if t == head || t.course != head.course || t.trial || t.memory > head.memory {
			continue
		}
		end := now.Add(max(head.time(n), t.time(n)))
		late := func(t *task) bool { return end.After(t.due) }
		if !end.After(due) && !late(t) && !slices.ContainsFunc(tasks, late) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// A queue runs tasks on a bounded number of workers, first come, first served, and refuses at once
// what it can't finish in time. All methods may be called from any goroutine. It has no goroutine
// while nothing runs. The first group of fields does not change.
type queue struct {
	workers func() int    // how many tasks the machine runs at once, 1 or more
	memory  int64         // bytes for all running tasks
	most    int           // tasks waiting, at most
	maxWait time.Duration // longest wait of a task, whatever its deadline; 0: see wait
	usual   []effort      // whose longest wait Stats shows

	// run computes a stage of tasks of one course, and notes the answers of those that have theirs:
	// in the last stage all that are not gone. leave is called for a task that run has not answered
	// and does not see again.
	run   func(stage int, tasks []*task, answers []Outcome)
	leave func(t *task)

	drained chan struct{} // closed when nothing is left, after close

	mu       sync.Mutex // held for microseconds, never while a task runs
	closed   bool
	closing  int     // calls of close that have not given up
	waiting  []*task // first come, first served
	upgrades []*task // that wait apart
	running  []*batch
	held     int64         // bytes that running occupies
	debt     time.Duration // of upgrades, as of indebted
	indebted time.Time
	shares   shares

	ledger

	signIns, upgradeCalls Calls
}

// open makes the queue ready. units says how many nanoseconds a unit of an algorithm takes, until
// one has been run.
func (q *queue) open(units map[Algorithm]float64) {
	q.maxWait = min(q.maxWait, longestWait)
	q.drained, q.units = make(chan struct{}), units
	q.shares.start = time.Now()
	q.signIns.Ended, q.upgradeCalls.Ended = Endings(), Endings()
}

func (q *queue) fits(t *task) bool {
	return len(q.running) < q.workers() && q.held+t.memory <= q.memory
}

func (q *queue) callsOf(upgrade bool) *Calls {
	if upgrade {
		return &q.upgradeCalls
	}
	return &q.signIns
}

// Upgrades wait apart. They are begun when nobody else waits, in lanes that sign-ins leave, and one
// at a time as the last hundredth of the machine: else a store would never move under lasting load.
const (
	mostUpgrades = 64
	upgradeWait  = 10 * time.Second
	hundredth    = 100
)

// nextUpgrades returns those that may begin now, of one course; nil: none may.
func (q *queue) nextUpgrades(now time.Time) []*task {
	if len(q.upgrades) == 0 || !q.fits(q.upgrades[0]) {
		return nil
	}
	tasks, c := q.upgrades[:1:1], q.upgrades[0].course
	switch {
	case len(q.waiting) == 0:
		free := max(q.workers()-len(q.running), 1) // a quota may have shrunk
		most := min(c.lanes, (len(q.upgrades)+free-1)/free)
		tasks = company(tasks, q.upgrades, most, now.Add(longestWait), now)
	case q.debtAt(now) > 0 || slices.ContainsFunc(q.running, func(b *batch) bool { return b.upgrades }):
		return nil
	}
	return slices.Clone(tasks)
}

// debtAt returns the workers' time that upgrades have had beyond their hundredth.
func (q *queue) debtAt(now time.Time) time.Duration {
	return max(q.debt-q.repaid(now.Sub(q.indebted)), 0)
}

// repaid returns how much of it goes in a time.
func (q *queue) repaid(d time.Duration) time.Duration {
	return time.Duration(float64(min(d, longestWait)) * float64(q.workers()) / hundredth)
}
