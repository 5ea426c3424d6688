// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// All of these run on synctest's fake clock: they wait for nothing, and times are
// exact to the nanosecond. synctest fails a test that leaves a goroutine behind.

var errBoom = errors.New("boom")

// calls records when f was called, since the first call.
type calls struct {
	start time.Time
	at    []time.Duration
}

func (c *calls) add() {
	if c.at == nil {
		c.start = time.Now()
	}
	c.at = append(c.at, time.Since(c.start))
}

// seconds is a list of call times.
func seconds(s ...float64) (at []time.Duration) {
	for _, s := range s {
		at = append(at, time.Duration(s*float64(time.Second)))
	}
	return at
}

// A retry is a Retry under test, and what should come of it.
type retry struct {
	policy Policy                                // the zero Policy for delays of a second
	with   func(context.Context) context.Context // returns the context; nil for the test's
	f      func(n int) error                     // attempt n

	at   []time.Duration // when f is called
	end  time.Duration   // when Retry returns
	err  string          // what it says
	is   []error         // what it wraps
	isNo []error         // what it must not wrap
}

// try runs r on a fake clock and compares.
func try(t *testing.T, r retry) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if r.policy == (Policy{}) {
			r.policy = fixed(time.Second, 0)
		}
		if r.with != nil {
			ctx = r.with(ctx)
		}

		var c calls
		start := time.Now()
		err := Retry(ctx, r.policy, func() error { c.add(); return r.f(len(c.at)) })

		if end := time.Since(start); end != r.end {
			t.Errorf("returned after %v; want %v", end, r.end)
		}
		if !slices.Equal(c.at, r.at) {
			t.Errorf("calls at %v; want %v", c.at, r.at)
		}
		if got := fmt.Sprint(err); got != r.err {
			t.Errorf("error %q; want %q", got, r.err)
		}
		for _, target := range r.is {
			if !errors.Is(err, target) {
				t.Errorf("error %q is not %q", err, target)
			}
		}
		for _, target := range r.isNo {
			if errors.Is(err, target) {
				t.Errorf("error %q is %q", err, target)
			}
		}
	})
}

// always is an f that fails with err.
func always(err error) func(int) error { return func(int) error { return err } }

// timeout returns a context that ends after d.
func timeout(d time.Duration) func(context.Context) context.Context {
	return func(ctx context.Context) context.Context {
		ctx, cancel := context.WithTimeout(ctx, d)
		context.AfterFunc(ctx, cancel)
		return ctx
	}
}

func TestSuccess(t *testing.T) {
	for failures := range 4 {
		try(t, retry{
			policy: fixed(time.Second, 4),
			f: func(n int) error {
				if n <= failures {
					return errBoom
				}
				return nil
			},
			at:  seconds(0, 1, 2, 3)[:failures+1],
			end: time.Duration(failures) * time.Second,
			err: "<nil>",
		})
	}
}

func TestAttemptsUsedUp(t *testing.T) {
	try(t, retry{
		policy: fixed(time.Second, 3),
		f:      always(errBoom),
		at:     seconds(0, 1, 2),
		end:    2 * time.Second, // no wait after the last
		err:    "backoff: attempt 3 of 3: boom",
		is:     []error{errBoom},
		isNo:   []error{context.Canceled, context.DeadlineExceeded},
	})
	try(t, retry{
		policy: fixed(time.Second, 1),
		f:      always(errBoom),
		at:     seconds(0),
		err:    "backoff: attempt 1 of 1: boom",
		is:     []error{errBoom},
	})
}

func TestPermanent(t *testing.T) {
	if err := Permanent(nil); err != nil {
		t.Errorf("Permanent(nil) is %v; want nil", err)
	}
	try(t, retry{
		f: func(n int) error {
			if n == 1 {
				return errBoom
			}
			return Permanent(fmt.Errorf("gone: %w", errBoom))
		},
		at:  seconds(0, 1),
		end: time.Second,
		err: "gone: boom",
		is:  []error{errBoom},
	})

	// The mark inside another error.
	wrapped := fmt.Errorf("wrapped: %w", Permanent(errBoom))
	if err := Retry(t.Context(), Policy{}, func() error { return wrapped }); err != wrapped || !errors.Is(err, errBoom) {
		t.Errorf("returned %v; want the error as it was", err)
	}
	if got := Permanent(errBoom).Error(); got != "boom" {
		t.Errorf("the marked error says %q; want boom", got)
	}
}

func TestCancelWhileWaiting(t *testing.T) {
	cause := errors.New("shutting down")
	for _, c := range []struct {
		name  string
		cause error
		err   string
		is    []error
	}{
		{
			name: "without a cause",
			err:  "backoff: attempt 2: boom; not retried: context canceled",
			is:   []error{errBoom, context.Canceled},
		},
		{
			name:  "with a cause",
			cause: cause,
			err:   "backoff: attempt 2: boom; not retried: context canceled: shutting down",
			is:    []error{errBoom, context.Canceled, cause},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			try(t, retry{
				f: always(errBoom),
				with: func(ctx context.Context) context.Context {
					ctx, cancel := context.WithCancelCause(ctx)
					time.AfterFunc(1500*time.Millisecond, func() { cancel(c.cause) })
					return ctx
				},
				at:   seconds(0, 1),
				end:  1500 * time.Millisecond, // not 2 s
				err:  c.err,
				is:   c.is,
				isNo: []error{context.DeadlineExceeded},
			})
		})
	}
}

func TestCanceledBefore(t *testing.T) {
	try(t, retry{
		f: always(errBoom),
		with: func(ctx context.Context) context.Context {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return ctx
		},
		err: "backoff: not attempted: context canceled",
		is:  []error{context.Canceled},
	})
}

// What f achieved counts, also if ctx was done meanwhile.
func TestCanceledDuringF(t *testing.T) {
	var cancel context.CancelFunc
	with := func(ctx context.Context) context.Context {
		ctx, cancel = context.WithCancel(ctx)
		return ctx
	}
	try(t, retry{
		with: with,
		f:    func(int) error { cancel(); return errBoom },
		at:   seconds(0),
		err:  "backoff: attempt 1: boom; not retried: context canceled",
		is:   []error{errBoom, context.Canceled},
	})
	try(t, retry{
		with: with,
		f:    func(int) error { cancel(); return nil },
		at:   seconds(0),
		err:  "<nil>",
	})
}

// lateContext is done after a second but never closes Done: it stands for one that
// is done in the very instant in which the timer fires.
type lateContext struct {
	context.Context
	start time.Time
}

func (c lateContext) Err() error {
	if time.Since(c.start) >= time.Second {
		return context.Canceled
	}
	return nil
}

func TestNoCallAfterContextIsDone(t *testing.T) {
	try(t, retry{
		f:    always(errBoom),
		with: func(ctx context.Context) context.Context { return lateContext{ctx, time.Now()} },
		at:   seconds(0),
		end:  time.Second,
		err:  "backoff: attempt 1: boom; not retried: context canceled",
		is:   []error{errBoom, context.Canceled},
	})
}

func TestDeadline(t *testing.T) {
	for _, c := range []struct {
		name    string
		timeout time.Duration
		at      []time.Duration
		left    string
	}{
		{name: "back at 2 s, not at 2.5", timeout: 2500 * time.Millisecond, at: seconds(0, 1, 2), left: "500ms"},
		{name: "no call at the deadline", timeout: 2 * time.Second, at: seconds(0, 1), left: "1s"},
		{name: "a call just before it", timeout: 2*time.Second + 1, at: seconds(0, 1, 2), left: "1ns"},
	} {
		t.Run(c.name, func(t *testing.T) {
			try(t, retry{
				f:    always(errBoom),
				with: timeout(c.timeout),
				at:   c.at,
				end:  c.at[len(c.at)-1],
				err: fmt.Sprintf("backoff: attempt %d: boom; not retried: context deadline exceeded: 1s to wait and %s left",
					len(c.at), c.left),
				is:   []error{errBoom, context.DeadlineExceeded},
				isNo: []error{context.Canceled},
			})
		})
	}
}

// A deadline that passes while f runs is told with its cause.
func TestDeadlineDuringF(t *testing.T) {
	cause := errors.New("budget spent")
	try(t, retry{
		f: func(int) error { time.Sleep(3 * time.Second); return errBoom },
		with: func(ctx context.Context) context.Context {
			ctx, cancel := context.WithTimeoutCause(ctx, 2*time.Second, cause)
			context.AfterFunc(ctx, cancel)
			return ctx
		},
		at:  seconds(0),
		end: 3 * time.Second,
		err: "backoff: attempt 1: boom; not retried: context deadline exceeded: budget spent",
		is:  []error{errBoom, context.DeadlineExceeded, cause},
	})
}

// overloaded is an error that says when to come back.
type overloaded time.Duration

func (o overloaded) Error() string             { return "overloaded" }
func (o overloaded) RetryAfter() time.Duration { return time.Duration(o) }

// The wait is what the error asks for, and then the delay.
func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		wait time.Duration
	}{
		{name: "asked", err: overloaded(5 * time.Second), wait: 6 * time.Second},
		{name: "asked by a wrapped error", err: fmt.Errorf("login: %w", overloaded(5*time.Second)), wait: 6 * time.Second},
		{name: "asked for an hour, the most", err: overloaded(time.Hour), wait: time.Hour + time.Second},
		{name: "asked for nothing", err: overloaded(0), wait: time.Second},
		{name: "asked for less than nothing", err: overloaded(-5 * time.Second), wait: time.Second},
		{name: "not asked", err: errBoom, wait: time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			try(t, retry{
				policy: fixed(time.Second, 2),
				f:      always(c.err),
				at:     []time.Duration{0, c.wait},
				end:    c.wait,
				err:    "backoff: attempt 2 of 2: " + c.err.Error(),
			})
		})
	}
}

// It counts against the deadline.
func TestRetryAfterBeyondDeadline(t *testing.T) {
	try(t, retry{
		f:    always(overloaded(10 * time.Second)),
		with: timeout(10 * time.Second),
		at:   seconds(0),
		err:  "backoff: attempt 1: overloaded; not retried: context deadline exceeded: 11s to wait and 10s left",
		is:   []error{overloaded(10 * time.Second), context.DeadlineExceeded},
	})
}

// It has a bound: a server can't hold a client for a year.
func TestRetryAfterTooLong(t *testing.T) {
	for _, asked := range []time.Duration{time.Hour + 1, math.MaxInt64} {
		t.Run(asked.String(), func(t *testing.T) {
			try(t, retry{
				policy: fixed(time.Second, 2),
				f:      always(overloaded(asked)),
				at:     seconds(0),
				is:     []error{overloaded(asked)},
				err:    fmt.Sprintf("backoff: attempt 1: overloaded; not retried: it asks to wait %v, want at most 1h0m0s", asked),
			})
		})
	}
}

func TestRetryAfterDoesNotOverflow(t *testing.T) {
	try(t, retry{
		policy: Policy{Base: math.MaxInt64 - 1, Cap: math.MaxInt64, Jitter: Decorrelated, MaxElapsed: time.Minute},
		f:      always(overloaded(time.Hour)),
		at:     seconds(0),
		err:    "backoff: attempt 1: overloaded; not retried: 2562047h47m16.854775807s to wait and 1m0s left of MaxElapsed, 1m0s",
	})
}

// The last attempt begins no later than MaxElapsed after the first, to the nanosecond, and Retry
// does not wait for one that would. What f takes counts.
func TestMaxElapsed(t *testing.T) {
	for _, c := range []struct {
		name       string
		maxElapsed time.Duration
		takes      time.Duration // by f
		at         []time.Duration
		says       string
	}{
		{
			name:       "the last attempt at MaxElapsed",
			maxElapsed: 3 * time.Second,
			at:         seconds(0, 1, 2, 3),
			says:       "backoff: attempt 4: boom; not retried: 1s to wait and 0s left of MaxElapsed, 3s",
		},
		{
			name:       "none a nanosecond later",
			maxElapsed: 3*time.Second - 1,
			at:         seconds(0, 1, 2),
			says:       "backoff: attempt 3: boom; not retried: 1s to wait and 999.999999ms left of MaxElapsed, 2.999999999s",
		},
		{
			name:       "f takes a second",
			maxElapsed: 3 * time.Second,
			takes:      time.Second,
			at:         seconds(0, 2),
			says:       "backoff: attempt 2: boom; not retried: 1s to wait and 0s left of MaxElapsed, 3s",
		},
		{
			name:       "below a delay",
			maxElapsed: time.Second / 2,
			at:         seconds(0),
			says:       "backoff: attempt 1: boom; not retried: 1s to wait and 500ms left of MaxElapsed, 500ms",
		},
		{name: "no limit", at: seconds(0, 1, 2, 3, 4), says: "backoff: attempt 5 of 5: boom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := fixed(time.Second, 5)
			p.MaxElapsed = c.maxElapsed
			try(t, retry{
				policy: p,
				f:      func(int) error { time.Sleep(c.takes); return errBoom },
				at:     c.at,
				end:    c.at[len(c.at)-1] + c.takes,
				err:    c.says,
				is:     []error{errBoom},
				isNo:   []error{context.DeadlineExceeded},
			})
		})
	}
}
