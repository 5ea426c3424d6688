// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"sync/atomic"
	"time"
)

// Classes is the number of classes. Class 0 goes first, as far as its principal has
// not asked for much of it; the last one is shed first.
const Classes = 3

// Outcomes is the number of results that a task can report, for counting.
const Outcomes = 5

// A Kind is what tasks have in common that take equally long for each unit, and
// that may run side by side if they allow it: an algorithm and its parameters.
type Kind struct {
	Algorithm uint8
	Cost      [3]uint32
}

// A Task is one piece of work, for one Do. The caller sets the first group of
// fields before it.
type Task struct {
	Class     int     // 0 to Classes-1
	Principal uint64  // whose queue share it takes
	Kind      Kind    //
	Units     float64 // its work, proportional to time within an algorithm
	Memory    int64   // bytes held while it runs
	Threads   int     // workers it occupies; more than there are count as all of them
	Batch     bool    // may run side by side with others of its kind
	Payload   any     // for Run

	// Rest are the tasks that the caller wants done after it, one after the other, each
	// with the Kind, Units, Memory, Threads and Batch that it will have: to be let in
	// it must have the time for all. Continues is set in those: they go first, and only
	// the deadline keeps them out, as what was done before them would be lost.
	//
	// Chain is the same in all of them, for Close to wait for those to come.
	Rest      []*Task
	Continues bool
	Chain     *Chain

	// Granted is how many workers it occupies, from when Run gets it.
	Granted int

	// Outcome is set by Run, 0 to Outcomes-1, and counted if the task completes.
	Outcome int

	// What Do sets before it returns.
	Waited time.Duration // from its coming until a worker had it, or it left the queue
	Served time.Duration // from then until its answer; 0: no worker had it
	Beside int           // tasks that its worker had at once, itself included; 0: no worker had it

	kind      *kind
	rest      float64       // machine time of Rest, in nanoseconds
	after     time.Duration // that Rest takes at least
	rank      int           // the class as which it is queued
	probe     bool          // it is let in to try an estimate
	work      float64       // Units, or fewer, as a probe where others wait is believed to have
	state     state
	begun     bool
	gone      atomic.Bool
	err       error
	done      chan struct{} // closed when the caller has its answer
	seq       uint64        // order of arrival
	submitted time.Time
	started   time.Time // when a worker got it
	limit     time.Time // the caller's deadline; zero: none
	due       time.Time // finished by then, or worthless
	latest    time.Time // to be begun by then, whatever its company
	expires   time.Time // if not begun by then, even alone, it is late
	charge    float64   // what was added to its principal's share
	share     *share    // while it is queued, or was
	first     bool      // it has used one of its principal's turns
	asked     bool      // it is only judged
}

// Gone reports whether nobody waits for the task any more. Run may ask at any
// time, and give the task up.
func (t *Task) Gone() bool { return t.gone.Load() }

// Begun reports, after Do has returned, whether a worker got the task: if it
// did, the task is the worker's until Run has returned, whatever Do returned.
func (t *Task) Begun() bool { return t.begun }

// Admitted reports, after Do has returned, whether the task was let in, whatever became of it.
func (t *Task) Admitted() bool { return t.share != nil }

// widest returns how many tasks may run side by side with it, itself included. What is
// to try an estimate runs by itself.
func (t *Task) widest() int {
	if t.probe {
		return 1
	}
	return t.kind.lanes()
}

// A Chain is a caller's tasks that are done one after the other. The zero value is ready,
// for one Scheduler.
type Chain struct { // under the scheduler's lock
	between bool // one has ended, and the next has not come
	over    bool // none is to come
}

// A state is where a task is. It changes under the scheduler's lock.
type state uint8

const (
	fresh     state = iota
	queued          // waits for a worker
	running         // a worker has it, and the caller waits
	abandoned       // a worker has it, and the caller has its answer
	ended
)
