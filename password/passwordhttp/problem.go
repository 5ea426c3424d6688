// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"
	"time"

	"fount"
	"fount/password"
	"fount/password/accountlimit"
)

// A Problem is the body of an answer by ServeError: problem details by RFC 9457. It holds nothing of the error but
// what its status says, and for 400 the reason.
type Problem struct {
	Type   string          `json:"type"`  // "about:blank": Title says what the status means
	Title  string          `json:"title"` // the status in words
	Status int             `json:"status"`
	Reason password.Reason `json:"reason,omitzero"` // with 400: "too_long", "empty" or "nul"

	// RetryAfter is with 503 and 429 the milliseconds until the next attempt, as the error says it.
	RetryAfter int64 `json:"retry_after_ms,omitempty"`
}

// ServeError answers a request whose Verify, Hash or Ready returned err, which must not be nil.
//
//	OverloadedError                  503
//	accountlimit.LimitedError        429 (RFC 6585)
//	ErrClosed, a context's error     503
//	ErrMismatch                      401, with the WWW-Authenticate that w has, if any
//	ErrTooLong, ErrEmpty, ErrNUL     400: Hash takes no such password
//	os.ErrDeadlineExceeded           408: the body came too slowly
//	*http.MaxBytesError              413
//	ErrMalformed, ErrCost, ErrKey    500: the store holds what can't be verified
//	any other                        500
//
// A 503 speaks of the server, and balancers act on it: Envoy's outlier detection takes a server out of service after five 5xx in
// a row. A limit of one account speaks of its guesser, who could otherwise have servers taken out by guessing.
//
// The body is a Problem. 503 and 429 have the header Retry-After too. It counts whole seconds, and rounded all alike, clients
// that were refused together would come back together. So it says a second more than the wait, rounded up
// or down at random, as often as the fraction says: of clients that should wait for 1.3 s, 70 % are told 2 and 30 % 3. That is
// never too early, and a second more on average. Of a wait of more than a day it says a day.
func ServeError(w http.ResponseWriter, err error) {
	p := Problem{Type: "about:blank", Status: statusOf(err)}
	p.Title = http.StatusText(p.Status)
	header := w.Header()
	switch p.Status {
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		wait := retryAfter(err)
		p.RetryAfter = int64((wait + time.Millisecond - 1) / time.Millisecond)
		header.Set("Retry-After", strconv.FormatInt(spreadSeconds(wait, fount.Float64()), 10))
	case http.StatusBadRequest:
		p.Reason = reasonOf(err)
	}
	body, _ := json.Marshal(p) // strings and numbers always have a JSON form
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "application/problem+json")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Del("Content-Length")
	header.Del("Content-Encoding")
	w.WriteHeader(p.Status)
	w.Write(append(body, '\n'))
}

func statusOf(err error) int {
	_, limited := errors.AsType[accountlimit.LimitedError](err)
	_, overloaded := errors.AsType[password.OverloadedError](err)
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case limited:
		return http.StatusTooManyRequests
	case overloaded, errors.Is(err, password.ErrClosed),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, password.ErrMismatch):
		return http.StatusUnauthorized
	case reasonOf(err) != password.NoReason:
		return http.StatusBadRequest
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	case errors.Is(err, errNoForm):
		return http.StatusUnsupportedMediaType
	case large:
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusInternalServerError
}

// reasonOf is why no hash is made of a password.
func reasonOf(err error) password.Reason {
	switch {
	case errors.Is(err, password.ErrTooLong):
		return password.ReasonTooLong
	case errors.Is(err, password.ErrEmpty):
		return password.ReasonEmpty
	case errors.Is(err, password.ErrNUL):
		return password.ReasonNUL
	}
	return password.NoReason
}

// unknownWait is how long a client waits that nobody told how long.
const unknownWait = time.Second

func retryAfter(err error) time.Duration {
	told, ok := errors.AsType[interface {
		error
		RetryAfter() time.Duration
	}](err)
	if !ok {
		// With the pool's own jitter: a server that shuts down refuses many at once.
		return unknownWait + time.Duration(fount.Float64()*float64(unknownWait))
	}
	return min(max(told.RetryAfter(), time.Millisecond), longestWait)
}

// longestWait is far above what a pool asks for, and can be counted in all units.
const longestWait = 24 * time.Hour

// spreadSeconds returns the seconds for the header. at is from [0, 1).
func spreadSeconds(wait time.Duration, at float64) int64 {
	return 1 + int64(wait.Seconds()+at)
}
