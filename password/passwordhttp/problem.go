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

// A problem is the body of an answer: problem details by RFC 9457. It holds nothing of the error
// but what its status says.
type problem struct {
	Type       string `json:"type"` // "about:blank": Title says what the status means
	Title      string `json:"title"`
	Status     int    `json:"status"`
	RetryAfter int64  `json:"retry_after_ms,omitempty"`
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
// A 503 speaks of the server, and balancers act on it: Envoy's outlier detection takes a server out
// after five 5xx in a row. A limit of one account speaks of its guesser, who could otherwise have
// servers taken out.
//
// The body is JSON, problem details by RFC 9457, with "retry_after_ms" for 503 and 429, which have
// the header Retry-After too, in whole seconds, rounded up; of a wait of more than a day it is a
// day.
func ServeError(w http.ResponseWriter, err error) {
	status, header := statusOf(err), w.Header()
	p := problem{Type: "about:blank", Title: http.StatusText(status), Status: status}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		wait := time.Second + time.Duration(fount.Float64()*float64(time.Second)) // if nobody has said
		if told, ok := errors.AsType[interface {
			error
			RetryAfter() time.Duration
		}](err); ok {
			wait = min(max(told.RetryAfter(), time.Millisecond), 24*time.Hour)
		}
		p.RetryAfter = int64((wait + time.Millisecond - 1) / time.Millisecond)
		header.Set("Retry-After", strconv.FormatInt((p.RetryAfter+999)/1000, 10))
	}
	body, _ := json.Marshal(p) // strings and numbers always have a JSON form
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "application/problem+json")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Del("Content-Length")
	header.Del("Content-Encoding")
	w.WriteHeader(status)
	w.Write(append(body, '\n'))
}

func statusOf(err error) int {
	_, limited := errors.AsType[accountlimit.LimitedError](err)
	_, overloaded := errors.AsType[password.OverloadedError](err)
	_, large := errors.AsType[*http.MaxBytesError](err)
	reason := password.ReasonOf(err)
	switch {
	case limited:
		return http.StatusTooManyRequests
	case overloaded, reason == password.ReasonClosed,
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, password.ErrMismatch):
		return http.StatusUnauthorized
	case reason == password.ReasonTooLong, reason == password.ReasonEmpty, reason == password.ReasonNUL:
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
