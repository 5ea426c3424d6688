// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What Stats has: each call is counted once, by its outcome.

import (
	"slices"
	"time"
)

// Stats is a consistent snapshot of a Pool, fit for JSON. Its counts start with the pool and never
// fall. Each call of Verify or Hash, and each refusal by Ready, is counted in exactly one of Ended,
// Queued and Running.
type Stats struct {
	SignIns  Calls `json:"sign_ins"`
	Upgrades Calls `json:"upgrades"` // those with Login.Upgrade

	Workers     int           `json:"workers"`       // Options.Workers, or its default as of now
	Busy        int           `json:"busy"`          // workers that hash now
	Memory      int64         `json:"memory"`        // Options.Memory, or its default, in bytes
	MemoryInUse int64         `json:"memory_in_use"` // by the hashes that run now, in bytes
	MaxWait     time.Duration `json:"max_wait"`      // Options.MaxWait, or its default
	Wait        time.Duration `json:"wait"`          // estimate: until all calls of now have ended

	Hashes []Hashes       `json:"hashes"` // one for each algorithm and cost
	Top    []TopPrincipal `json:"top"`    // up to ten, the largest Weight first
}

// Calls counts sign-ins or upgrades. Its histograms are of answered calls.
type Calls struct {
	Queued  int      `json:"queued"`  // calls that wait for a worker now
	Running int      `json:"running"` // calls that a worker has now
	Ended   []Ending `json:"ended"`   // one for each of Endings, in that order

	Wait    Histogram `json:"wait"`    // in the queue
	Service Histogram `json:"service"` // on a worker
	Total   Histogram `json:"total"`   // Wait and Service
}

// An Ending counts the calls that ended with an Outcome and a Reason.
type Ending struct {
	Outcome Outcome `json:"outcome"`
	Reason  Reason  `json:"reason"`
	Count   uint64  `json:"count"`
}

// Hashes says how long the hashes of one algorithm and cost take.
type Hashes struct {
	Algorithm string        `json:"algorithm"` // Algorithm.String's
	Cost      string        `json:"cost"`      // as Observation.Cost; "other" beyond 64 costs
	Service   Histogram     `json:"service"`   // on a worker, alone or side by side
	Alone     time.Duration `json:"alone"`     // estimate for one hash alone on a worker
	Drain     time.Duration `json:"drain"`     // per hash of a full batch; rate: Workers/Drain
}

// A TopPrincipal is one of the principals that use most of a pool, summed over all Callers.
type TopPrincipal struct {
	ID     string        `json:"id"`     // as PrincipalID returns it
	Weight time.Duration `json:"weight"` // machine time, queued and of the last seconds; 2 s is all of it
}

// An Outcome is how a call ended: one lower-case word.
type Outcome string

// The outcomes.
const (
	OutcomeMatch    Outcome = "match"    // Verify: the password is the stored one
	OutcomeMismatch Outcome = "mismatch" // Verify: it is not
	OutcomeUnknown  Outcome = "unknown"  // Verify: there is no such user, or no password
	OutcomeHashed   Outcome = "hashed"   // Hash: a new hash
	OutcomeRefused  Outcome = "refused"  // refused at once: OverloadedError or ErrClosed
	OutcomeDropped  Outcome = "dropped"  // admitted, and refused later: OverloadedError
	OutcomeExpired  Outcome = "expired"  // admitted, and the context's deadline passed
	OutcomeCanceled Outcome = "canceled" // the context was canceled, or Close did not wait
	OutcomeInvalid  Outcome = "invalid"  // stopped by the guards, before any work
)

// Endings returns each Outcome with each Reason that it can have, with a Count of 0.
func Endings() (all []Ending) {
	add := func(o Outcome, reasons ...Reason) {
		for _, r := range reasons {
			all = append(all, Ending{Outcome: o, Reason: r})
		}
	}

	add(OutcomeMatch, NoReason)
	add(OutcomeMismatch, NoReason)
	add(OutcomeUnknown, NoReason)
	add(OutcomeHashed, NoReason)
	add(OutcomeRefused, ReasonDeadline, ReasonQueue, ReasonShare, ReasonShed, ReasonClosed)
	add(OutcomeDropped, ReasonLate)
	add(OutcomeExpired, NoReason)
	add(OutcomeCanceled, ReasonLeft, ReasonGone, ReasonClosed)
	add(OutcomeInvalid, ReasonMalformed, ReasonCost, ReasonMemory, ReasonKey, ReasonTooLong, ReasonEmpty, ReasonNUL, ReasonOther)
	return all
}

// counts are those of a pool.
type counts struct{ signIns, upgrades Calls }

func (c *counts) of(upgrade bool) *Calls {
	if upgrade {
		return &c.upgrades
	}
	return &c.signIns
}

func (c *Calls) count(o Outcome, r Reason) {
	for i := range c.Ended {
		if e := &c.Ended[i]; e.Outcome == o && e.Reason == r {
			e.Count++
		}
	}
}

// Of returns how many calls ended with o and one of reasons. Without reasons, all count.
func (c Calls) Of(o Outcome, reasons ...Reason) (n uint64) {
	for _, e := range c.Ended {
		if e.Outcome == o && (len(reasons) == 0 || slices.Contains(reasons, e.Reason)) {
			n += e.Count
		}
	}
	return n
}
