// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package bench_test

// How retry libraries get their delays from fount, as the documentation of package
// fount/backoff shows it.

import (
	"context"
	"errors"
	"fmt"
	"time"

	cenkalti "github.com/cenkalti/backoff/v5"

	"fount/backoff"
)

// policyBackOff is the delays of a Policy for cenkalti/backoff.
type policyBackOff struct {
	backoff.Policy
	delays backoff.Delays
}

// Reset is called before the first delay too.
func (b *policyBackOff) Reset() { b.delays = b.Delays() }

func (b *policyBackOff) NextBackOff() time.Duration {
	if delay, ok := b.delays.Next(); ok {
		return delay
	}
	return cenkalti.Stop
}

// cenkalti/backoff waits as a fount/backoff Policy says, and as often.
func Example_cenkaltiBackoff() {
	policy := backoff.Policy{Base: time.Millisecond, Cap: time.Second, Attempts: 3}
	attempts := 0
	operation := func() (string, error) {
		attempts++
		return "", errors.New("busy")
	}
	_, err := cenkalti.Retry(context.Background(), operation,
		cenkalti.WithBackOff(&policyBackOff{Policy: policy}),
		cenkalti.WithNotify(func(err error, delay time.Duration) {
			fmt.Println(err, 0 <= delay && delay < policy.Cap)
		}))
	fmt.Println(attempts, "attempts:", err)
	// Output:
	// busy true
	// busy true
	// 3 attempts: busy
}
