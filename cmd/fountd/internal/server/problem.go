// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// Answers to requests without a result.

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"fount/password"
	"fount/remote/api"
)

// problem answers with a problem, and with Retry-After if that names a time to wait.
func (x *exchange) problem(p api.Problem) {
	if wait := p.RetryAfterSeconds(); wait > 0 {
		x.w.Header().Set("Retry-After", strconv.FormatInt(wait, 10))
	}
	x.respond(p.Status, api.MediaTypeProblem, p.JSON())
}

// problemOf returns the problem for an error of a call.
func problemOf(err error) api.Problem {
	p := api.NewProblem(describe(err))
	p.NotBegun = p.NotBegun || errors.Is(err, password.ErrNotBegun)
	return p
}

// describe returns what NewProblem takes. retryAfter is OverloadedError.After, which the pool
// estimates from its queue (verdict.err in password/admission.go), or a second if the server or the
// client goes away.
func describe(err error) (reason api.Reason, detail string, retryAfter time.Duration) {
	overloaded, isOverloaded := errors.AsType[password.OverloadedError](err)
	_, isInvalid := errors.AsType[api.InvalidError](err)
	known := password.ReasonOf(err)

	switch {
	case isInvalid:
		return api.ReasonInvalid, err.Error(), 0
	case isOverloaded:
		reason = cmp.Or(api.Reason(overloaded.Reason), api.ReasonOverload)
		return reason, "overloaded; try again later", max(overloaded.After, time.Millisecond)
	case known == password.ReasonClosed:
		return api.ReasonClosed, "the server shuts down", time.Second
	case known.Err() != nil: // its text holds no part of the request
		return api.Reason(known), strings.TrimPrefix(err.Error(), "password: "), 0
	case errors.Is(err, context.DeadlineExceeded):
		return api.ReasonExpired, "the deadline has passed", 0
	case errors.Is(err, context.Canceled): // nobody reads the answer
		return api.ReasonClosed, "the client has gone away", time.Second
	}
	return api.ReasonInternal, "", 0
}
