// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What Options.Observe is told of a call.

import (
	"context"
	"log/slog"
	"time"
)

// An Observation describes a call of Pool.Verify or Pool.Hash that has ended, or a refusal by
// Pool.Ready. It has no password, no stored hash and no principal. Fields may be added.
type Observation struct {
	Op      string // "verify", "hash", or "ready" for a refusal by Ready
	Upgrade bool   // Login.Upgrade
	Outcome Outcome
	Reason  Reason // NoReason if the outcome says it all
	Err     error  // what the call returns

	// Algorithm is the stored hash's, or the policy's for a new hash and an unknown user; 0 if the
	// call ended before it was known.
	Algorithm Algorithm

	Start   time.Time     // when the call began
	Wait    time.Duration // in the queue
	Service time.Duration // on a worker, until the answer; 0 if no worker had it
	Total   time.Duration // from Start to the end, with Wait and Service

	Lanes int // calls side by side on the worker, with this one; 0 if no worker had it

	kind kind
}

// Cost returns the hash's parameters as stored hashes have them: "10", "m=19456,t=2,p=1". For a
// Format's hash it returns its Name and Computed.Cost, "sha512-crypt,5000"; if Algorithm is 0, "".
// A store may have many: use Cost in logs, not in the labels of a metric.
func (o Observation) Cost() string {
	if o.Algorithm == 0 {
		return ""
	}
	_, cost := o.kind.names()
	return cost
}

// LogValue returns a group of op, upgrade, outcome, reason, wait and total, with algorithm and cost
// if Algorithm is not 0, and service and lanes if a worker had the call. It leaves Err out, as a
// context's cause may say anything.
func (o Observation) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("op", o.Op), slog.Bool("upgrade", o.Upgrade),
		slog.String("outcome", string(o.Outcome)), slog.String("reason", o.Reason.String()),
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

// observe calls Options.Observe at the end of a call.
func (p *Pool) observe(ctx context.Context, o *Observation) {
	if p.options.Observe != nil && o.Outcome != "" { // none if a method of its context has panicked
		o.Total = time.Since(o.Start)
		p.options.Observe(ctx, *o)
	}
}

// countInvalid counts a call that failed the checks, and returns its error.
func (p *Pool) countInvalid(o *Observation, err error) error {
	o.Err = notBegun{err}
	o.Outcome = OutcomeInvalid
	o.Reason = ReasonOf(o.Err)
	p.scheduler.countInvalid(o.Upgrade, o.Reason)
	return o.Err
}

func (o *Observation) setKind(kind kind) {
	o.Algorithm = kind.algorithm
	o.kind = kind
}

// setOutcome sets what the task's results say.
func (o *Observation) setOutcome(t *task) {
	o.Outcome = t.outcome
	o.Reason = t.reason
	o.Wait = t.waited
	o.Service = t.served
	o.Lanes = t.together
	o.Err = t.err
}
