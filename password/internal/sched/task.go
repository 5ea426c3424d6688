// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package sched runs tasks of known cost on a bounded number of workers, first come, first served,
// and refuses at once what it can't finish in time. It knows nothing of what its tasks do.
//
// Read the files in this order:
//
//	task.go   what is to be done, and what can become of it
//	sched.go  a task's way in, the caller's wait, Close, what was counted
//	judge.go  whether a newcomer can be in time, and whether its principal asks for too much
//	run.go    what a free worker does next, and how many at once; upgrades
//	rate.go   how long things take, as measured and as tried
package sched

import (
	"cmp"
	"sync/atomic"
	"time"
)

// A Kind is an algorithm and its parameters: stages of one kind take equally long for each unit.
type Kind struct {
	Algorithm uint8
	Form      string // among the algorithms that are others'
	Cost      [3]uint32
}

// A Stage is one computation of a task.
type Stage struct {
	Kind   Kind
	Units  float64 // its work, proportional to time within an algorithm; Run sets 0 if it left some out
	Memory int64   // bytes held while it runs
	Batch  bool    // may run side by side with others of its kind
}

// A Task is one call. Who makes it sets the first group of fields.
type Task struct {
	Caller    uint64  // who asks in the name of principals, and has a share of the machine
	Principal uint64  // who has a share of the caller's
	Upgrade   bool    // it waits apart, for what the others leave
	Stages    []Stage // done one after the other by one worker, until one has the answer
	Payload   any     // for Run

	// What is set when Do returns.
	Outcome Outcome
	Reason  Reason
	Waited  time.Duration // until a worker had it, or it left the queue
	Served  time.Duration // from then until its answer
	Beside  int           // tasks that its worker had at once, itself included; 0: no worker had it

	course *course
	calls  *Calls    // in which it is counted
	shares [3]*share // of all, its caller and its principal, while it is queued
	charge int64     // machine time that it takes from all when there is a queue, in nanoseconds
	memory int64     // of its stages, the most
	trial  bool      // it is let in to try an estimate
	work   time.Duration

	state state
	gone  atomic.Bool
	err   error
	done  chan struct{} // closed when the caller has its answer

	came    time.Time
	started time.Time
	limit   time.Time // the caller's deadline; zero: none
	due     time.Time // finished by then, or worthless
	latest  time.Time // to be begun by then, whatever its company
	expires time.Time // if not begun by then, even alone, it is late
}

// Gone reports whether nobody waits for the task any more. Run may ask at any time, and give up.
func (t *Task) Gone() bool { return t.gone.Load() }

// Begun reports, after Do has returned, whether a worker got the task: then it is the worker's
// until Run has returned, whatever Do returned.
func (t *Task) Begun() bool { return t.Beside > 0 }

// left returns how much time the caller has.
func (t *Task) left(now time.Time) time.Duration {
	if t.limit.IsZero() {
		return longest
	}
	return t.limit.Sub(now)
}

// A state is where a task is. It changes under the scheduler's lock.
type state uint8

const (
	fresh   state = iota
	queued        // waits for a worker
	running       // a worker has it, and the caller waits
	ended         // the caller has its answer; a worker may still have it
)

// An Outcome is what a call came to, one lower-case word. Each call has one.
type Outcome string

// The outcomes. Package password says what each means.
const (
	Match    Outcome = "match"
	Mismatch Outcome = "mismatch"
	Unknown  Outcome = "unknown"
	Hashed   Outcome = "hashed"
	Refused  Outcome = "refused"
	Dropped  Outcome = "dropped"
	Expired  Outcome = "expired"
	Canceled Outcome = "canceled"
	Invalid  Outcome = "invalid"
)

// String returns the word.
func (o Outcome) String() string { return string(o) }

// A Reason is why a call ended with its outcome, one lower-case word.
type Reason string

// The reasons.
const (
	NoReason  Reason = ""
	Deadline  Reason = "deadline"
	Queue     Reason = "queue"
	Share     Reason = "share"
	Shed      Reason = "shed"
	Closed    Reason = "closed"
	Late      Reason = "late"
	Left      Reason = "left"
	Gone      Reason = "gone"
	Malformed Reason = "malformed"
	Cost      Reason = "cost"
	Memory    Reason = "memory"
	Key       Reason = "key"
	TooLong   Reason = "too_long"
	Empty     Reason = "empty"
	NUL       Reason = "nul"
	Other     Reason = "other"
)

// String returns the word, or "none".
func (r Reason) String() string { return cmp.Or(string(r), "none") }

// MarshalText returns the same.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// An Ending is how a call can end, and how many did.
type Ending struct {
	Outcome Outcome `json:"outcome"`
	Reason  Reason  `json:"reason"`
	Count   uint64  `json:"count"`
}

// Endings returns all that there are, each with 0.
func Endings() []Ending {
	return []Ending{
		{Outcome: Match}, {Outcome: Mismatch}, {Outcome: Unknown}, {Outcome: Hashed},
		{Refused, Deadline, 0}, {Refused, Queue, 0}, {Refused, Share, 0}, {Refused, Shed, 0}, {Refused, Closed, 0},
		{Dropped, Late, 0}, {Outcome: Expired}, {Canceled, Left, 0}, {Canceled, Gone, 0}, {Canceled, Closed, 0},
		{Invalid, Malformed, 0}, {Invalid, Cost, 0}, {Invalid, Memory, 0}, {Invalid, Key, 0},
		{Invalid, TooLong, 0}, {Invalid, Empty, 0}, {Invalid, NUL, 0}, {Invalid, Other, 0},
	}
}
