// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package backoff retries what failed, after delays that never synchronise between
// clients. It is no circuit breaker and no rate limiter: it spreads the retries of
// many clients over time, and does not make them fewer.
//
// Most programs want [Retry] with a [Policy], whose zero value is ready. A loop of
// one's own takes [Policy.Delays]. Who has a retry library already keeps it and
// gives it these delays: see below.
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
// In one thing Decorrelated differs from there: Cap bounds the range instead of
// the value drawn from it. Where it bounds the value, two of three clients that
// have waited Cap wait exactly Cap again, and those that fail together then return
// together. The price is shorter delays in the long run: with a Cap of 100·Base
// their mean is 0.31 Cap, not 0.53. Full has 0.5.
//
// # Why they do not synchronise
//
// Delays of two clients differ only if their generators do. Generators seeded from
// the clock agree in clients started at the same instant, and one seeded once, as
// that of math/rand/v2 is, agrees in all clones of a virtual machine. Here every
// delay is asked of the kernel ([fount.Strict]) and nothing is kept for the next.
// Processes started together never share delays. Clones share none from the moment
// their kernels have reseeded: at once where the kernel is told of the restore
// (VMGENID, Linux 5.18 and later), and otherwise within minutes. Only on Plan 9,
// whose kernel has 18 bytes a second to give, do clones share them for good (see
// [fount/entropy.Kernel]). A delay that was drawn before the clone was taken is the
// same in all of them: [Retry] draws once more when it wakes, and loops of one's own,
// which wait by themselves, have to look at [fount/uniqueness.Load]. On Linux a draw
// costs 0.1 µs, or 0.3 µs where the kernel has no getrandom in the vDSO.
//
// # With a library that is there already
//
// github.com/cenkalti/backoff/v5 jitters by ±50 % with math/rand/v2. Its interface
// BackOff is met by a type of a few lines:
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
// many executions there, so its delay function takes no [Delays], which belongs
// to one goroutine, but draws by itself:
//
//	retrypolicy.NewBuilder[any]().WithDelayFunc(func(e failsafe.ExecutionAttempt[any]) time.Duration {
//		return fount.N(min(10*time.Second, 100*time.Millisecond<<min(e.Retries(), 10)))
//	})
//
// The same line fits the hooks of other libraries that are told the number of the
// attempt. [fount.N] draws from a buffer, of which clones may share some bytes:
// [fount.Status] says how many. Module fount/bench has both as Examples that run.
package backoff
