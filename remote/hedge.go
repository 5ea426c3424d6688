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

// hedge calls ask, and a second time if the first call returns no conclusive result or half the time
// of ctx is gone. It returns the first conclusive result. Both calls have ended when it returns. If
// one of them may have begun a hash, the error is not password.ErrNotBegun.
func hedge[T any](ctx context.Context, ask func(ctx context.Context) (T, error)) (T, error) {
	const maxTries = 2
	type result struct {
		value T
		err   error
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan result, maxTries)
	begun := 0
	begin := func() {
		begun++
		go func() {
			value, err := ask(within)
			results <- result{value, err}
		}()
	}
	beginAnother := func() {
		if begun < maxTries && within.Err() == nil {
			begin()
		}
	}

	deadline, _ := ctx.Deadline()
	half := time.NewTimer(time.Until(deadline) / 2)
	defer half.Stop()

	var best result
	decided := false
	mayHash := false // a server may have begun a hash
	begin()
	for ended := 0; ended < begun; {
		select {
		case <-half.C:
			beginAnother()
		case r := <-results:
			ended++
			mayHash = mayHash || !errors.Is(r.err, password.ErrNotBegun)
			switch {
			case decided:
			case conclusive(r.err):
				decided = true
				best = r
				cancel()
			default:
				best.err = tellsMore(best.err, r.err)
				beginAnother()
			}
		}
	}

	if e, ok := best.err.(*Error); ok && mayHash {
		e.notBegun = false
	}
	return best.value, best.err
}

// conclusive reports whether any server would return this error for the same password and policy.
func conclusive(err error) bool {
	fixed := []error{password.ErrMismatch, password.ErrTooLong, password.ErrEmpty, password.ErrNUL}
	return err == nil || slices.ContainsFunc(fixed, func(e error) bool { return errors.Is(err, e) })
}

// tellsMore returns the first error, or an overload, as that may pass. errNoServer tells least.
func tellsMore(first, err error) error {
	_, overloaded := errors.AsType[password.OverloadedError](err)
	if first == nil || errors.Is(first, errNoServer) || overloaded && !errors.Is(err, errNoServer) {
		return err
	}
	return first
}
