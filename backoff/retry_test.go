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

// outcome is what a Retry under test should come to.
type outcome struct {
	at   []time.Duration // when f is called
	end  time.Duration   // when Retry returns
	err  string          // what it says
	is   []error         // what it wraps
	isNo []error         // what it must not wrap
}

// try runs Retry on a fake clock and compares. prepare makes the context and f;
// its f need not record its calls.
func try(t *testing.T, p Policy, want outcome, prepare func(ctx context.Context) (context.Context, func(n int) error)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ctx, f := prepare(ctx)
		var c calls
		start := time.Now()
		err := Retry(ctx, p, func() error { c.add(); return f(len(c.at)) })
		if end := time.Since(start); end != want.end {
			t.Errorf("returned after %v; want %v", end, want.end)
		}
		if !slices.Equal(c.at, want.at) {
			t.Errorf("calls at %v; want %v", c.at, want.at)
		}
		if got := fmt.Sprint(err); got != want.err {
			t.Errorf("error %q; want %q", got, want.err)
		}
		for _, target := range want.is {
			if !errors.Is(err, target) {
				t.Errorf("error %q is not %q", err, target)
			}
		}
		for _, target := range want.isNo {
			if errors.Is(err, target) {
				t.Errorf("error %q is %q", err, target)
			}
		}
	})
}

// always is f that fails with err under the test's own context.
func always(err error) func(context.Context) (context.Context, func(int) error) {
	return func(ctx context.Context) (context.Context, func(int) error) {
		return ctx, func(int) error { return err }
	}
}

func TestSuccess(t *testing.T) {
	for failures := range 4 {
		try(t, fixed(time.Second, 4), outcome{
			at:  seconds(0, 1, 2, 3)[:failures+1],
			end: time.Duration(failures) * time.Second,
			err: "<nil>",
		}, func(ctx context.Context) (context.Context, func(int) error) {
			return ctx, func(n int) error {
				if n <= failures {
					return errBoom
				}
				return nil
			}
		})
	}
}

func TestAttemptsUsedUp(t *testing.T) {
	try(t, fixed(time.Second, 3), outcome{
		at: seconds(0, 1, 2), end: 2 * time.Second, // no wait after the last
		err: "backoff: attempt 3 of 3: boom", is: []error{errBoom},
		isNo: []error{context.Canceled, context.DeadlineExceeded},
	}, always(errBoom))
	try(t, fixed(time.Second, 1), outcome{
		at: seconds(0), err: "backoff: attempt 1 of 1: boom", is: []error{errBoom},
	}, always(errBoom))
}

func TestPermanent(t *testing.T) {
	if err := Permanent(nil); err != nil {
		t.Errorf("Permanent(nil) is %v; want nil", err)
	}
	try(t, fixed(time.Second, 0), outcome{
		at: seconds(0, 1), end: time.Second,
		err: "gone: boom", is: []error{errBoom},
	}, func(ctx context.Context) (context.Context, func(int) error) {
		return ctx, func(n int) error {
			if n == 1 {
				return errBoom
			}
			return Permanent(fmt.Errorf("gone: %w", errBoom))
		}
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
		cause error
		err   string
		is    []error
	}{
		{nil, "backoff: attempt 2: boom; not retried: context canceled", []error{errBoom, context.Canceled}},
		{cause, "backoff: attempt 2: boom; not retried: context canceled: shutting down", []error{errBoom, context.Canceled, cause}},
	} {
		try(t, fixed(time.Second, 0), outcome{
			at: seconds(0, 1), end: 1500 * time.Millisecond, // not 2 s
			err: c.err, is: c.is, isNo: []error{context.DeadlineExceeded},
		}, func(ctx context.Context) (context.Context, func(int) error) {
			ctx, cancel := context.WithCancelCause(ctx)
			time.AfterFunc(1500*time.Millisecond, func() { cancel(c.cause) })
			return ctx, func(int) error { return errBoom }
		})
	}
}

func TestCancelBeforeAndDuringF(t *testing.T) {
	canceled := func(ctx context.Context) context.Context {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return ctx
	}
	try(t, fixed(time.Second, 0), outcome{
		err: "backoff: not attempted: context canceled", is: []error{context.Canceled},
	}, func(ctx context.Context) (context.Context, func(int) error) {
		return canceled(ctx), func(int) error { return errBoom }
	})
	try(t, fixed(time.Second, 0), outcome{
		at: seconds(0), err: "backoff: attempt 1: boom; not retried: context canceled",
		is: []error{errBoom, context.Canceled},
	}, func(ctx context.Context) (context.Context, func(int) error) {
		ctx, cancel := context.WithCancel(ctx)
		return ctx, func(int) error { cancel(); return errBoom }
	})
	// What f achieved counts, also if ctx was done meanwhile.
	try(t, fixed(time.Second, 0), outcome{at: seconds(0), err: "<nil>"},
		func(ctx context.Context) (context.Context, func(int) error) {
			ctx, cancel := context.WithCancel(ctx)
			return ctx, func(int) error { cancel(); return nil }
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
	try(t, fixed(time.Second, 0), outcome{
		at: seconds(0), end: time.Second,
		err: "backoff: attempt 1: boom; not retried: context canceled", is: []error{errBoom, context.Canceled},
	}, func(ctx context.Context) (context.Context, func(int) error) {
		return lateContext{ctx, time.Now()}, func(int) error { return errBoom }
	})
}

func TestDeadline(t *testing.T) {
	for _, c := range []struct {
		timeout time.Duration
		at      []time.Duration
		err     string
	}{
		{2500 * time.Millisecond, seconds(0, 1, 2), // and back at 2 s, not at 2.5
			"backoff: attempt 3: boom; not retried: context deadline exceeded: 1s to wait and 500ms left"},
		{2 * time.Second, seconds(0, 1), // a call at the deadline would be too late
			"backoff: attempt 2: boom; not retried: context deadline exceeded: 1s to wait and 1s left"},
		{2*time.Second + 1, seconds(0, 1, 2),
			"backoff: attempt 3: boom; not retried: context deadline exceeded: 1s to wait and 1ns left"},
	} {
		try(t, fixed(time.Second, 0), outcome{
			at: c.at, end: c.at[len(c.at)-1], err: c.err,
			is: []error{errBoom, context.DeadlineExceeded}, isNo: []error{context.Canceled},
		}, func(ctx context.Context) (context.Context, func(int) error) {
			ctx, cancel := context.WithTimeout(ctx, c.timeout)
			context.AfterFunc(ctx, cancel)
			return ctx, func(int) error { return errBoom }
		})
	}
}

// A deadline that passes while f runs is told with its cause.
func TestDeadlineDuringF(t *testing.T) {
	cause := errors.New("budget spent")
	try(t, fixed(time.Second, 0), outcome{
		at: seconds(0), end: 3 * time.Second,
		err: "backoff: attempt 1: boom; not retried: context deadline exceeded: budget spent",
		is:  []error{errBoom, context.DeadlineExceeded, cause},
	}, func(ctx context.Context) (context.Context, func(int) error) {
		ctx, cancel := context.WithTimeoutCause(ctx, 2*time.Second, cause)
		context.AfterFunc(ctx, cancel)
		return ctx, func(int) error { time.Sleep(3 * time.Second); return errBoom }
	})
}

// overloaded is an error that says when to come back.
type overloaded time.Duration

func (o overloaded) Error() string             { return "overloaded" }
func (o overloaded) RetryAfter() time.Duration { return time.Duration(o) }

func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		err error
		end time.Duration
	}{
		{overloaded(5 * time.Second), 6 * time.Second}, // what was asked for, then the delay
		{fmt.Errorf("login: %w", overloaded(5*time.Second)), 6 * time.Second},
		{overloaded(0), time.Second},
		{overloaded(-5 * time.Second), time.Second},
		{errBoom, time.Second},
	} {
		try(t, fixed(time.Second, 2), outcome{
			at: []time.Duration{0, c.end}, end: c.end,
			err: "backoff: attempt 2 of 2: " + c.err.Error(),
		}, always(c.err))
	}
	// It counts against the deadline.
	try(t, fixed(time.Second, 0), outcome{
		at:  seconds(0),
		err: "backoff: attempt 1: overloaded; not retried: context deadline exceeded: 11s to wait and 10s left",
		is:  []error{overloaded(10 * time.Second), context.DeadlineExceeded},
	}, func(ctx context.Context) (context.Context, func(int) error) {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		context.AfterFunc(ctx, cancel)
		return ctx, func(int) error { return overloaded(10 * time.Second) }
	})
	// What is asked for has a bound: a server can't hold a client for a year.
	try(t, fixed(time.Second, 2), outcome{
		at: []time.Duration{0, time.Hour + time.Second}, end: time.Hour + time.Second, err: "backoff: attempt 2 of 2: overloaded",
	}, always(overloaded(time.Hour)))
	for _, asked := range []time.Duration{time.Hour + 1, math.MaxInt64} {
		try(t, fixed(time.Second, 2), outcome{
			at: seconds(0), is: []error{overloaded(asked)},
			err: fmt.Sprintf("backoff: attempt 1: overloaded; not retried: it asks to wait %v, want at most 1h0m0s", asked),
		}, always(overloaded(asked)))
	}
	// The sum does not overflow.
	p := Policy{Base: math.MaxInt64 - 1, Cap: math.MaxInt64, Jitter: Decorrelated, MaxElapsed: time.Minute}
	try(t, p, outcome{
		at:  seconds(0),
		err: "backoff: attempt 1: overloaded; not retried: 2562047h47m16.854775807s to wait and 1m0s left of MaxElapsed, 1m0s",
	}, always(overloaded(time.Hour)))
}

// The last attempt begins no later than MaxElapsed after the first, to the nanosecond, and Retry
// does not wait for one that would. What f takes counts.
func TestMaxElapsed(t *testing.T) {
	for _, c := range []struct {
		most  time.Duration
		takes time.Duration // by f
		at    []time.Duration
		says  string
	}{
		{3 * time.Second, 0, seconds(0, 1, 2, 3), "backoff: attempt 4: boom; not retried: 1s to wait and 0s left of MaxElapsed, 3s"},
		{3*time.Second - 1, 0, seconds(0, 1, 2), "backoff: attempt 3: boom; not retried: 1s to wait and 999.999999ms left of MaxElapsed, 2.999999999s"},
		{3 * time.Second, time.Second, seconds(0, 2), "backoff: attempt 2: boom; not retried: 1s to wait and 0s left of MaxElapsed, 3s"},
		{time.Second / 2, 0, seconds(0), "backoff: attempt 1: boom; not retried: 1s to wait and 500ms left of MaxElapsed, 500ms"},
		{0, 0, seconds(0, 1, 2, 3, 4), "backoff: attempt 5 of 5: boom"},
	} {
		p := fixed(time.Second, 5)
		p.MaxElapsed = c.most
		end := c.at[len(c.at)-1] + c.takes
		try(t, p, outcome{at: c.at, end: end, err: c.says, is: []error{errBoom}, isNo: []error{context.DeadlineExceeded}},
			func(ctx context.Context) (context.Context, func(int) error) {
				return ctx, func(int) error { time.Sleep(c.takes); return errBoom }
			})
	}
}
