// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"slices"
	"time"

	"fount/password"
)

// hedge calls ask, and a second time if the first call ends without a conclusive result, or has none
// when half the time of ctx is gone. It returns the first conclusive result, else the error that
// tells most. Both calls have ended when it returns. If one of them may have begun a hash, the error
// is not password.ErrNotBegun.
func hedge[T any](ctx context.Context, ask func(ctx context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan result, 2)
	run := func() {
		value, err := ask(within)
		ended <- result{value, err}
	}

	deadline, _ := ctx.Deadline()
	half := time.After(time.Until(deadline) / 2)

	var results []result
	tries := 1
	go run()
	select {
	case r := <-ended:
		results = append(results, r)
	case <-half:
	}

	answered := len(results) > 0 && conclusive(results[0].err)
	if !answered && ctx.Err() == nil {
		tries = 2
		go run()
	}
	for len(results) < tries {
		r := <-ended
		results = append(results, r)
		if conclusive(r.err) {
			cancel()
		}
	}

	best := results[0]
	mayHash := false // a server may have begun a hash
	for _, r := range results {
		mayHash = mayHash || !errors.Is(r.err, password.ErrNotBegun)
		if tellsMore(r.err, best.err) {
			best = r
		}
	}
	if e, ok := best.err.(*Error); ok && mayHash {
		e.notBegun = false
	}
	return best.value, best.err
}

// conclusive reports whether any server would return this error for the same password and policy. A
// mismatch is no error yet: Verify makes it one.
func conclusive(err error) bool {
	fixed := []error{password.ErrTooLong, password.ErrEmpty, password.ErrNUL}
	return err == nil || slices.ContainsFunc(fixed, func(e error) bool { return errors.Is(err, e) })
}

// tellsMore reports whether a later error tells a caller more than the first: a conclusive one does,
// and an overload, as that may pass. errNoServer tells least.
func tellsMore(later, first error) bool {
	switch {
	case conclusive(first), errors.Is(later, errNoServer):
		return false
	case conclusive(later), errors.Is(first, errNoServer):
		return true
	}
	return errors.As(later, new(password.OverloadedError))
}
