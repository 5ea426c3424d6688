// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Answers to HTTP requests.

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// ServeError answers a request whose Verify or Hash returned err, which must
// not be nil. The body is the status in words: it reveals nothing of err.
//
//	OverloadedError                  503 with Retry-After, in whole seconds, rounded up
//	ErrClosed, ctx's deadline        503 with Retry-After: 1
//	ErrMismatch                      401 if w has a WWW-Authenticate header, which 401 must have, else 403
//	ErrTooLong, ErrEmpty, ErrNUL     400: Hash takes no such password
//	ErrMalformed, ErrCost, ErrKey    500: the store holds what can't be verified
//	any other                        500
//
// A canceled context gets 503 too, though its client has gone away.
func ServeError(w http.ResponseWriter, err error) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	status := statusOf(err, header)
	if status == http.StatusServiceUnavailable {
		header.Set("Retry-After", strconv.FormatInt(wholeSeconds(retryAfter(err)), 10))
	}
	http.Error(w, http.StatusText(status), status)
}

func statusOf(err error, header http.Header) int {
	_, overloaded := errors.AsType[OverloadedError](err)
	switch {
	case overloaded, errors.Is(err, ErrClosed),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, ErrMismatch):
		if header.Get("WWW-Authenticate") != "" {
			return http.StatusUnauthorized
		}
		return http.StatusForbidden
	case errors.Is(err, ErrTooLong), errors.Is(err, ErrEmpty), errors.Is(err, ErrNUL):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

func retryAfter(err error) time.Duration {
	overloaded, _ := errors.AsType[OverloadedError](err)
	return overloaded.After
}

// wholeSeconds rounds up, to at least 1.
func wholeSeconds(d time.Duration) int64 {
	return int64((max(d, 1)-1)/time.Second) + 1
}
