// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What a Pool says about itself.

import (
	"iter"
	"slices"
	"time"

	"fount/password/internal/sched"
)

// Stats is a consistent snapshot of a Pool, fit for JSON. Counts start when the
// pool is made, never fall, and are complete: what has not happened yet is there with 0.
// Fields may be added. Package telemetry has the same in seconds.
type Stats struct {
	Start time.Time `json:"start"` // when the pool was made
	Time  time.Time `json:"time"`  // of the snapshot

	SignIn ClassStats `json:"sign_in"`
	Rehash ClassStats `json:"rehash"`

	Invalid Invalid `json:"invalid"` // did not pass the guards; not among the submitted

	Workers     int           `json:"workers"` // in force now
	Busy        int           `json:"busy"`
	Memory      int64         `json:"memory"` // the budget, in bytes
	MemoryInUse int64         `json:"memory_in_use"`
	MaxWait     time.Duration `json:"max_wait"`
	Wait        time.Duration `json:"wait"` // until all that waits and runs now is done, as estimated

	ObserverPanics uint64 `json:"observer_panics"` // of Options.Observe

	// Lanes counts the turns of workers by how many hashes they did at once:
	// Lanes[2] is the number of pairs.
	Lanes  []uint64       `json:"lanes"`
	Hashes []HashStats    `json:"hashes"` // by algorithm and cost
	Top    []PrincipalUse `json:"top"`    // the principals with the most calls in the last minutes
}

// ClassStats counts one class: its calls in Calls, and in the other fields the hashes
// that they asked the queue for, which are as many unless the guards stopped a call or
// Options.Stored made several of it. At every moment Submitted is the sum of Completed,
// Refused, Dropped, Expired, Canceled, Queued and Running.
type ClassStats struct {
	Calls CallStats `json:"calls"`

	Submitted uint64 `json:"submitted"`
	Completed uint64 `json:"completed"`
	Refused   uint64 `json:"refused"`  // at once
	Dropped   uint64 `json:"dropped"`  // admitted, but could not be done in time after all, or made way
	Evicted   uint64 `json:"evicted"`  // of Dropped: made way for a call of a principal that asks for less
	Expired   uint64 `json:"expired"`  // admitted, and the context's deadline passed before the answer
	Canceled  uint64 `json:"canceled"` // the client left, or Close did not wait
	Queued    int    `json:"queued"`
	Running   int    `json:"running"`

	RefusedFor RefusedFor `json:"refused_for"`

	// The completed calls, by result.
	Match    uint64 `json:"match"`
	Mismatch uint64 `json:"mismatch"`
	Unknown  uint64 `json:"unknown"` // no such user
	Hashed   uint64 `json:"hashed"`
	Filler   uint64 `json:"filler"` // compared with nothing, for Options.Stored
}

// CallStats counts the calls of Verify and Hash of one class, and how long they took. At
// every moment Started is the sum of InFlight and the counts of all Outcomes.
type CallStats struct {
	Started  uint64         `json:"started"`
	InFlight uint64         `json:"in_flight"` // have not returned yet
	Outcomes []OutcomeStats `json:"outcomes"`  // all, in the order of package function Outcomes

	// Wait is how long the answered calls stood in the queue, and Service how long they
	// were with a worker. With the time until its goroutine runs on, which is Total less
	// both, a call has its whole time.
	Wait    Histogram `json:"wait"`
	Service Histogram `json:"service"`
}

// OutcomeStats is what is known of the calls that ended with one outcome.
type OutcomeStats struct {
	Outcome Outcome       `json:"outcome"`
	Count   uint64        `json:"count"`
	Reasons []ReasonStats `json:"reasons"` // all, in the order of Outcome.Reasons; they add up to Count
	Total   Histogram     `json:"total"`   // from the beginning to the end of the call
}

// ReasonStats counts the calls that ended with an outcome for one reason.
type ReasonStats struct {
	Reason Reason `json:"reason"`
	Count  uint64 `json:"count"`
}

// Of returns what is known of one outcome; nothing for none.
func (c CallStats) Of(o Outcome) OutcomeStats {
	for _, s := range c.Outcomes {
		if s.Outcome == o {
			return s
		}
	}
	return OutcomeStats{Outcome: o}
}

// Answered returns how many calls were answered, and in which total time.
func (c CallStats) Answered() (total Histogram) {
	total = emptyHistogram()
	for _, s := range c.Outcomes {
		if s.Outcome.Answered() {
			total.include(s.Total)
		}
	}
	return total
}

// add returns the sums.
func (c CallStats) add(d CallStats) CallStats {
	sum := CallStats{
		Started: c.Started + d.Started, InFlight: c.InFlight + d.InFlight,
		Wait: c.Wait.Add(d.Wait), Service: c.Service.Add(d.Service),
	}
	for o := range Outcomes() {
		a, b := c.Of(o), d.Of(o)
		s := OutcomeStats{Outcome: o, Count: a.Count + b.Count, Total: a.Total.Add(b.Total)}
		for r := range o.Reasons() {
			s.Reasons = append(s.Reasons, ReasonStats{r, a.For(r) + b.For(r)})
		}
		sum.Outcomes = append(sum.Outcomes, s)
	}
	return sum
}

// For returns how many calls ended so for one reason.
func (o OutcomeStats) For(r Reason) uint64 {
	for _, s := range o.Reasons {
		if s.Reason == r {
			return s.Count
		}
	}
	return 0
}

// RefusedFor counts refusals by reason.
type RefusedFor struct {
	Deadline uint64 `json:"deadline"` // would not be ready in time, or make another late
	Queue    uint64 `json:"queue"`    // Options.Queue calls wait
	Share    uint64 `json:"share"`    // its principal had its share of the queue
	Rehash   uint64 `json:"rehash"`   // an upgrade during an overload
	Closed   uint64 `json:"closed"`
}

// Invalid counts the calls of all classes that ended at the guards, by error.
// CallStats has them by class.
type Invalid struct {
	Malformed uint64 `json:"malformed"`
	Cost      uint64 `json:"cost"`
	Key       uint64 `json:"key"`
	TooLong   uint64 `json:"too_long"`
	Mismatch  uint64 `json:"mismatch"` // an empty password, which matches nothing and can't be hashed
	Other     uint64 `json:"other"`
}

// HashStats is how long the hashes of one algorithm and cost waited and took.
type HashStats struct {
	Algorithm string        `json:"algorithm"`
	Cost      string        `json:"cost"`    // as stored hashes write it: "10", "m=19456,t=2,p=1"; "other": of several
	Wait      Histogram     `json:"wait"`    // from the call to the worker, of those that were computed
	Service   Histogram     `json:"service"` // from the worker to the answer, of the same, whatever ran beside them
	Alone     time.Duration `json:"alone"`   // one hash by itself: the estimate in use
	Drain     time.Duration `json:"drain"`   // workers' time for one hash while others wait, as estimated: Workers/Drain is the rate
}

// A PrincipalUse is how many calls a principal made in the last minutes. Older
// ones count less.
type PrincipalUse struct {
	ID    string `json:"id"` // Pool.PrincipalID
	Calls uint64 `json:"calls"`
	Error uint64 `json:"error"` // Calls may be too high by this
}

// Total returns the sums over all classes.
func (s Stats) Total() ClassStats {
	var t ClassStats
	for _, c := range []ClassStats{s.SignIn, s.Rehash} {
		t.Calls = t.Calls.add(c.Calls)
		t.Submitted += c.Submitted
		t.Completed += c.Completed
		t.Refused += c.Refused
		t.Dropped += c.Dropped
		t.Evicted += c.Evicted
		t.Expired += c.Expired
		t.Canceled += c.Canceled
		t.Queued += c.Queued
		t.Running += c.Running
		t.RefusedFor.Deadline += c.RefusedFor.Deadline
		t.RefusedFor.Queue += c.RefusedFor.Queue
		t.RefusedFor.Share += c.RefusedFor.Share
		t.RefusedFor.Rehash += c.RefusedFor.Rehash
		t.RefusedFor.Closed += c.RefusedFor.Closed
		t.Match += c.Match
		t.Mismatch += c.Mismatch
		t.Unknown += c.Unknown
		t.Hashed += c.Hashed
		t.Filler += c.Filler
	}
	return t
}

// AlgorithmStats is how long the hashes of one algorithm waited and took, whatever they cost.
type AlgorithmStats struct {
	Wait    Histogram `json:"wait"`
	Service Histogram `json:"service"`
}

// Algorithms yields each algorithm, also those of which no hash has come, and the sums of its part of Hashes: as many
// whatever the store has.
func (s Stats) Algorithms() iter.Seq2[Algorithm, AlgorithmStats] {
	return func(yield func(Algorithm, AlgorithmStats) bool) {
		none := emptyHistogram()
		for i, name := range algorithmNames[1:] {
			sum, rows := AlgorithmStats{none, none}, 0
			for i := range s.Hashes {
				h := &s.Hashes[i]
				if h.Algorithm != name {
					continue
				}
				switch rows++; rows {
				case 1: // the only one, of a snapshot by algorithm
					sum = AlgorithmStats{h.Wait, h.Service}
				case 2:
					sum = AlgorithmStats{sum.Wait.Add(h.Wait), sum.Service.Add(h.Service)}
				default:
					sum.Wait.include(h.Wait)
					sum.Service.include(h.Service)
				}
			}
			if !yield(Algorithm(i+1), sum) {
				return
			}
		}
	}
}

// Stats returns a snapshot. It takes some ten microseconds, up to a tenth of a millisecond
// with 64 kinds of hashes.
func (p *Pool) Stats() Stats { return p.statsOf(p.sched.Stats()) }

// StatsByAlgorithm returns a snapshot whose Hashes have one row for each algorithm, of cost
// "other" and without estimates. It takes as long whatever the store has: it is for metrics.
func (p *Pool) StatsByAlgorithm() Stats { return p.statsOf(p.sched.StatsByAlgorithm()) }

func (p *Pool) statsOf(s sched.Stats) Stats {
	ended, started := p.calls.snapshot()
	class := func(upgrade bool) ClassStats {
		c := classOf(upgrade)
		st := classStats(s.Classes[c])
		st.Calls = callStats(&ended[c], started[c])
		return st
	}
	st := Stats{
		Start: p.start, Time: time.Now(),
		SignIn: class(false), Rehash: class(true),
		Workers:        s.Workers,
		Busy:           s.Busy,
		Memory:         s.Memory,
		MemoryInUse:    s.Held,
		MaxWait:        s.MaxWait,
		Wait:           s.Backlog,
		ObserverPanics: p.calls.panics.Load(),
		Lanes:          s.Widths,
	}
	for _, c := range []ClassStats{st.SignIn, st.Rehash} {
		st.Invalid.add(c.Calls.Of(OutcomeInvalid))
	}
	st.Hashes = hashStats(s.Timings)
	for _, t := range s.Top {
		st.Top = append(st.Top, PrincipalUse{idString(t.Principal), t.Tasks, t.Error})
	}
	return st
}

// hashStats has the histograms of timings, and the costs in one string.
func hashStats(timings []sched.Timing) []HashStats {
	list := make([]HashStats, len(timings))
	text, ends := make([]byte, 0, 16*len(timings)), make([]int, len(timings))
	for i := range timings {
		text = appendCost(text, timings[i].Kind)
		ends[i] = len(text)
	}
	costs, from := string(text), 0
	for i := range timings {
		t := &timings[i]
		list[i] = HashStats{
			Algorithm: Algorithm(t.Algorithm).String(), Cost: costs[from:ends[i]],
			Wait: histogramOf(&t.Wait), Service: histogramOf(&t.Service),
			Alone: t.Alone, Drain: t.Drain,
		}
		from = ends[i]
	}
	return list
}

func (i *Invalid) add(o OutcomeStats) {
	i.Malformed += o.For(ReasonMalformed)
	i.Cost += o.For(ReasonCost) + o.For(ReasonMemory)
	i.Key += o.For(ReasonKey)
	i.TooLong += o.For(ReasonTooLong)
	i.Mismatch += o.For(ReasonEmpty)
	i.Other += o.For(ReasonNUL) + o.For(ReasonOther)
}

func callStats(e *ended, started uint64) CallStats {
	s := CallStats{
		Started: started, InFlight: started, Outcomes: make([]OutcomeStats, 0, outcomes-1),
		Wait: histogramOf(&e.wait), Service: histogramOf(&e.service),
	}
	reasons := make([]ReasonStats, 0, combinations)
	for o := range Outcomes() {
		one := OutcomeStats{Outcome: o, Total: histogramOf(&e.total[o])}
		from := len(reasons)
		for _, r := range reasonsOf[o] {
			reasons = append(reasons, ReasonStats{r, e.reasons[o][r]})
		}
		one.Reasons = slices.Clip(reasons[from:])
		one.Count = one.Total.Count
		s.InFlight -= one.Count
		s.Outcomes = append(s.Outcomes, one)
	}
	return s
}

func classStats(c sched.Counts) ClassStats {
	s := ClassStats{
		Submitted: c.Submitted, Completed: c.Completed, Dropped: c.Dropped,
		Evicted: c.Evicted, Expired: c.Expired, Canceled: c.Canceled,
		Queued: c.Queued, Running: c.Running,
		RefusedFor: RefusedFor{
			Deadline: c.Refused[sched.Deadline],
			Queue:    c.Refused[sched.Full],
			Share:    c.Refused[sched.Share],
			Rehash:   c.Refused[sched.Shed],
			Closed:   c.Refused[sched.Closed],
		},
		Match: c.Outcomes[matched], Mismatch: c.Outcomes[mismatched],
		Unknown: c.Outcomes[unknownUser], Hashed: c.Outcomes[hashed],
		Filler: c.Outcomes[filled],
	}
	for _, n := range c.Refused {
		s.Refused += n
	}
	return s
}
