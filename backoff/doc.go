// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package backoff retries failed calls after delays that do not synchronise between clients. It is
// not a circuit breaker or a rate limiter: it spreads the retries of many clients over time and
// does not make them fewer.
//
// Most programs need only [Retry] with a [Policy], whose zero value is ready to use. A program with
// its own loop uses [Policy.Delays].
//
// # The delays
//
// Clients that fail together and wait equally long fail together again. So each delay is drawn
// uniformly from a range that grows with the failures, up to a cap: [Full] or [Decorrelated]. Both
// are from Marc Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015,
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
//
// Decorrelated differs from the original in this: Cap bounds the range, not the value drawn. Else
// two of three clients that have waited Cap would wait exactly Cap again, and return together.
//
// # Why they do not synchronise
//
// Every delay is drawn by [fount.N] when the wait begins. So processes started together share no
// delays, nor do clones of a machine once fount has noticed them (see [fount.Status]). A delay
// drawn before that is the same in all clones.
//
// # With another library
//
// A Policy's [Delays] fit any interface that asks for the next delay, such as BackOff of
// github.com/cenkalti/backoff: cmd/internal/bench has an Example. A hook that gets the number n of
// the attempt is one line:
//
//	fount.N(min(10*time.Second, 100*time.Millisecond<<min(n, 10)))
package backoff
