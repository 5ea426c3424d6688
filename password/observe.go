// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What becomes of each call: told to Options.Observe, and counted for Stats.

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"fount/password/internal/histogram"
	"fount/password/internal/sched"
)

// What Pool.Stats returns.
type (
	// Stats is a consistent snapshot of a Pool, fit for JSON. Its counts start with the pool and
	// never fall. A call of Verify or Hash, or one that Ready has refused, is counted once, by its
	// Outcome and Reason: those in SignIns.Ended, Queued and Running are all that have come.
	// Upgrades are those with Login.Upgrade. MaxWait is how long a call of the policy's kind may
	// wait now. Hashes has that kind and each that has come, with the estimate in use; Top the
	// principals that have most of the machine, under the names of PrincipalID.
	Stats = sched.Stats

	// Calls is what became of sign-ins or of upgrades, and how long those took that were answered.
	Calls = sched.Calls

	// An Ending is an Outcome, a Reason that it can have, and how many calls ended so.
	Ending = sched.Ending

	// Hashes is how long hashes of one algorithm and cost take.
	Hashes = sched.Hashes

	// A Sender is a principal in Stats.Top, whichever Caller names it.
	Sender = sched.Sender

	// An Outcome is what a call came to. Each call has one.
	Outcome = sched.Outcome

	// A Reason is why a call ended with its outcome. Endings has those of each outcome.
	Reason = sched.Reason

	// A Histogram counts durations: bucket i has those up to HistogramBounds()[i], and the last all
	// that are longer. There are four to an octave, from 61 µs to 128 s, as in Prometheus's native
	// histograms of schema 2 and OpenTelemetry's exponential ones of scale 2.
	Histogram = histogram.Histogram
)

// HistogramBounds returns where the buckets of a Histogram end, in seconds, but for the last.
func HistogramBounds() []float64 { return histogram.Bounds() }

// Endings returns all ways in which a call can end, each with a Count of 0.
func Endings() []Ending { return sched.Endings() }

// The outcomes.
const (
	OutcomeMatch    = sched.Match    // Verify: the password is the stored one
	OutcomeMismatch = sched.Mismatch // Verify: it is not
	OutcomeUnknown  = sched.Unknown  // Verify: there is no such user, or no password
	OutcomeHashed   = sched.Hashed   // Hash: a new hash
	OutcomeRefused  = sched.Refused  // refused at once: OverloadedError or ErrClosed
	OutcomeDropped  = sched.Dropped  // admitted, and refused later: OverloadedError
	OutcomeExpired  = sched.Expired  // admitted, and the context's deadline passed
	OutcomeCanceled = sched.Canceled // the context was canceled, or Close did not wait
	OutcomeInvalid  = sched.Invalid  // stopped by the guards, before any work
)

// The reasons.
const (
	NoReason = sched.NoReason

	ReasonDeadline = sched.Deadline // refused: would not be ready in time
	ReasonQueue    = sched.Queue    // refused: Options.Queue calls wait
	ReasonShare    = sched.Share    // refused: its caller or principal has its share
	ReasonShed     = sched.Shed     // refused: an upgrade, and too many wait
	ReasonClosed   = sched.Closed   // refused: the pool is closed; canceled: Close did not wait
	ReasonLate     = sched.Late     // dropped: it could not be done in time after all
	ReasonLeft     = sched.Left     // canceled: the client left
	ReasonGone     = sched.Gone     // canceled: the context was done before the call

	ReasonMalformed = sched.Malformed // invalid, as those below: ErrMalformed
	ReasonCost      = sched.Cost      // ErrCost: above Limits
	ReasonMemory    = sched.Memory    // ErrCost: needs more than the pool's memory
	ReasonKey       = sched.Key       // ErrKey
	ReasonTooLong   = sched.TooLong   // ErrTooLong
	ReasonEmpty     = sched.Empty     // an empty password
	ReasonNUL       = sched.NUL       // ErrNUL
	ReasonOther     = sched.Other     // a wrong policy
)

// An Observation is what became of one call of Pool.Verify or Pool.Hash, or of one that Pool.Ready
// has refused. It holds no password, no stored hash and nothing of who asks. Fields may be added.
type Observation struct {
	Op      string // "verify", "hash" or, refused, "ready"
	Upgrade bool   // Login.Upgrade
	Outcome Outcome
	Reason  Reason // NoReason if the outcome says it all
	Err     error  // what the call returns

	// Algorithm is the stored hash's, or the policy's for a new hash and an unknown user; 0 if the
	// call ended before it was known.
	Algorithm Algorithm

	Start   time.Time     // when the call began, before its guards
	Wait    time.Duration // in the queue
	Service time.Duration // on a worker, until the answer; 0 if no worker had it
	Total   time.Duration // from Start to the end: Wait, Service, and what else it took

	Lanes int // calls that its worker had at once, this one included; 0 if no worker had it

	kind sched.Kind
}

// Cost returns the parameters of the hash as stored hashes write them: "10", "m=19456,t=2,p=1"; ""
// if Algorithm is 0. There may be as many as the store has: it is for logs, not for the labels of a
// metric.
func (o Observation) Cost() string {
	if o.Algorithm == 0 {
		return ""
	}
	_, cost := nameOf(o.kind)
	return cost
}

// LogValue returns a group: op, upgrade, outcome, reason, algorithm, cost, wait, service, lanes,
// total; algorithm and cost if Algorithm is known, service and lanes if a worker had the call. Err
// is not there: a context's cause may say anything.
func (o Observation) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("op", o.Op), slog.Bool("upgrade", o.Upgrade),
		slog.String("outcome", o.Outcome.String()), slog.String("reason", o.Reason.String()),
	}
	if o.Algorithm != 0 {
		attrs = append(attrs, slog.String("algorithm", o.Algorithm.String()), slog.String("cost", o.Cost()))
	}
	attrs = append(attrs, slog.Duration("wait", o.Wait))
	if o.Lanes > 0 {
		attrs = append(attrs, slog.Duration("service", o.Service), slog.Int("lanes", o.Lanes))
	}
	return slog.GroupValue(append(attrs, slog.Duration("total", o.Total))...)
}

// begins notes that a call has begun.
func begins(op string, login Login) Observation {
	return Observation{Op: op, Upgrade: login.Upgrade, Start: time.Now()}
}

// did notes what the scheduler did with the task, and its answer.
func (o *Observation) did(t *sched.Task, err error) {
	o.Outcome, o.Reason, o.Wait, o.Service, o.Lanes, o.Err = t.Outcome, t.Reason, t.Waited, t.Served, t.Beside, err
}

// ends tells that it has ended.
func (p *Pool) ends(ctx context.Context, o *Observation) {
	if p.options.Observe != nil && o.Outcome != "" { // none if a method of its context has panicked
		o.Total = time.Since(o.Start)
		p.options.Observe(ctx, *o)
	}
}

// invalid counts what the guards found, and returns it.
func (p *Pool) invalid(o *Observation, err error) error {
	o.Outcome, o.Reason, o.Err = OutcomeInvalid, ReasonOther, notBegun{err}
	for _, r := range []struct {
		err    error
		reason Reason
	}{
		{ErrMalformed, ReasonMalformed}, {ErrCost, ReasonCost}, {ErrKey, ReasonKey}, {ErrTooLong, ReasonTooLong},
		{ErrMismatch, ReasonEmpty}, {ErrEmpty, ReasonEmpty}, {ErrNUL, ReasonNUL},
	} {
		if errors.Is(err, r.err) {
			o.Reason = r.reason
			break
		}
	}
	p.sched.Count(o.Upgrade, o.Reason)
	return o.Err
}

// Stats returns a snapshot. It takes ten microseconds, and with thousands of principals a
// millisecond.
func (p *Pool) Stats() Stats { return p.sched.Stats() }
