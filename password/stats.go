// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What a Pool says about itself.

import (
	"os"
	"time"

	"fount/internal/cgroup"
	"fount/password/internal/sched"
)

// Stats is a consistent snapshot of a Pool, fit for JSON. Counts start when the
// pool is made. Fields may be added.
type Stats struct {
	ChangePassword ClassStats `json:"change_password"`
	SignIn         ClassStats `json:"sign_in"`
	Rehash         ClassStats `json:"rehash"`

	Invalid Invalid `json:"invalid"` // did not pass the guards; not among the submitted

	Workers     int           `json:"workers"` // in force now, without the reserve
	Busy        int           `json:"busy"`
	Memory      int64         `json:"memory"` // the budget, in bytes
	MemoryInUse int64         `json:"memory_in_use"`
	MaxWait     time.Duration `json:"max_wait"`
	Wait        time.Duration `json:"wait"`     // until all that waits and runs now is done, as estimated
	Overload    time.Duration `json:"overload"` // since it began; 0: there is none

	// Lanes counts the turns of workers by how many hashes they did at once:
	// Lanes[2] is the number of pairs.
	Lanes  []uint64       `json:"lanes"`
	Hashes []HashStats    `json:"hashes"` // by algorithm and cost
	Top    []PrincipalUse `json:"top"`    // the principals with the most calls in the last minutes

	// Throttled is how long the kernel has kept the process's control group, and
	// those above it, from running because they had used up their share of CPU.
	// It is 0 also where that is not known.
	Throttled time.Duration `json:"throttled"`
}

// ClassStats counts the calls of one class. At every moment Submitted is the sum of
// Completed, Refused, Dropped, Expired, Canceled, Queued and Running.
type ClassStats struct {
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

// RefusedFor counts refusals by reason.
type RefusedFor struct {
	Deadline uint64 `json:"deadline"` // would not be ready in time, or make another late
	Queue    uint64 `json:"queue"`    // Options.Queue calls wait
	Share    uint64 `json:"share"`    // its principal had its share of the queue
	Rehash   uint64 `json:"rehash"`   // a rehash, switched off or during an overload
	Closed   uint64 `json:"closed"`
}

// Invalid counts the calls that ended at the guards, by error.
type Invalid struct {
	Malformed uint64 `json:"malformed"`
	Cost      uint64 `json:"cost"`
	Key       uint64 `json:"key"`
	TooLong   uint64 `json:"too_long"`
	Mismatch  uint64 `json:"mismatch"` // a password that matches nothing, as the empty one
	Other     uint64 `json:"other"`
}

// HashStats is how long the hashes of one algorithm and cost waited and took.
type HashStats struct {
	Algorithm string        `json:"algorithm"`
	Cost      string        `json:"cost"`    // as stored hashes write it: "10", "m=19456,t=2,p=1"; "other": of several
	Wait      Histogram     `json:"wait"`    // from the call to the worker
	Service   Histogram     `json:"service"` // from the worker to the answer, whatever ran beside it
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

// A Histogram counts durations in buckets whose ends are at most a quarter apart.
type Histogram struct {
	Count   uint64        `json:"count"`
	Sum     time.Duration `json:"sum"`
	Buckets []Bucket      `json:"buckets"` // those that hold anything, in order
}

// A Bucket counts the durations up to To, and above the To of the bucket before
// it.
type Bucket struct {
	To    time.Duration `json:"to"`
	Count uint64        `json:"count"`
}

// Quantile returns a duration that the share q of all, 0 to 1, does not exceed: the
// end of a bucket, so at most a quarter too high. It is 0 for an empty histogram.
func (h Histogram) Quantile(q float64) time.Duration {
	left := q * float64(h.Count)
	for _, b := range h.Buckets {
		if left -= float64(b.Count); left <= 0 {
			return b.To
		}
	}
	if n := len(h.Buckets); n > 0 {
		return h.Buckets[n-1].To
	}
	return 0
}

// Total returns the sums over all classes.
func (s Stats) Total() ClassStats {
	var t ClassStats
	for _, c := range []ClassStats{s.ChangePassword, s.SignIn, s.Rehash} {
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

// Stats returns a snapshot. It takes some microseconds, and reads a file or two on
// Linux.
func (p *Pool) Stats() Stats {
	s := p.statsOf(p.sched.Stats())
	s.Throttled = cgroup.Throttled(os.DirFS("/"))
	return s
}

func (p *Pool) statsOf(s sched.Stats) Stats {
	st := Stats{
		ChangePassword: classStats(s.Classes[rank[ChangePassword]]),
		SignIn:         classStats(s.Classes[rank[SignIn]]),
		Rehash:         classStats(s.Classes[rank[Rehash]]),
		Invalid: Invalid{
			Malformed: p.invalid.malformed.Load(),
			Cost:      p.invalid.cost.Load(),
			Key:       p.invalid.key.Load(),
			TooLong:   p.invalid.long.Load(),
			Mismatch:  p.invalid.mismatch.Load(),
			Other:     p.invalid.other.Load(),
		},
		Workers:     s.Workers,
		Busy:        s.Busy,
		Memory:      s.Memory,
		MemoryInUse: s.Held,
		MaxWait:     s.MaxWait,
		Wait:        s.Backlog,
		Overload:    s.Overload,
		Lanes:       s.Widths,
	}
	for _, t := range s.Timings {
		st.Hashes = append(st.Hashes, HashStats{
			Algorithm: Algorithm(t.Algorithm).String(), Cost: costString(t.Kind),
			Wait: histogramOf(t.Wait), Service: histogramOf(t.Service),
			Alone: t.Alone, Drain: t.Drain,
		})
	}
	for _, t := range s.Top {
		st.Top = append(st.Top, PrincipalUse{idString(t.Principal), t.Tasks, t.Error})
	}
	return st
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
			Rehash:   c.Refused[sched.Shed] + c.Refused[sched.Off],
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

func histogramOf(h sched.Histogram) Histogram {
	out := Histogram{Count: h.Count, Sum: h.Sum, Buckets: make([]Bucket, len(h.Buckets))}
	for i, b := range h.Buckets {
		out.Buckets[i] = Bucket(b)
	}
	return out
}
