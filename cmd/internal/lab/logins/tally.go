// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// What became of the requests.

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"fount/cmd/internal/lab/measure"
)

// Counts says what became of the requests that count: of a closed loop those begun before
// Config.Duration, and of an open one those due from Config.Cut until then. Each one asked is in
// exactly one of the next five fields. The last two are of all requests.
type Counts struct {
	Asked   int64 `json:"asked"`
	InTime  int64 `json:"answered_in_time"`     // by their deadline
	Late    int64 `json:"answered_late"`        // or refused so late; of an open loop also those not answered yet
	Refused int64 `json:"refused"`              // by the mechanism, by their deadline
	GivenUp int64 `json:"given_up_at_deadline"` // while they waited
	Failed  int64 `json:"failed"`               // with any other error

	EndedByDuration      int64 `json:"compares_ended_by_duration"`
	InProgressAtDuration int64 `json:"in_progress_at_duration"`
}

// A tally counts requests while they are made. Times are since the start of the run.
type tally struct {
	Config

	mu       sync.Mutex
	over     bool
	sum      Counts
	pending  map[int64]time.Duration // intended starts of those under way
	last     int64                   // key in pending
	answered time.Duration           // when the last answer came
	failure  error                   // the first
	latency  *measure.Histogram
	refusals *measure.Histogram
	statuses map[int]int64 // of a Service's answers
}

func newTally(c Config) *tally {
	return &tally{
		Config:   c,
		pending:  make(map[int64]time.Duration),
		latency:  newTimes(),
		refusals: newTimes(),
		statuses: make(map[int]int64),
	}
}

// begin counts a request that was to start at due, and returns its key.
func (t *tally) begin(due time.Duration) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	t.pending[t.last] = due
	return t.last
}

// end counts how the request ended: at ended, called for as long as call.
func (t *tally) end(key int64, ended, call time.Duration, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	due := t.pending[key]
	delete(t.pending, key)
	if t.over {
		return
	}

	answer, isAnswer := errors.AsType[status](err)
	if isAnswer {
		err = answer.outcome()
	}

	switch {
	case ended >= t.Duration:
		t.sum.InProgressAtDuration++
	case err == nil:
		t.sum.EndedByDuration++
	}
	if t.IsOpen() && due < t.Cut {
		return
	}

	t.sum.Asked++
	if isAnswer {
		t.statuses[int(answer)]++
	}
	t.count(ended, ended-due, call, err)
}

// count counts what became of a request.
func (t *tally) count(ended, latency, call time.Duration, err error) {
	isRefused := isRefusal(err)
	isLate := latency > t.Deadline
	if isRefused && !isLate {
		t.sum.Refused++
		t.refusals.Add(call)
		return
	}

	t.latency.Add(latency)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		t.sum.GivenUp++
		return
	case err != nil && !isRefused:
		t.sum.Failed++
		t.failure = cmp.Or(t.failure, err)
		return
	case isLate:
		t.sum.Late++
	default:
		t.sum.InTime++
	}
	t.answered = max(t.answered, ended)
}

// close ends the counting. Requests under way have passed their deadline: they count as late, with
// their age as latency.
func (t *tally) close(now time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true

	for _, due := range t.pending {
		t.sum.InProgressAtDuration++
		if due >= t.Cut {
			t.sum.Asked++
			t.sum.Late++
			t.latency.Add(now - due)
		}
	}
}

// newTimes keeps times to three digits, for quantiles that are held against a limit.
func newTimes() *measure.Histogram { return measure.NewHistogram(3) }

// A Summary is percentiles of times, in ms: nil where not one time lies above.
type Summary struct {
	Count int64    `json:"count"`
	P50   *float64 `json:"p50_ms"`
	P99   *float64 `json:"p99_ms"`
	Max   *float64 `json:"max_ms"`
}

func summary(h *measure.Histogram) Summary {
	if h.Count() == 0 {
		return Summary{}
	}
	ms := func(ns float64) *float64 { return finite(ns / float64(time.Millisecond)) }
	return Summary{h.Count(), ms(h.Quantile(0.5)), ms(h.Quantile(0.99)), ms(h.Max())}
}
