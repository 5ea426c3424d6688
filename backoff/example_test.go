// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fount/backoff"
)

// A service that is busy twice and then answers.
func ExampleRetry() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	policy := backoff.Policy{Base: 10 * time.Millisecond, Cap: time.Second, Attempts: 5}
	busy := 2
	err := backoff.Retry(ctx, policy, func() error {
		if busy > 0 {
			busy--
			fmt.Println("busy")
			return errors.New("busy")
		}
		fmt.Println("answered")
		return nil
	})
	fmt.Println(err)
	// Output:
	// busy
	// busy
	// answered
	// <nil>
}

// A loop of one's own, here one that reconnects for ever and starts from the first
// delay again once a connection has held.
func ExampleDelays() {
	connections := []string{"refused", "refused", "held, then lost", "refused", "closed by us"}

	policy := backoff.Policy{Base: time.Millisecond, Cap: time.Second}
	delays := policy.Delays()
	for _, outcome := range connections {
		fmt.Println(outcome)
		if outcome == "closed by us" {
			break
		}
		if outcome == "held, then lost" {
			delays = policy.Delays()
		}
		delay, ok := delays.Next()
		if !ok {
			break // not here: the Policy has no limit
		}
		time.Sleep(delay)
	}
	// Output:
	// refused
	// refused
	// held, then lost
	// refused
	// closed by us
}
