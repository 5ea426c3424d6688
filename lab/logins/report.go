// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// What one run gave.

import (
	"runtime"
	"time"
)

// A Report is what a run found. Names of fields stay; fields may be added.
type Report struct {
	Command    string  `json:"command"` // repeats the run
	Config     Config  `json:"config"`
	GOMAXPROCS int     `json:"gomaxprocs"`
	Compares   int64   `json:"compares"` // answered with a match, in time or late
	Seconds    float64 `json:"seconds"`  // that were counted, on the clock

	Counts
	Offered float64 `json:"offered_per_s"` // requests
	Goodput float64 `json:"goodput_per_s"` // answered by their deadline
	Cores   float64 `json:"cores_used"`    // CPU time by elapsed time, 0 if this system does not tell

	// Finished is compares, also those whose caller is gone. Of a closed loop: all of the run, by the time until the last
	// had ended. Of an open one: those that ended in the counted time, nil of a MaxOut that had compares under way at
	// the end.
	Finished *float64 `json:"finished_per_s"`

	// Latency is from the intended start to the answer, of all that were not refused; what was unanswered at the
	// end counts with its age if its deadline was over. Wait and Service are its parts, of what was compared.
	// Refusal is how long a refusal took, from the call.
	Latency   *Summary `json:"latency"`
	Wait      *Summary `json:"wait"`
	Service   *Summary `json:"service"`
	Refusal   *Summary `json:"refusal"`
	Heartbeat *Summary `json:"heartbeat"` // lateness of a tick each ms
	Endpoint  *Summary `json:"endpoint"`  // and of an HTTP request each 10 ms, until it is answered

	Memory  Memory       `json:"memory"`
	Pool    *PoolFigures `json:"pool,omitempty"`
	Failure string       `json:"failure,omitempty"` // the first error that is no refusal
}

func (r *run) report() Report {
	w := r.window
	t := r.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	rep := Report{
		Config: r.Config, GOMAXPROCS: runtime.GOMAXPROCS(0),
		Compares: t.sum.Good + t.sum.Late, Seconds: w.elapsed.Seconds(), Counts: t.sum,
		Finished: w.finished, Latency: t.spans.latency.summary(), Wait: t.spans.wait.summary(), Service: t.spans.service.summary(),
		Refusal: t.spans.refusal.summary(), Heartbeat: w.heartbeat, Endpoint: w.endpoint,
		Memory: w.memory, Pool: w.pool,
	}
	if w.pool != nil {
		rep.Wait, rep.Service = w.pool.wait, w.pool.service
	}
	span := w.elapsed
	if r.Open() {
		span = r.counted() // in which all that are counted were to start
	}
	rep.Offered, rep.Goodput = perSecond(t.sum.Submitted, span), perSecond(t.sum.Good, span)
	if w.elapsed > 0 {
		rep.Cores = w.cpu.Seconds() / w.elapsed.Seconds()
	}
	if t.failure != nil {
		rep.Failure = t.failure.Error()
	}
	return rep
}

// Admitted is how many requests were not refused at once. Those that the Pool let in and refused later are among them.
func (r *Report) Admitted() int64 {
	n := r.Submitted - r.Refused
	if r.Pool != nil {
		n += min(r.Pool.Dropped, r.Refused)
	}
	return n
}

func perSecond(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}
