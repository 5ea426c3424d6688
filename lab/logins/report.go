// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The result of one run.

import (
	"fmt"
	"runtime"
	"strconv"
	"time"

	"fount/lab/show"
	"fount/password"
)

// A Report is what a run found.
type Report struct {
	Config     Config  `json:"config"`
	GOMAXPROCS int     `json:"gomaxprocs"`
	Compares   int64   `json:"compares"` // answered with a match, in time or late
	Seconds    float64 `json:"seconds"`  // that requests came

	Counts
	Offered float64 `json:"offered_per_s"` // requests
	Goodput float64 `json:"goodput_per_s"` // answered by their deadline

	// Finished is compares a second, with those whose caller is gone: of a closed loop all, by the
	// time until the last ended; of an open one those that ended while requests came. It is nil for
	// MaxOut in an open loop with compares left, which may be most of what it did.
	Finished *float64 `json:"finished_per_s"`

	// Latency is from the intended start to the answer, of all but refused requests. One unanswered
	// at the end counts with its age if it was late. Refusal is from the call.
	Latency   Summary `json:"latency"`
	Refusal   Summary `json:"refusal"`
	Heartbeat Summary `json:"heartbeat"` // lateness of a tick every ms
	Endpoint  Summary `json:"endpoint"`  // lateness of the answer to an HTTP request every 10 ms

	Workers int    `json:"pool_workers,omitempty"`
	Dropped int64  `json:"dropped,omitempty"` // of the refused, those that the pool had let in
	Failure string `json:"failure,omitempty"` // the first error that is no refusal
}

// report is what the run found, after rest.
func (r *run) report(answered bool) Report {
	t := r.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	rep := Report{
		Config: r.Config, GOMAXPROCS: runtime.GOMAXPROCS(0), Compares: t.sum.Good + t.sum.Late, Seconds: r.took.Seconds(),
		Counts: t.sum, Latency: summary(t.latency), Refusal: summary(t.refusals),
	}
	span, until := r.took, t.lastEnd
	if r.IsOpen() {
		span, until = r.Duration-r.Cut, r.Duration // in which what counts starts, and ends
	}
	rep.Offered, rep.Goodput = perSecond(t.sum.Submitted, span), perSecond(t.sum.Good, span)
	if answered || r.IsOpen() && r.Mechanism != MaxOut {
		finished := perSecond(t.ended, until)
		rep.Finished = &finished
	}
	if p, ok := r.m.(*pool); ok {
		stats := p.Stats()
		rep.Workers, rep.Dropped = stats.Workers, int64(stats.SignIns.Of(password.OutcomeDropped))
	}
	if t.failure != nil {
		rep.Failure = t.failure.Error()
	}
	return rep
}

func perSecond(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// Admitted is how many were not refused at once, with those that the Pool refused later.
func (r *Report) Admitted() int64 { return r.Submitted - r.Refused + min(r.Dropped, r.Refused) }

// Text is the post's two lines, and what else was measured.
func (r *Report) Text(s show.Style) string {
	took := time.Duration(r.Seconds * float64(time.Second)).Round(time.Millisecond)
	t := show.Table{Head: []string{"", "calls", "/s", "p50 ms", "p99 ms", "greatest"}}
	add := func(name string, n int64, rate float64, of Summary) {
		cells := []string{name, strconv.FormatInt(n, 10), "", "", "", ""}
		if rate > 0 {
			cells[2] = show.Ratio(rate)
		}
		for i, ms := range []*float64{of.P50, of.P99, of.Max} {
			if ms != nil {
				cells[3+i] = show.Ratio(*ms)
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	add("submitted", r.Submitted, r.Offered, Summary{})
	add("in time", r.Good, r.Goodput, Summary{})
	add("late", r.Late, 0, Summary{})
	add("refused", r.Refused, 0, r.Refusal)
	add("given up", r.Expired, 0, Summary{})
	add("failed", r.Failed, 0, Summary{})
	add("unanswered", r.Unanswered, 0, Summary{})
	add("latency", r.Latency.Count, 0, r.Latency)
	add("heartbeat late", r.Heartbeat.Count, 0, r.Heartbeat)
	add("HTTP late", r.Endpoint.Count, 0, r.Endpoint)
	text := fmt.Sprintf("number of compares: %d\ntime taken: %v\n\n%s", r.Compares, took, t.Fit(s.Width-len(show.Indent), "greatest").String(show.Indent))
	if r.Finished != nil {
		text += s.Items(fmt.Sprintf("Compares that ended, also for nobody: %s/s.", show.Ratio(*r.Finished)))
	}
	return text
}
