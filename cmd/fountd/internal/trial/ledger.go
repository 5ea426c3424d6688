// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package trial

// What became of the calls.

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"fount/password"
)

// An Outcome is what a caller got. Each call has one.
type Outcome int

// The outcomes.
const (
	Answered Outcome = iota // right, and by the deadline
	Late                    // right, after it
	Refused                 // by OverloadedError or ErrClosed
	Expired                 // nothing by the deadline, or a worker's word that there is no time left
	Canceled                // the caller went away
	Wrong                   // a verdict that isn't true
	Failed                  // any other error
)

// outcome is what a verify that should match, or should not, came to.
func outcome(match bool, err error, took, deadline time.Duration) Outcome {
	_, overloaded := errors.AsType[password.OverloadedError](err)
	switch {
	case err == nil || errors.Is(err, password.ErrMismatch):
		switch {
		case match != (err == nil):
			return Wrong
		case took > deadline:
			return Late
		}
		return Answered
	case errors.Is(err, context.DeadlineExceeded): // before the next: a worker that finds no time left says so
		return Expired
	case overloaded, errors.Is(err, password.ErrClosed):
		return Refused
	case errors.Is(err, context.Canceled):
		return Canceled
	}
	return Failed
}

// Counts are calls by outcome. Submitted is the sum of the others.
type Counts struct {
	Submitted int `json:"submitted"`
	InFlight  int `json:"in_flight"`
	Answered  int `json:"answered"`
	Late      int `json:"late"`
	Refused   int `json:"refused"`
	Expired   int `json:"expired"`
	Canceled  int `json:"canceled"`
	Wrong     int `json:"wrong"`
	Failed    int `json:"failed"`
}

// of is the count of an outcome.
func (c *Counts) of(o Outcome) *int {
	return [...]*int{&c.Answered, &c.Late, &c.Refused, &c.Expired, &c.Canceled, &c.Wrong, &c.Failed}[o]
}

// A Call is one that has ended.
type Call struct {
	Began   time.Duration // since the ledger was opened
	Took    time.Duration
	Outcome Outcome
}

// A Ledger counts calls. Its methods may be called from any goroutine.
type Ledger struct {
	opened time.Time

	mu       sync.Mutex
	counts   Counts
	calls    []Call
	began    []time.Duration // of all that were submitted, in order
	failures []error         // the first few
}

// NewLedger opens a ledger.
func NewLedger() *Ledger { return &Ledger{opened: time.Now()} }

// Now is the time since the ledger was opened.
func (l *Ledger) Now() time.Duration { return time.Since(l.opened) }

// begin counts a call that begins.
func (l *Ledger) begin() (began time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Submitted++
	l.counts.InFlight++
	began = l.Now()
	l.began = append(l.began, began)
	return began
}

// mostFailures is how many errors are kept.
const mostFailures = 5

func (l *Ledger) end(c Call, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.InFlight--
	*l.counts.of(c.Outcome)++
	l.calls = append(l.calls, c)
	if (c.Outcome == Failed || c.Outcome == Wrong) && len(l.failures) < mostFailures {
		l.failures = append(l.failures, err)
	}
}

// Counts returns the counts.
func (l *Ledger) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts
}

// Failures are the first errors that a fleet never should return, and verdicts that were wrong.
func (l *Ledger) Failures() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.failures...)
}

// Between are the counts of the calls that began from one time until before another, and how long those took that were
// answered, and those that were refused, in order.
func (l *Ledger) Between(from, until time.Duration) (c Counts, answered, refused []time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, began := range l.began {
		if from <= began && began < until {
			c.Submitted++
		}
	}
	c.InFlight = c.Submitted
	for _, call := range l.calls {
		if call.Began < from || call.Began >= until {
			continue
		}
		c.InFlight--
		*c.of(call.Outcome)++
		switch call.Outcome {
		case Answered:
			answered = append(answered, call.Took)
		case Refused:
			refused = append(refused, call.Took)
		}
	}
	slices.Sort(answered)
	slices.Sort(refused)
	return c, answered, refused
}

// Ended are the calls that have ended since the first n did.
func (l *Ledger) Ended(n int) []Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.calls[n:])
}

// Quantile is the time that the share q of sorted times does not exceed, 0 if there are none.
func Quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// slot is what goodput is counted by.
const slot = 100 * time.Millisecond

// rates are how many calls began, and how many were answered in time, in each slot until a time.
func (l *Ledger) rates(until time.Duration) (began, answered []float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	began, answered = make([]float64, until/slot), make([]float64, until/slot)
	for _, at := range l.began {
		if i := int(at / slot); i < len(began) {
			began[i]++
		}
	}
	for _, c := range l.calls {
		if i := int((c.Began + c.Took) / slot); i < len(answered) && c.Outcome == Answered {
			answered[i]++
		}
	}
	return began, answered
}

// Back returns how long after a moment goodput was back: when the second began in which 0.9 of what could be done was answered, which is what
// was asked for in that second, or what the workers that were there can do, in calls a second, if that is less. ok is false if that has
// not been yet.
func (l *Ledger) Back(from time.Duration, capacity float64) (after time.Duration, ok bool) {
	began, answered := l.rates(l.Now())
	const second = int(time.Second / slot)
	for i := int((from + slot - 1) / slot); i+second <= len(began); i++ {
		asked, got := 0., 0.
		for j := i; j < i+second; j++ {
			asked += began[j]
			got += answered[j]
		}
		if asked > 0 && got >= 0.9*min(asked, capacity) {
			return max(0, time.Duration(i)*slot-from), true
		}
	}
	return 0, false
}
