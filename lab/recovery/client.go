// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

// What a client does: attempts, and delays between them.

import (
	"context"
	"errors"
	mathrand "math/rand"
	"time"

	"fount/backoff"
	"fount/lab/logins"
	"fount/password"
)

// The range of all policies' delays.
const (
	base  = 100 * time.Millisecond
	limit = 10 * time.Second
)

// errTimeout is what a client has whose service does not answer.
var errTimeout = errors.New("no answer in time")

// unnamed is an error without the method RetryAfter.
type unnamed struct{ text string }

func (e unnamed) Error() string { return e.text }

// retry makes attempts until one has no error or it is too late.
func (c Config) retry(ctx context.Context, attempt func() error) error {
	heed := attempt
	if !c.Obey {
		heed = func() error {
			if err := attempt(); err != nil {
				return unnamed{err.Error()}
			}
			return nil
		}
	}
	if c.Policy == Full {
		return backoff.Retry(ctx, backoff.Policy{Base: base, Cap: limit}, heed)
	}
	return retryBy(ctx, c.delays(time.Now()), heed)
}

// delays are those of a client that begins now, by one of the policies that are not package backoff's.
func (c Config) delays(now time.Time) func() time.Duration {
	top := base / 2
	next := func() time.Duration {
		top = min(2*top, limit)
		return top
	}
	if c.Policy == NoJitter {
		return next
	}
	r := mathrand.New(mathrand.NewSource(now.Unix())) // as clients are written, and what the study shows
	return func() time.Duration { return time.Duration(r.Int63n(int64(next()))) }
}

// retryBy is backoff.Retry with other delays.
func retryBy(ctx context.Context, next func() time.Duration, attempt func() error) error {
	for {
		err := attempt()
		if err == nil {
			return nil
		}
		delay := next()
		if after, ok := errors.AsType[interface {
			error
			RetryAfter() time.Duration
		}](err); ok {
			delay += after.RetryAfter()
		}
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return err
		}
	}
}

// An outcome is what an attempt gave its client.
type outcome int

const (
	good outcome = iota
	refused
	timedOut
)

// attempt asks the service once, and leaves after the timeout. done is called when the service has ended with it, and told
// whether it worked for a client that had left.
func attempt(m logins.Mechanism, principal string, timeout time.Duration, done func(wasted bool)) (outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	answer := make(chan error, 1)
	go func() {
		spans, err := m.Compare(ctx, principal)
		late := ctx.Err() != nil
		answer <- err
		cancel()
		done(late && hashed(spans, err))
	}()
	<-ctx.Done()
	select {
	case err := <-answer:
		if err == nil {
			return good, nil
		}
		if _, ok := errors.AsType[password.OverloadedError](err); ok {
			return refused, err
		}
	default:
	}
	return timedOut, errTimeout
}

// hashed reports whether a compare that ended late got a hash, or part of one. The Pool says so of a call only that it was
// let in: of those whose deadline passed in its queue too.
func hashed(s logins.Spans, err error) bool {
	_, told := errors.AsType[password.OverloadedError](err)
	return s.Service > 0 || !told && s.Wait == 0
}
