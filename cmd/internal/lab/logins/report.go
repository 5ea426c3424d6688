// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The result of one run.

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/lab/show"
)

// A Report has the results of a run. What needs CPU time is nil where this system does not tell it.
type Report struct {
	Config     Config `json:"config"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	Counts

	// Of a closed loop, whose requests are all followed. The CPU time is that of the process, with
	// the probes'.
	LastAnswer float64  `json:"last_answer_s"`
	Hashes     float64  `json:"hashes_per_s,omitempty"` // answered, by the time of the last answer
	CoreMS     *float64 `json:"core_ms_per_hash,omitempty"`

	// Of an open loop, by D - cut.
	AskedRate  float64 `json:"asked_per_s,omitempty"`
	InTimeRate float64 `json:"answered_in_time_per_s,omitempty"`
	CoresUsed  float64 `json:"cores_used,omitempty"` // until D

	// Latency is from the intended start to the answer, of all but refused requests. One without an
	// answer at the end of an open loop counts with its age. Refusal is from the call.
	Latency   Summary `json:"latency"`
	Refusal   Summary `json:"refusal"`
	Heartbeat Summary `json:"heartbeat"` // lateness of a tick every 5 ms
	Endpoint  Summary `json:"endpoint"`  // lateness of the answer to an HTTP request every 25 ms

	Share    measure.Share `json:"core_share,omitempty"`
	Workers  int           `json:"pool_workers,omitempty"`
	Failure  string        `json:"failure,omitempty"`  // the first error that is no refusal
	Statuses map[int]int64 `json:"statuses,omitempty"` // how many answers of a Service had each
}

// report returns the results, after rest. The process used so many seconds of CPU time.
func (r *run) report(used float64, share measure.Share) Report {
	t := r.tally
	t.mu.Lock()
	defer t.mu.Unlock()

	rep := Report{
		Config:     r.Config,
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		Counts:     t.sum,
		LastAnswer: t.answered.Seconds(),
		Latency:    summary(t.latency),
		Refusal:    summary(t.refusals),
		Share:      share,
		Statuses:   t.statuses,
	}

	answered := float64(t.sum.InTime + t.sum.Late)
	if r.IsOpen() {
		window := (r.Duration - r.Cut).Seconds()
		rep.AskedRate = float64(t.sum.Asked) / window
		rep.InTimeRate = float64(t.sum.InTime) / window
		rep.CoresUsed = r.cores
	} else if answered > 0 {
		rep.Hashes = answered / rep.LastAnswer
		rep.CoreMS = finite(1000 * used / answered)
	}

	if p, ok := r.m.(*pool); ok {
		rep.Workers = p.Stats().Workers
	}

	if t.failure != nil {
		rep.Failure = t.failure.Error()
	}
	return rep
}

// finite is nil of NaN.
func finite(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// Text is the post's two lines, and what else was measured.
func (r *Report) Text(s show.Style) (text string) {
	d := r.Config.Duration
	if d > 0 && !r.Config.IsOpen() {
		text = fmt.Sprintf("number of compares: %d\ntime taken: %v\n\n", r.EndedByDuration, d)
	}

	counts := show.Table{Head: []string{"", "requests", "share"}}
	count := func(name string, n int64) {
		share := float64(n) / float64(max(1, r.Asked))
		counts.Rows = append(counts.Rows, []string{name, show.Count(n), show.Ratio(share)})
	}
	count("asked", r.Asked)
	count("in time", r.InTime)
	count("late", r.Late)
	count("refused", r.Refused)
	count("given up", r.GivenUp)
	count("failed", r.Failed)

	times := show.Table{Head: []string{"", "p50 ms", "p99 ms", "max ms"}}
	took := func(name string, of Summary) {
		if of.Count > 0 {
			times.Rows = append(times.Rows, []string{name, show.Known(of.P50), show.Known(of.P99), show.Known(of.Max)})
		}
	}
	took("latency", r.Latency)
	took("refusal", r.Refusal)
	took("heartbeat late", r.Heartbeat)
	took("HTTP late", r.Endpoint)

	text += counts.String(show.Indent) + "\n" + times.String(show.Indent) + "\n"
	if d > 0 {
		text += s.Items(fmt.Sprintf("In progress after %v: %d.", d, r.InProgressAtDuration))
	}

	switch {
	case r.Config.IsOpen():
		text += s.Items(fmt.Sprintf("Due from %v to %v: asked %s a second, answered in time %s a second.",
			r.Config.Cut, d, show.Ratio(r.AskedRate), show.Ratio(r.InTimeRate)))
	case r.Hashes > 0:
		text += s.Items(fmt.Sprintf("%s hashes a second until the last answer after %s.",
			show.Ratio(r.Hashes), show.Seconds(r.LastAnswer)))
	}

	if r.CoreMS != nil {
		text += s.Items(fmt.Sprintf("A hash takes %s ms of a core.", show.Ratio(*r.CoreMS)))
	}

	if len(r.Statuses) > 0 {
		text += s.Items("Answers by status: " + strings.Trim(fmt.Sprint(r.Statuses), "map[]") + ".")
	}
	return text + s.Items(r.Share.String())
}
