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

// A problem is the body of an answer: problem details by RFC 9457. Of the error it tells only the
// status.
type problem struct {
	Type       string `json:"type"` // "about:blank": Title says what the status means
	Title      string `json:"title"`
	Status     int    `json:"status"`
	RetryAfter int64  `json:"retry_after_ms,omitempty"`
}

// ServeError answers a request with the status for err, an error of Verify, Hash or Ready that is
// not nil:
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
// A limit of one account is not a 5xx, because load balancers take out a server that answers with
// those (Envoy's outlier detection after five in a row), and so an attacker could.
//
// The body is JSON, problem details by RFC 9457. For 503 and 429 it has "retry_after_ms", and the
// header Retry-After has the same in seconds, rounded up. Both are at most a day.
func ServeError(w http.ResponseWriter, err error) {
	status := statusOf(err)
	header := w.Header()
	p := problem{Type: "about:blank", Title: http.StatusText(status), Status: status}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		wait := time.Second + time.Duration(fount.Float64()*float64(time.Second)) // if err has none
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
	case errors.Is(err, errBody):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}
