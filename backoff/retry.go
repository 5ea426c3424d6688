// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

// Retry, and the errors that control it.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Retry calls f until it returns nil, and waits between the calls as p says. It stops early if:
//
//   - f returns a [Permanent] error. Retry returns that error.
//   - p.Attempts calls have failed. The error wraps the last error of f.
//   - ctx is done, before a call of f or during a wait. The error wraps the last error of f, if
//     there is one, ctx.Err() and [context.Cause].
//   - The next call would not begin before ctx's deadline. Retry does not wait for the deadline.
//     The error wraps the last error of f and [context.DeadlineExceeded].
//   - The next call would begin later than p.MaxElapsed after Retry was called, or f's error asks
//     for a wait of more than an hour. Retry does not wait. The error wraps the last error of f.
//   - p is invalid. f is not called.
//
// Of f's errors only the last is kept. If it, or an error that it wraps, has a method RetryAfter()
// time.Duration, Retry waits that long and then the delay of p, so that clients that were refused
// together do not return together. This sum may exceed p.Cap. An hour, p.MaxElapsed and ctx limit
// it.
//
// If the machine is cloned during a wait, all clones make the next call at the same time: only the
// delays after it differ. A program that may be cloned while it waits should cancel ctx when it is
// restored, and call Retry again.
//
// f runs on the caller's goroutine, and its panics are not recovered. Retry does not interrupt f,
// so f should watch ctx itself. Retry may be called from any goroutine, and starts none.
func Retry(ctx context.Context, p Policy, f func() error) error {
	delays, err := p.newDelays()
	if err != nil {
		return err
	}

	if ctx.Err() != nil {
		return fmt.Errorf("backoff: not attempted: %w", ctxError(ctx))
	}

	w := waiter{ctx, p.MaxElapsed, time.Now()}
	for n := 1; ; n++ {
		err := f()
		if err == nil {
			return nil
		}
		if _, ok := errors.AsType[*permanent](err); ok {
			return err
		}

		delay, ok := delays.Next()
		if !ok {
			return fmt.Errorf("backoff: attempt %d of %d: %w", n, n, err)
		}
		if why := w.wait(err, delay); why != nil {
			return fmt.Errorf("backoff: attempt %d: %w; not retried: %w", n, err, why)
		}
	}
}

// maxRetryAfter is the longest wait that an error may ask for, so that a server's Retry-After of a
// year does not block a client for that long.
const maxRetryAfter = time.Hour

// A waiter waits between the attempts of one Retry.
type waiter struct {
	ctx        context.Context
	maxElapsed time.Duration
	begin      time.Time
}

// wait waits after an attempt that failed with err, for the delay and as long as err asks. It
// returns an error if there is to be no next attempt.
func (w waiter) wait(err error, delay time.Duration) error {
	asked := retryAfter(err)
	if asked > maxRetryAfter {
		return fmt.Errorf("it asks to wait %v, want at most %v", asked, maxRetryAfter)
	}

	delay = asked + min(delay, math.MaxInt64-asked)
	if why := w.checkTime(delay); why != nil {
		return why
	}
	return sleep(w.ctx, delay)
}

// checkTime returns an error if there is no time to wait for the delay.
func (w waiter) checkTime(delay time.Duration) error {
	if w.ctx.Err() != nil {
		return ctxError(w.ctx)
	}

	if deadline, ok := w.ctx.Deadline(); ok {
		if left := time.Until(deadline); left <= delay {
			return fmt.Errorf("%w: %v to wait and %v left", context.DeadlineExceeded, delay, left)
		}
	}

	if w.maxElapsed > 0 {
		if left := w.maxElapsed - time.Since(w.begin); left < delay {
			return fmt.Errorf("%v to wait and %v left of MaxElapsed, %v", delay, max(0, left), w.maxElapsed)
		}
	}
	return nil
}

// sleep waits for the delay. It returns an error if ctx is done by then.
func sleep(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()

	select {
	case <-timer.C:
	case <-ctx.Done():
	}

	if ctx.Err() != nil { // also if both channels were ready
		return ctxError(ctx)
	}
	return nil
}

// ctxError returns an error that wraps ctx.Err() and the cause.
func ctxError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// retryAfter returns how long err asks to wait, or 0 if it does not.
func retryAfter(err error) time.Duration {
	type retryAfter interface {
		error
		RetryAfter() time.Duration
	}
	if e, ok := errors.AsType[retryAfter](err); ok {
		return max(0, e.RetryAfter())
	}
	return 0
}

// Permanent returns an error that wraps err and has its text. If f returns it, or an error that
// wraps it, [Retry] stops and returns f's error; so does a Retry around that one. Permanent(nil) is
// nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanent{err}
}

// permanent is an error that Permanent returned.
type permanent struct{ err error }

func (p *permanent) Error() string { return p.err.Error() }
func (p *permanent) Unwrap() error { return p.err }
