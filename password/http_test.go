// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestServeError(t *testing.T) {
	for _, c := range []struct {
		err        error
		auth       string
		status     int
		retryAfter string
	}{
		{OverloadedError{After: 1200 * time.Millisecond}, "", 503, "2"},
		{fmt.Errorf("login: %w", OverloadedError{After: time.Second}), "", 503, "1"},
		{OverloadedError{}, "", 503, "1"},
		{OverloadedError{After: math.MaxInt64}, "", 503, "9223372037"},
		{OverloadedError{After: math.MinInt64}, "", 503, "1"},
		{ErrClosed, "", 503, "1"},
		{context.DeadlineExceeded, "", 503, "1"},
		{context.Canceled, "", 503, "1"},
		{ErrMismatch, "", 403, ""},
		{ErrMismatch, `Basic realm="x"`, 401, ""},
		{ErrTooLong, "", 400, ""},
		{hashError(t, Policy{}, ""), "", 400, ""},
		{hashError(t, Policy{Algorithm: Bcrypt, Cost: 4}, "a\x00b"), "", 400, ""},
		{fmt.Errorf("%w: secret", ErrMalformed), "", 500, ""},
		{ErrCost, "", 500, ""},
		{ErrKey, "", 500, ""},
		{errors.New("secret"), "", 500, ""},
	} {
		w := httptest.NewRecorder()
		if c.auth != "" {
			w.Header().Set("WWW-Authenticate", c.auth)
		}
		ServeError(w, c.err)
		if w.Code != c.status || w.Header().Get("Retry-After") != c.retryAfter {
			t.Errorf("%v: %d, Retry-After %q; want %d, %q",
				c.err, w.Code, w.Header().Get("Retry-After"), c.status, c.retryAfter)
		}
		if body := w.Body.String(); strings.TrimSpace(body) != http.StatusText(c.status) {
			t.Errorf("%v: the body is %q; want the status in words", c.err, body)
		}
		if w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%v: may be cached", c.err)
		}
	}
}

// hashError returns the error of Hash, which there must be.
func hashError(t *testing.T, p Policy, password string) error {
	t.Helper()
	_, err := Hash(p, []byte(password))
	if err == nil {
		t.Fatalf("%q has a hash", password)
	}
	return err
}
