// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// The last error is returned when the attempts are used up.
func ExampleRetry_attempts() {
	policy := backoff.Policy{Base: time.Millisecond, Attempts: 3}
	err := backoff.Retry(context.Background(), policy, func() error {
		return errors.New("connection refused")
	})
	fmt.Println(err)
	// Output: backoff: attempt 3 of 3: connection refused
}

// What no further attempt will mend ends Retry at once.
func ExamplePermanent() {
	err := backoff.Retry(context.Background(), backoff.Policy{}, func() error {
		fmt.Println("reading")
		err := &fs.PathError{Op: "open", Path: "state", Err: fs.ErrNotExist}
		if errors.Is(err, fs.ErrNotExist) {
			return backoff.Permanent(err)
		}
		return err
	})
	fmt.Println(err)
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output:
	// reading
	// open state: file does not exist
	// true
}

// A loop of one's own, here one that reconnects for ever and starts from the first
// delay again once a connection has held.
func ExampleDelays() {
	connections := []string{"refused", "refused", "held, then lost", "refused", "closed by us"}

	delays := backoff.Policy{Base: time.Millisecond, Cap: time.Second}.Delays()
	for _, outcome := range connections {
		fmt.Println(outcome)
		if outcome == "closed by us" {
			break
		}
		if outcome == "held, then lost" {
			delays.Reset()
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

// The delays of an operation that is tried five times, with the range of each.
func ExamplePolicy_Delays() {
	policy := backoff.Policy{Base: 100 * time.Millisecond, Cap: 500 * time.Millisecond, Attempts: 5}
	delays := policy.Delays()
	for high := policy.Base; ; high = min(2*high, policy.Cap) {
		delay, ok := delays.Next()
		if !ok {
			break
		}
		fmt.Printf("in [0, %v): %v\n", high, 0 <= delay && delay < high)
	}
	// Output:
	// in [0, 100ms): true
	// in [0, 200ms): true
	// in [0, 400ms): true
	// in [0, 500ms): true
}
