// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What becomes of each call: told to Options.Observe, and counted for Stats.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fount/password/internal/histogram"
	"fount/password/internal/sched"
)

// An Observation is what became of one call of Pool.Verify or Pool.Hash, or of one that Pool.Ready has refused. It holds no password, no stored hash and nothing
// of Login.Principal. Fields may be added.
//
// With Options.Stored a call may take several hashes, one after the other: Wait and Service are then sums.
type Observation struct {
	Op      string // "verify", "hash" or, refused, "ready"
	Upgrade bool   // Login.Upgrade
	Outcome Outcome
	Reason  Reason // NoReason if the outcome says it all
	Err     error  // what the call returns

	// Algorithm is the stored hash's, or the policy's for a new hash and an unknown user; 0 if the call ended before it was
	// known.
	Algorithm Algorithm

	Start   time.Time     // when the call began, before its guards
	Wait    time.Duration // in the queue
	Service time.Duration // on a worker, until the answer; 0 if no worker had it
	Total   time.Duration // from Start to the end of the call: Wait, Service, and what the goroutine took to run on

	// Lanes is how many bcrypts its worker computed side by side, this one included: 1 is alone, and 0 if no worker had it.
	// Of several hashes it is the last one's.
	Lanes int

	kind sched.Kind
}

// Cost returns the parameters of the hash as stored hashes write them: "10", "m=19456,t=2,p=1"; "" if Algorithm is 0. There
// may be as many as the store has: it is for spans and logs, not for the labels of a metric.
func (o Observation) Cost() string {
	if o.Algorithm == 0 {
		return ""
	}
	return costString(o.kind)
}

// An Outcome is what a call came to. Each call has one.
type Outcome int

// The outcomes. Outcomes yields them in this order.
const (
	_               Outcome = iota
	OutcomeMatch            // Verify: the password is the stored one
	OutcomeMismatch         // Verify: it is not
	OutcomeUnknown          // Verify: there is no such user, or no password
	OutcomeHashed           // Hash: a new hash
	OutcomeRefused          // refused at once: OverloadedError or ErrClosed
	OutcomeDropped          // admitted, and refused later: OverloadedError
	OutcomeExpired          // admitted, and the context's deadline passed before the answer
	OutcomeCanceled         // the context was canceled, or Close did not wait
	OutcomeInvalid          // stopped by the guards, before any work
	outcomes                // how many there are, with the unused zero
)

var outcomeNames = [outcomes]string{
	"none", "match", "mismatch", "unknown", "hashed", "refused", "dropped", "expired", "canceled", "invalid",
}

// String returns one lower-case word: "match".
func (o Outcome) String() string {
	if o < 0 || o >= outcomes {
		return "none"
	}
	return outcomeNames[o]
}

// MarshalText returns the word.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads it.
func (o *Outcome) UnmarshalText(word []byte) error {
	i := slices.Index(outcomeNames[:], string(word))
	if i < 0 {
		return fmt.Errorf("password: outcome %q; want one of %q", word, outcomeNames)
	}
	*o = Outcome(i)
	return nil
}

// Answered reports whether a hash was computed and compared, or returned.
func (o Outcome) Answered() bool { return o >= OutcomeMatch && o <= OutcomeHashed }

// Outcomes yields all outcomes.
func Outcomes() iter.Seq[Outcome] {
	return func(yield func(Outcome) bool) {
		for o := Outcome(1); o < outcomes && yield(o); o++ {
		}
	}
}

// A Reason is why a call ended with its outcome.
type Reason int

// The reasons, by outcome. The others have NoReason.
const (
	NoReason Reason = iota

	// OutcomeRefused.
	ReasonDeadline // would not be ready in time, or make another late
	ReasonQueue    // Options.Queue calls wait
	ReasonShare    // its principal had its share of the queue
	ReasonShed     // an upgrade during an overload

	ReasonClosed // the pool is closed (OutcomeRefused), or Close did not wait (OutcomeCanceled)

	// OutcomeDropped.
	ReasonLate    // it could not be done in time after all
	ReasonEvicted // it made way for a call of a principal that asks for less

	// OutcomeCanceled.
	ReasonLeft // the client left
	ReasonGone // the context was done before the call

	// OutcomeInvalid.
	ReasonMalformed // ErrMalformed
	ReasonCost      // ErrCost: above Limits
	ReasonMemory    // ErrCost: needs more than the pool's memory
	ReasonKey       // ErrKey
	ReasonTooLong   // ErrTooLong
	ReasonEmpty     // an empty password
	ReasonNUL       // ErrNUL
	ReasonOther     // a wrong policy

	reasons // how many there are
)

var reasonNames = [reasons]string{
	"none", "deadline", "queue", "share", "shed", "closed", "late", "evicted", "left", "gone",
	"malformed", "cost", "memory", "key", "too_long", "empty", "nul", "other",
}

// String returns one lower-case word: "deadline".
func (r Reason) String() string {
	if r < 0 || r >= reasons {
		return "none"
	}
	return reasonNames[r]
}

// MarshalText returns the word.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads it.
func (r *Reason) UnmarshalText(word []byte) error {
	i := slices.Index(reasonNames[:], string(word))
	if i < 0 {
		return fmt.Errorf("password: reason %q; want one of %q", word, reasonNames)
	}
	*r = Reason(i)
	return nil
}

// reasonsOf are the reasons of each outcome.
var reasonsOf = [outcomes][]Reason{
	OutcomeMatch: {NoReason}, OutcomeMismatch: {NoReason}, OutcomeUnknown: {NoReason}, OutcomeHashed: {NoReason},
	OutcomeRefused:  {ReasonDeadline, ReasonQueue, ReasonShare, ReasonShed, ReasonClosed},
	OutcomeDropped:  {ReasonLate, ReasonEvicted},
	OutcomeExpired:  {NoReason},
	OutcomeCanceled: {ReasonLeft, ReasonGone, ReasonClosed},
	OutcomeInvalid: {
		ReasonMalformed, ReasonCost, ReasonMemory, ReasonKey, ReasonTooLong, ReasonEmpty, ReasonNUL, ReasonOther,
	},
}

// combinations is how many combinations of outcome and reason there are.
var combinations = func() (n int) {
	for _, of := range reasonsOf {
		n += len(of)
	}
	return n
}()

// Reasons yields all reasons with which the outcome comes: NoReason alone if there is nothing to tell apart.
func (o Outcome) Reasons() iter.Seq[Reason] {
	return func(yield func(Reason) bool) {
		if o <= 0 || o >= outcomes {
			return
		}
		for _, r := range reasonsOf[o] {
			if !yield(r) {
				return
			}
		}
	}
}

// refusedFor are the reasons of the scheduler's refusals.
var refusedFor = [sched.Reasons]Reason{
	sched.Deadline: ReasonDeadline, sched.Full: ReasonQueue, sched.Share: ReasonShare, sched.Shed: ReasonShed,
	sched.Memory: ReasonMemory, sched.Late: ReasonLate, sched.Evicted: ReasonEvicted,
	sched.Closed: ReasonClosed,
}

// classOf returns the scheduler's class.
func classOf(upgrade bool) int {
	if upgrade {
		return sched.Classes - 1
	}
	return 1
}

// begins notes that a call has begun.
func (p *Pool) begins(op string, login Login) Observation {
	p.calls.started[classOf(login.Upgrade)].Add(1)
	return Observation{Op: op, Upgrade: login.Upgrade, Start: time.Now()}
}

// ends notes that it has ended. A call has no outcome if a method of its context has panicked.
func (p *Pool) ends(ctx context.Context, o *Observation) {
	if o.Outcome == 0 {
		o.Outcome, o.Reason = OutcomeCanceled, ReasonLeft
	}
	o.Total = max(time.Since(o.Start), 0)
	p.calls.end(o)
	if p.options.Observe != nil {
		p.tell(ctx, *o)
	}
}

// tell calls Options.Observe and outlives it.
func (p *Pool) tell(ctx context.Context, o Observation) {
	defer func() {
		if recover() != nil {
			p.calls.panics.Add(1)
		}
	}()
	p.options.Observe(ctx, o)
}

// invalid notes what the guards found.
func (o *Observation) invalid(err error) {
	o.Outcome, o.Err = OutcomeInvalid, err
	switch {
	case errors.Is(err, ErrMalformed):
		o.Reason = ReasonMalformed
	case errors.Is(err, ErrCost):
		o.Reason = ReasonCost
	case errors.Is(err, ErrKey):
		o.Reason = ReasonKey
	case errors.Is(err, ErrTooLong):
		o.Reason = ReasonTooLong
	case errors.Is(err, ErrMismatch), errors.Is(err, ErrEmpty):
		o.Reason = ReasonEmpty
	case errors.Is(err, ErrNUL):
		o.Reason = ReasonNUL
	default:
		o.Reason = ReasonOther
	}
}

// add notes what the scheduler did with one hash of the call, and its answer err. again: the call had one before.
func (o *Observation) add(t *sched.Task, err error, again bool) {
	o.Wait += t.Waited
	o.Service += t.Served
	if t.Beside > 0 {
		o.Lanes = t.Beside
	}
	if err == nil {
		return
	}
	admitted := again || t.Admitted()
	refusal, refused := err.(*sched.Refusal) // as Do returns it
	switch {
	case refused && refusal.Reason == sched.Memory:
		o.Outcome, o.Reason = OutcomeInvalid, ReasonMemory
	case refused && again:
		o.Outcome, o.Reason = OutcomeDropped, ReasonLate
	case refused && admitted:
		o.Outcome, o.Reason = OutcomeDropped, refusedFor[refusal.Reason]
	case refused:
		o.Outcome, o.Reason = OutcomeRefused, refusedFor[refusal.Reason]
	case errors.Is(err, sched.ErrClosed) && admitted:
		o.Outcome, o.Reason = OutcomeCanceled, ReasonClosed
	case errors.Is(err, sched.ErrClosed):
		o.Outcome, o.Reason = OutcomeRefused, ReasonClosed
	case !admitted:
		o.Outcome, o.Reason = OutcomeCanceled, ReasonGone
	case errors.Is(err, context.DeadlineExceeded):
		o.Outcome, o.Reason = OutcomeExpired, NoReason
	default:
		o.Outcome, o.Reason = OutcomeCanceled, ReasonLeft
	}
}

// calls counts them.
type calls struct {
	started [sched.Classes]atomic.Uint64
	panics  atomic.Uint64 // of Options.Observe

	mu    sync.Mutex // held for some ten nanoseconds; for a snapshot, a microsecond or two
	class [sched.Classes]ended
}

// ended are the calls of a class that have ended.
type ended struct {
	reasons       [outcomes][reasons]uint64
	total         [outcomes]histogram.Histogram
	wait, service histogram.Histogram // of the answered
}

func (c *calls) end(o *Observation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &c.class[classOf(o.Upgrade)]
	e.reasons[o.Outcome][o.Reason]++
	e.total[o.Outcome].Add(o.Total)
	if o.Outcome.Answered() {
		e.wait.Add(o.Wait)
		e.service.Add(o.Service)
	}
}

// snapshot returns what has ended, and how many have begun.
func (c *calls) snapshot() (class *[sched.Classes]ended, started [sched.Classes]uint64) {
	class = new([sched.Classes]ended) // 30 kB
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range started { // none ends meanwhile: the difference is in flight
		started[i] = c.started[i].Load()
	}
	*class = c.class
	return class, started
}
