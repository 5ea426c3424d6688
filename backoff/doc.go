// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package backoff retries failed calls after random delays, so that clients that failed together do
// not return together. It is not a circuit breaker or a rate limiter: it spreads the retries of
// many clients over time, but does not make them fewer.
//
// Most programs need only [Retry] with a [Policy], whose zero value is ready to use. A program with
// its own loop uses [Policy.Delays].
//
// # The delays
//
// Each delay is drawn uniformly from a range that grows with each failure, up to a cap. A [Jitter],
// [Full] or [Decorrelated], chooses the range. Both are from Marc Brooker, Exponential Backoff And
// Jitter, AWS Architecture Blog, 2015,
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
//
// Decorrelated differs from the original in one point: Cap bounds the range and not the delay drawn
// from it. Otherwise, of clients that have waited Cap, two in three would wait exactly Cap again
// and return together.
//
// [fount.N] draws a delay when its wait begins. So processes that start together draw different
// delays, and so do clones of a machine once fount has noticed the clone (see [fount.Status]). A
// delay drawn before that is the same in all clones.
//
// # With another library
//
// [Delays] fits any interface that asks for the next delay, such as BackOff of
// github.com/cenkalti/backoff: cmd/internal/bench has an example. A function that gets the number n
// of the attempt is one line:
//
//	fount.N(min(10*time.Second, 100*time.Millisecond<<min(n, 10)))
package backoff
