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
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/internal/problem"
	"fount/password"
	"fount/password/accountlimit"
)

func TestServeError(t *testing.T) {
	for _, c := range []struct {
		err         error
		challenge   string
		status      int
		least, most int64 // Retry-After
		ms          int64 // 0: not compared
	}{
		{password.OverloadedError{After: 1200 * time.Millisecond}, "", 503, 2, 2, 1200},
		{password.OverloadedError{After: 1200*time.Millisecond + 1}, "", 503, 2, 2, 1201},
		{fmt.Errorf("login: %w", password.OverloadedError{After: time.Second}), "", 503, 1, 1, 1000},
		{password.OverloadedError{}, "", 503, 1, 1, 1},
		{password.OverloadedError{After: math.MaxInt64}, "", 503, 86400, 86400, 86400000},
		{password.OverloadedError{After: math.MinInt64}, "", 503, 1, 1, 1},
		{accountlimit.LimitedError{After: 90 * time.Second}, "", 429, 90, 90, 90000},
		{fmt.Errorf("login: %w", accountlimit.LimitedError{After: 90500 * time.Millisecond}), "", 429, 91, 91, 90500},
		{password.ErrClosed, "", 503, 1, 2, 0},
		{context.DeadlineExceeded, "", 503, 1, 2, 0},
		{context.Canceled, "", 503, 1, 2, 0},
		{password.ErrMismatch, "", 401, 0, 0, 0},
		{password.ErrMismatch, `Basic realm="x"`, 401, 0, 0, 0},
		{password.ErrTooLong, "", 400, 0, 0, 0},
		{password.ErrEmpty, "", 400, 0, 0, 0},
		{fmt.Errorf("hash: %w", password.ErrNUL), "", 400, 0, 0, 0},
		{fmt.Errorf("form: %w", &http.MaxBytesError{Limit: 1}), "", 413, 0, 0, 0},
		{fmt.Errorf("%w: secret", password.ErrMalformed), "", 500, 0, 0, 0},
		{password.ErrCost, "", 500, 0, 0, 0},
		{password.ErrKey, "", 500, 0, 0, 0},
		{errors.New("secret"), "", 500, 0, 0, 0},
	} {
		w := httptest.NewRecorder()
		if c.challenge != "" {
			w.Header().Set("WWW-Authenticate", c.challenge)
		}
		w.Header().Set("Content-Length", "7")
		w.Header().Set("Content-Encoding", "gzip")
		ServeError(w, c.err)
		seconds, _ := strconv.ParseInt(w.Header().Get("Retry-After"), 10, 64)
		if w.Code != c.status || seconds < c.least || seconds > c.most || w.Header().Get("WWW-Authenticate") != c.challenge {
			t.Errorf("%v: %d, %v; want %d, Retry-After from %d to %d", c.err, w.Code, w.Header(), c.status, c.least, c.most)
		}
		if h := w.Header(); h.Get("Cache-Control") != "no-store" || h.Get("Content-Type") != "application/problem+json" || h.Get("Content-Length") != "" ||
			h.Get("Content-Encoding") != "" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%v: header %v", c.err, h)
		}
		var got problem.Details
		d := json.NewDecoder(strings.NewReader(w.Body.String()))
		d.DisallowUnknownFields()
		if err := d.Decode(&got); err != nil {
			t.Errorf("%v: %q: %v", c.err, w.Body, err)
		}
		if got.Type != "about:blank" || got.Title != http.StatusText(c.status) || got.Status != c.status ||
			(c.ms != 0 || c.most == 0) && got.RetryAfter != c.ms {
			t.Errorf("%v: the body is %s", c.err, w.Body)
		}
		if strings.Contains(w.Body.String(), "secret") {
			t.Errorf("the body reveals %v", c.err)
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
