// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// What became of the requests.

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"fount/lab/measure"
)

// Counts says what became of the requests. Each one submitted is in exactly one other field.
type Counts struct {
	Submitted  int64 `json:"submitted"`
	Good       int64 `json:"good"`       // answered by their deadline
	Late       int64 `json:"late"`       // answered after it
	Refused    int64 `json:"refused"`    // by the mechanism
	Expired    int64 `json:"expired"`    // given up at the deadline
	Failed     int64 `json:"failed"`     // with any other error
	Unanswered int64 `json:"unanswered"` // when the run was over
}

// A tally counts requests while they are made. Times are since the start of the run.
type tally struct {
	deadline   time.Duration
	cut, until time.Duration // in an open loop; 0: closed

	mu       sync.Mutex
	over     bool
	sum      Counts
	pending  map[int64]time.Duration // intended starts of those under way
	last     int64                   // key in pending
	ended    int64                   // compares, of an open loop while requests come
	lastEnd  time.Duration           // of them
	failure  error                   // the first
	latency  *measure.Histogram
	refusals *measure.Histogram
}

func newTally(c Config) *tally {
	t := &tally{deadline: c.Deadline, pending: make(map[int64]time.Duration), latency: newTimes(), refusals: newTimes()}
	if c.IsOpen() {
		t.cut, t.until = c.Cut, c.Duration
	}
	return t
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
	if err == nil && (t.until == 0 || ended <= t.until) {
		t.ended++
		t.lastEnd = max(t.lastEnd, ended)
	}
	if t.over || due < t.cut {
		return
	}
	t.sum.Submitted++
	if _, refused := isRefusal(err); refused {
		t.sum.Refused++
		t.refusals.Add(call)
		return
	}
	t.latency.Add(ended - due)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		t.sum.Expired++
	case err != nil:
		t.sum.Failed++
		if t.failure == nil {
			t.failure = err
		}
	case ended-due > t.deadline:
		t.sum.Late++
	default:
		t.sum.Good++
	}
}

// close counts requests under way as unanswered, with their age as latency if their deadline has
// passed. Nothing counts after that.
func (t *tally) close(now time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	for _, due := range t.pending {
		if due < t.cut {
			continue
		}
		t.sum.Submitted++
		t.sum.Unanswered++
		if now-due > t.deadline { // a younger one's age says nothing about how long it will take
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
	ms := func(ns float64) *float64 {
		if h.Count() == 0 || math.IsNaN(ns) {
			return nil
		}
		v := ns / float64(time.Millisecond)
		return &v
	}
	return Summary{h.Count(), ms(h.Quantile(0.5)), ms(h.Quantile(0.99)), ms(h.Max())}
}
