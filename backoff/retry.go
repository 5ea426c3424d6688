// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

// Retry, and the errors that steer it.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Retry calls f until it returns nil, and waits between the calls as p says. It
// gives up, and returns an error, when
//
//   - f returns a [Permanent] error: then this error;
//   - p.Attempts calls have failed: then the last error, wrapped;
//   - ctx is done, before a call of f or while waiting: then an error that wraps
//     the last error of f, if there is one, ctx.Err() and [context.Cause];
//   - the next call would not come before ctx's deadline: then at once, without the
//     useless wait, an error that wraps the last error and [context.DeadlineExceeded];
//   - it would come later than p.MaxElapsed after the first, or f's error asks for a
//     wait of more than an hour: then at once, the last error, wrapped;
//   - p is invalid: then f is not called.
//
// Of f's errors only the last is kept. If an error of f, or one that it wraps, has
// a method RetryAfter() time.Duration, Retry waits as long as that says and then
// the delay of p, so that clients sent away together don't return together. That
// sum may be above p.Cap: what bounds it are an hour, p.MaxElapsed and ctx.
//
// A delay is drawn by package fount when the wait begins. A snapshot of the machine taken in the
// middle of a wait holds it: all clones make the call that was due at the same time, and only the
// delays after it differ. Programs that are snapshotted while they wait should wait anew when they
// are restored, by a ctx that ends then.
//
// f runs on the caller's goroutine and its panics are not caught. It should watch
// ctx by itself: Retry does not interrupt it. Retry may be called from any
// goroutine; it starts none.
func Retry(ctx context.Context, p Policy, f func() error) error {
	delays, err := p.start()
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("backoff: not attempted: %w", done(ctx))
	}
	w := wait{ctx, p.MaxElapsed, time.Now()}
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
		if why := w.next(err, delay); why != nil {
			return fmt.Errorf("backoff: attempt %d: %w; not retried: %w", n, err, why)
		}
	}
}

// maxRetryAfter is the longest wait that an error may ask for: a server that answers with a
// Retry-After of a year can't hold a client for that long.
const maxRetryAfter = time.Hour

// A wait is what the waits of one Retry have in common.
type wait struct {
	ctx        context.Context
	maxElapsed time.Duration
	begin      time.Time
}

// next waits between the attempt that failed with err and the next one, for the
// delay or as err asks. The error says why there is no next attempt.
func (w wait) next(err error, delay time.Duration) error {
	least := retryAfter(err)
	if least > maxRetryAfter {
		return fmt.Errorf("it asks to wait %v; at most %v is waited", least, maxRetryAfter)
	}
	whole := least + min(delay, math.MaxInt64-least)
	if why := w.room(whole); why != nil {
		return why
	}
	return sleep(w.ctx, whole)
}

// room returns why there is no time to wait that long.
func (w wait) room(delay time.Duration) error {
	if w.ctx.Err() != nil {
		return done(w.ctx)
	}
	if deadline, ok := w.ctx.Deadline(); ok {
		if left := time.Until(deadline); left <= delay {
			return fmt.Errorf("%w: %v to wait and %v left", context.DeadlineExceeded, delay, left)
		}
	}
	if most := w.maxElapsed; most > 0 {
		if left := most - time.Since(w.begin); left < delay {
			return fmt.Errorf("%v to wait and %v left of MaxElapsed, %v", delay, max(0, left), most)
		}
	}
	return nil
}

// sleep returns nil after the delay, with ctx not done, or else why it is.
func sleep(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // also if both were ready
		return done(ctx)
	}
	return nil
}

// done returns why ctx is done, as an error that is both ctx.Err() and the cause.
func done(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// retryAfter is how long err asks to wait at least, 0 if it does not.
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

// Permanent marks err as one that no further attempt will mend, for [Retry] to stop
// at once. The marked error has the text of err and wraps it. Permanent(nil) is nil.
// Retry sees the mark also inside an error that wraps the marked one, and leaves it on: a
// Retry around another gives up too.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanent{err}
}

// permanent is a marked error.
type permanent struct{ err error }

func (p *permanent) Error() string { return p.err.Error() }
func (p *permanent) Unwrap() error { return p.err }
