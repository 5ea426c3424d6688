// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package backoff retries failed calls after delays that never synchronise between
// clients. It is not a circuit breaker or a rate limiter: it spreads the retries of
// many clients over time and does not make them fewer.
//
// Most programs need only [Retry] with a [Policy], whose zero value is ready to use.
// A program with its own loop uses [Policy.Delays]; one that already has a retry
// library can keep it and give it these delays: see below.
//
// # The delays
//
// Clients that fail together and wait equally long fail together again. So each
// delay is drawn uniformly from a range that grows with the failures, up to a cap:
//
//	Full          [0, min(Cap, Base·2ⁿ)), n = 0 for the first delay
//	Decorrelated  [Base, min(Cap, 3·previous)), previous = Base for the first delay
//
// Both are Marc Brooker's: AWS Architecture Blog, Exponential Backoff And Jitter,
// 2015, https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
//
// Decorrelated differs from his in one thing: Cap bounds the range, not the value
// drawn from it. If it bounded the value, two of three clients that have waited Cap
// would wait exactly Cap again, and clients that then fail together would return
// together. The price is shorter delays in the long run: with a Cap of 100·Base
// their mean is 0.31 Cap, not 0.53. Full has 0.5.
//
// # Why they do not synchronise
//
// Delays of two clients differ only if their generators do. Generators seeded from
// the clock agree in clients started at the same instant; a generator seeded once,
// such as math/rand/v2's, agrees in all clones of a virtual machine. Here every delay is
// drawn by [fount.N] when the wait begins: processes started together never share
// delays, and clones share none that is drawn after fount has noticed them ([fount.Status]
// says by what, and how many values they share where nothing tells of them). A delay
// drawn before the clone was taken is the same in all of them.
//
// # With another library
//
// github.com/cenkalti/backoff/v5 jitters by ±50 % with math/rand/v2. A type of a few
// lines implements its interface BackOff:
//
//	// policyBackOff is the delays of a Policy for cenkalti/backoff.
//	type policyBackOff struct{ backoff.Delays }
//
//	func (b *policyBackOff) NextBackOff() time.Duration {
//		if delay, ok := b.Next(); ok {
//			return delay
//		}
//		return cenkalti.Stop
//	}
//
//	cenkalti.Retry(ctx, operation, cenkalti.WithBackOff(&policyBackOff{policy.Delays()}))
//
// github.com/failsafe-go/failsafe-go draws from math/rand/v2 too. One policy serves
// many executions there, so its delay function can't use a [Delays], which belongs
// to one goroutine, and draws for itself:
//
//	retrypolicy.NewBuilder[any]().WithDelayFunc(func(e failsafe.ExecutionAttempt[any]) time.Duration {
//		return fount.N(min(10*time.Second, 100*time.Millisecond<<min(e.Retries(), 10)))
//	})
//
// The same line fits other libraries' hooks that get the number of the attempt.
// Module fount/bench has both as Examples that run.
package backoff
