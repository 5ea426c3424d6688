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

// conclusive reports whether any server would return this error for the same password and policy.
func conclusive(err error) bool {
	fixed := []error{password.ErrMismatch, password.ErrTooLong, password.ErrEmpty, password.ErrNUL}
	return err == nil || slices.ContainsFunc(fixed, func(e error) bool { return errors.Is(err, e) })
}

// hedge calls ask, and a second time if the first call returns no conclusive error or half the time
// of ctx is gone. It returns the first conclusive result. Both calls have ended when it returns. If
// one of them may have begun a hash, the error is not password.ErrNotBegun.
func hedge[T any](ctx context.Context, ask func(ctx context.Context) (T, error)) (none T, kept error) {
	const maxTries = 2
	type result struct {
		value T
		err   error
	}
	within, cancel := context.WithCancel(ctx)
	results := make(chan result, maxTries)
	begun, ended := 0, 0
	begin := func() {
		begun++
		go func() {
			value, err := ask(within)
			results <- result{value, err}
		}()
	}
	mayHash := false // a server may have begun a hash
	noteEnd := func(err error) {
		ended++
		mayHash = mayHash || !errors.Is(err, password.ErrNotBegun)
	}
	defer func() {
		cancel()
		for ended < begun {
			r := <-results
			noteEnd(r.err)
		}
		if e, ok := kept.(*Error); ok && mayHash {
			e.notBegun = false
		}
	}()
	deadline, _ := ctx.Deadline()
	half := time.NewTimer(time.Until(deadline) / 2)
	defer half.Stop()
	begin()
	for {
		select {
		case r := <-results:
			noteEnd(r.err)
			if conclusive(r.err) {
				return r.value, r.err
			}
			// Keep the first error, or an overload, as that may pass; errNoServer only if alone.
			_, overloaded := errors.AsType[password.OverloadedError](r.err)
			if kept == nil || errors.Is(kept, errNoServer) || overloaded && !errors.Is(r.err, errNoServer) {
				kept = r.err
			}
			switch {
			case begun < maxTries && ctx.Err() == nil:
				begin()
			case ended == begun:
				return none, kept
			}
		case <-half.C:
			if begun < maxTries {
				begin()
			}
		}
	}
}
