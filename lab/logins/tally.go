// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// What became of the requests.

import (
	"context"
	"errors"
	"sync"
	"time"
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

// Conserved reports whether no request was lost or counted twice.
func (c Counts) Conserved() bool {
	return c.Submitted == c.Good+c.Late+c.Refused+c.Expired+c.Failed+c.Unanswered
}

// A tally counts requests while they are made. Times are since the start of the run.
type tally struct {
	cut, deadline time.Duration
	counts        func(due, ended time.Duration) bool

	mu       sync.Mutex
	over     bool
	sum      Counts
	pending  map[int64]time.Duration // intended starts of those under way
	last     int64                   // key in pending
	finished int64                   // compares that ended since the cut, in time or late, before the run was over
	ended    int64                   // all compares that ended, even those nothing else counts
	lastEnd  time.Duration           // of them
	failure  error                   // the first
	spans    struct{ latency, wait, service, refusal *histogram }
}

func newTally(c Config) *tally {
	t := &tally{cut: c.Cut, deadline: c.Deadline, pending: make(map[int64]time.Duration)}
	t.counts = func(_, ended time.Duration) bool { return ended >= c.Cut } // as the post's counter
	if c.IsOpen() {
		t.counts = func(due, _ time.Duration) bool { return due >= c.Cut }
	}
	for _, h := range []**histogram{&t.spans.latency, &t.spans.wait, &t.spans.service, &t.spans.refusal} {
		*h = newHistogram()
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
func (t *tally) end(key int64, ended, call time.Duration, s Spans, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	due := t.pending[key]
	delete(t.pending, key)
	if err == nil {
		t.ended++
		t.lastEnd = max(t.lastEnd, ended)
	}
	if t.over {
		return
	}
	if err == nil && ended >= t.cut {
		t.finished++
	}
	if !t.counts(due, ended) {
		return
	}
	t.sum.Submitted++
	if _, refused := isRefusal(err); refused {
		t.sum.Refused++
		t.spans.refusal.add(call)
		return
	}
	t.spans.latency.add(ended - due)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		t.sum.Expired++
		return
	case err != nil:
		t.sum.Failed++
		if t.failure == nil {
			t.failure = err
		}
		return
	case ended-due > t.deadline:
		t.sum.Late++
	default:
		t.sum.Good++
	}
	if s.Service > 0 {
		t.spans.wait.add(s.Wait)
		t.spans.service.add(s.Service)
	}
}

// close counts requests under way as unanswered, with their age as latency if their deadline has passed. Nothing counts
// after that.
func (t *tally) close(now time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	for _, due := range t.pending {
		if t.counts(due, now) {
			t.sum.Submitted++
			t.sum.Unanswered++
			if now-due > t.deadline { // a younger one's age says nothing about how long it will take
				t.spans.latency.add(now - due)
			}
		}
	}
}

// snapshot returns the counts so far, and how many compares ended.
func (t *tally) snapshot() (Counts, int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum, t.finished
}

// drained returns how many compares ended, and when the last one did.
func (t *tally) drained() (ended int64, last time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended, t.lastEnd
}

// left is how many compares are under way.
func (t *tally) left() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return int64(len(t.pending))
}
