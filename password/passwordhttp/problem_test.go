// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fount/password"
	"fount/password/accountlimit"
)

// An error's status, and what the body says: nothing of the error.
func TestServeErrorStatus(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
	}{
		{password.OverloadedError{}, 503},
		{password.ErrClosed, 503},
		{context.DeadlineExceeded, 503},
		{context.Canceled, 503},
		{accountlimit.LimitedError{After: time.Second}, 429},
		{password.ErrMismatch, 401},
		{password.ErrTooLong, 400},
		{password.ErrEmpty, 400},
		{fmt.Errorf("hash: %w", password.ErrNUL), 400},
		{fmt.Errorf("form: %w", &http.MaxBytesError{Limit: 1}), 413},
		{fmt.Errorf("%w: secret", password.ErrMalformed), 500},
		{password.ErrCost, 500},
		{password.ErrKey, 500},
		{errors.New("secret"), 500},
	} {
		w := httptest.NewRecorder()
		w.Header().Set("WWW-Authenticate", "Basic")
		w.Header().Set("Content-Length", "7")
		w.Header().Set("Content-Encoding", "gzip")
		ServeError(w, c.err)

		h := w.Header()
		if w.Code != c.status || (h.Get("Retry-After") != "") != (c.status == 503 || c.status == 429) || h.Get("WWW-Authenticate") != "Basic" {
			t.Errorf("%v: %d, %v; want %d", c.err, w.Code, h, c.status)
		}
		if h.Get("Cache-Control") != "no-store" || h.Get("Content-Type") != "application/problem+json" || h.Get("Content-Length") != "" ||
			h.Get("Content-Encoding") != "" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%v: header %v", c.err, h)
		}
		var got problem
		d := json.NewDecoder(strings.NewReader(w.Body.String()))
		d.DisallowUnknownFields()
		err := d.Decode(&got)
		got.RetryAfter = 0
		if err != nil || got != (problem{Type: "about:blank", Title: http.StatusText(c.status), Status: c.status}) {
			t.Errorf("%v: the body is %s, %v", c.err, w.Body, err)
		}
	}
}

// Retry-After is an error's own time, rounded up: a millisecond to a day.
func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		err     error
		seconds string
		ms      int64
	}{
		{password.OverloadedError{After: 1200 * time.Millisecond}, "2", 1200},
		{password.OverloadedError{After: 1200*time.Millisecond + 1}, "2", 1201},
		{fmt.Errorf("login: %w", password.OverloadedError{After: time.Second}), "1", 1000},
		{password.OverloadedError{After: math.MaxInt64}, "86400", 86400000},
		{password.OverloadedError{After: math.MinInt64}, "1", 1},
		{fmt.Errorf("login: %w", accountlimit.LimitedError{After: 90500 * time.Millisecond}), "91", 90500},
	} {
		w := httptest.NewRecorder()
		ServeError(w, c.err)
		var got problem
		err := json.Unmarshal(w.Body.Bytes(), &got)
		if err != nil || w.Header().Get("Retry-After") != c.seconds || got.RetryAfter != c.ms {
			t.Errorf("%v: %v, %s; want %s s, %d ms", c.err, w.Header(), w.Body, c.seconds, c.ms)
		}
	}
}

// Clients that a closed pool refuses together, for which nobody has drawn a wait, are told
// different ones.
func TestRetryAfterIsDrawn(t *testing.T) {
	waits := map[string]bool{}
	for range 200 {
		w := httptest.NewRecorder()
		ServeError(w, password.ErrClosed)
		waits[w.Body.String()] = true
	}
	if len(waits) < 100 {
		t.Errorf("%d different waits of 200", len(waits))
	}
}
