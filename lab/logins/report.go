// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The result of one run.

import (
	"runtime"
	"time"
)

// A Report is what a run found. Names of fields stay; fields may be added.
type Report struct {
	Config     Config  `json:"config"`
	GOMAXPROCS int     `json:"gomaxprocs"`
	Compares   int64   `json:"compares"` // answered with a match, in time or late
	Seconds    float64 `json:"seconds"`  // that were counted, on the clock

	Counts
	Offered float64 `json:"offered_per_s"` // requests
	Goodput float64 `json:"goodput_per_s"` // answered by their deadline
	Cores   float64 `json:"cores_used"`    // CPU time by elapsed time, 0 if this system does not tell

	// Finished is compares a second, with those whose caller is gone. A closed loop counts all of the run, by the time until
	// the last ended; an open one those that ended in the counted time. It is nil for MaxOut in an open loop with compares
	// under way at the end.
	Finished *float64 `json:"finished_per_s"`

	// Latency is from the intended start to the answer, of all requests that were not refused. One unanswered at the end
	// counts with its age if its deadline had passed. Wait and Service are the parts of Latency, of those compared.
	// Refusal is from the call to the refusal.
	Latency   *Summary `json:"latency"`
	Wait      *Summary `json:"wait"`
	Service   *Summary `json:"service"`
	Refusal   *Summary `json:"refusal"`
	Heartbeat *Summary `json:"heartbeat"` // lateness of a tick every ms
	Endpoint  *Summary `json:"endpoint"`  // lateness of the answer to an HTTP request every 10 ms

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
		Pool: w.pool,
	}
	if w.pool != nil {
		rep.Wait, rep.Service = w.pool.wait, w.pool.service
	}
	span := w.elapsed
	if r.IsOpen() {
		span = r.counted() // in which all counted requests were to start
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

// Admitted is the number of requests that were not refused at once, including those that the Pool refused later.
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
