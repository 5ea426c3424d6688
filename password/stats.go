// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// How calls end: each is counted once for Stats, and passed to Options.Observe.

import (
	"log/slog"
	"math"
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
	Weight time.Duration `json:"weight"` // workers' time, queued and of the last seconds
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
func Endings() []Ending {
	return []Ending{
		{Outcome: OutcomeMatch}, {Outcome: OutcomeMismatch}, {Outcome: OutcomeUnknown}, {Outcome: OutcomeHashed},
		{OutcomeRefused, ReasonDeadline, 0}, {OutcomeRefused, ReasonQueue, 0}, {OutcomeRefused, ReasonShare, 0},
		{OutcomeRefused, ReasonShed, 0}, {OutcomeRefused, ReasonClosed, 0},
		{OutcomeDropped, ReasonLate, 0}, {Outcome: OutcomeExpired},
		{OutcomeCanceled, ReasonLeft, 0}, {OutcomeCanceled, ReasonGone, 0}, {OutcomeCanceled, ReasonClosed, 0},
		{OutcomeInvalid, ReasonMalformed, 0}, {OutcomeInvalid, ReasonCost, 0}, {OutcomeInvalid, ReasonMemory, 0},
		{OutcomeInvalid, ReasonKey, 0}, {OutcomeInvalid, ReasonTooLong, 0}, {OutcomeInvalid, ReasonEmpty, 0},
		{OutcomeInvalid, ReasonNUL, 0}, {OutcomeInvalid, ReasonOther, 0},
	}
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

// Bucket i ends at 2^(firstBucket+i/4) s: the first at 61 µs, the last but one at 128 s.
const (
	firstBucket = -14
	buckets     = 4*(7-firstBucket) + 2
)

// roots are the powers of the fourth root of two below 2.
var roots = [4]float64{1, math.Sqrt2 / rootOfSqrt2, math.Sqrt2, math.Sqrt2 * rootOfSqrt2}

const rootOfSqrt2 = 1.18920711500272106671749997056047591529297209246381741301900222

// A Histogram counts durations in 86 buckets. Their bounds double every four, from 61 µs to 128 s,
// as in Prometheus's native histograms of schema 2 and OpenTelemetry's exponential ones of scale 2.
type Histogram struct {
	// Counts[i] is of durations above bucket i-1, up to HistogramBounds()[i]; the last has no
	// bound.
	Counts [buckets]uint64 `json:"counts"`
	Sum    time.Duration   `json:"sum"` // of all durations
}

func (h *Histogram) record(d time.Duration) {
	h.Counts[bucket(d)]++
	h.Sum += d
}

// bucket returns the first bucket whose end is not below d.
func bucket(d time.Duration) int {
	i := math.Ceil(4 * (math.Log2(max(d, 1).Seconds()) - firstBucket))
	return min(max(int(i), 0), buckets-1)
}

// HistogramBounds returns the upper bounds of a Histogram's buckets but the last, in seconds.
func HistogramBounds() []float64 {
	bounds := make([]float64, buckets-1)
	for i := range bounds {
		bounds[i] = math.Ldexp(roots[i%4], firstBucket+i/4)
	}
	return bounds
}

// Add returns the sum of h and o.
func (h Histogram) Add(o Histogram) Histogram {
	for i, n := range &o.Counts {
		h.Counts[i] += n
	}
	h.Sum += o.Sum
	return h
}

// Count returns how many durations were counted.
func (h Histogram) Count() (n uint64) {
	for _, c := range &h.Counts {
		n += c
	}
	return n
}

// Quantile returns the upper bound of the bucket that has the quantile q, 0 to 1, such as 0.99: at
// most a fifth too high. It returns at least 61 µs and at most 128 s, or 0 if h is empty.
func (h Histogram) Quantile(q float64) time.Duration {
	all := h.Count()
	if all == 0 {
		return 0
	}

	rank := max(q*float64(all), 1)
	bounds := HistogramBounds()
	i := 0
	for n := h.Counts[0]; float64(n) < rank && i < len(bounds)-1; n += h.Counts[i] {
		i++
	}
	return time.Duration(bounds[i] * float64(time.Second))
}
