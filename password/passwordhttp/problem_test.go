// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"fount/password"
	"fount/password/accountlimit"
)

func TestServeError(t *testing.T) {
	for _, c := range []struct {
		err         error
		challenge   string
		status      int
		reason      string
		least, most int64 // Retry-After
		ms          int64 // 0: not compared
	}{
		{password.OverloadedError{After: 1200 * time.Millisecond}, "", 503, "", 2, 3, 1200},
		{password.OverloadedError{After: 1200*time.Millisecond + 1}, "", 503, "", 2, 3, 1201},
		{fmt.Errorf("login: %w", password.OverloadedError{After: time.Second}), "", 503, "", 2, 2, 1000},
		{password.OverloadedError{}, "", 503, "", 1, 2, 1},
		{password.OverloadedError{After: math.MaxInt64}, "", 503, "", 86401, 86401, 86400000},
		{password.OverloadedError{After: math.MinInt64}, "", 503, "", 1, 2, 1},
		{accountlimit.LimitedError{After: 90 * time.Second}, "", 429, "", 91, 91, 90000},
		{fmt.Errorf("login: %w", accountlimit.LimitedError{After: 90500 * time.Millisecond}), "", 429, "", 91, 92, 90500},
		{password.ErrClosed, "", 503, "", 2, 3, 0},
		{context.DeadlineExceeded, "", 503, "", 2, 3, 0},
		{context.Canceled, "", 503, "", 2, 3, 0},
		{password.ErrMismatch, "", 401, "", 0, 0, 0},
		{password.ErrMismatch, `Basic realm="x"`, 401, "", 0, 0, 0},
		{password.ErrTooLong, "", 400, "too_long", 0, 0, 0},
		{hashError(t, password.Policy{}, ""), "", 400, "empty", 0, 0, 0},
		{hashError(t, password.Policy{Algorithm: password.Bcrypt, Cost: 4}, "a\x00b"), "", 400, "nul", 0, 0, 0},
		{fmt.Errorf("form: %w", &http.MaxBytesError{Limit: 1}), "", 413, "", 0, 0, 0},
		{fmt.Errorf("%w: secret", password.ErrMalformed), "", 500, "", 0, 0, 0},
		{password.ErrCost, "", 500, "", 0, 0, 0},
		{password.ErrKey, "", 500, "", 0, 0, 0},
		{errors.New("secret"), "", 500, "", 0, 0, 0},
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
		var got struct {
			Problem
			Reason string `json:"reason"`
		}
		d := json.NewDecoder(strings.NewReader(w.Body.String()))
		d.DisallowUnknownFields()
		if err := d.Decode(&got); err != nil {
			t.Errorf("%v: %q: %v", c.err, w.Body, err)
		}
		if got.Type != "about:blank" || got.Title != http.StatusText(c.status) || got.Status != c.status || got.Reason != c.reason ||
			(c.ms != 0 || c.most == 0) && got.RetryAfter != c.ms {
			t.Errorf("%v: the body is %s", c.err, w.Body)
		}
		if strings.Contains(w.Body.String(), "secret") {
			t.Errorf("the body reveals %v", c.err)
		}
	}
}

// Clients that are refused together are told different times, in the header and in the body: by the pool's own draw, and
// where nobody has drawn, by ServeError's.
func TestRetryAfterIsDrawn(t *testing.T) {
	headers, waits := map[string]bool{}, map[string]bool{}
	for range 200 {
		w := httptest.NewRecorder()
		ServeError(w, password.OverloadedError{After: 1500 * time.Millisecond})
		headers[w.Header().Get("Retry-After")] = true
		w = httptest.NewRecorder()
		ServeError(w, password.ErrClosed)
		waits[w.Body.String()] = true
	}
	if len(headers) != 2 || len(waits) < 100 {
		t.Errorf("1.5 s are %d times in the header, and a closed pool's %d in the body; want 2, and nearly 200", len(headers), len(waits))
	}
}

// hashError returns the error of Hash, which there must be.
func hashError(t *testing.T, p password.Policy, secret string) error {
	t.Helper()
	_, err := password.Hash(p, []byte(secret))
	if err == nil {
		t.Fatalf("%q has a hash", secret)
	}
	return err
}

// Of clients that a pool refuses together, and that obey the header alone, none comes too early, the mean is a second
// more than the pool's, and the spread at least the pool's. The control rounds up, as ServeError once did: up to a second of
// jitter brings all back together.
func TestRetryAfterKeepsItsSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, spread := range []time.Duration{time.Second, 1500 * time.Millisecond, 4 * time.Second} {
		const n = 10_000
		var sum, mean, squares, own float64
		lumps, control := map[int64]int{}, map[int64]int{}
		for range n {
			wait := time.Millisecond + time.Duration(rng.Int64N(int64(spread))) // as sched.retryAfter draws it
			told := spreadSeconds(wait, rng.Float64())
			if time.Duration(told)*time.Second < wait || told < 1 {
				t.Fatalf("%v becomes %d s", wait, told)
			}
			sum += float64(told)
			mean += wait.Seconds()
			squares += float64(told * told)
			own += wait.Seconds() * wait.Seconds()
			lumps[told]++
			control[int64(math.Ceil(wait.Seconds()))]++
		}
		variance := func(squares, sum float64) float64 { return squares/n - sum/n*sum/n }
		if more := (sum - mean) / n; math.Abs(more-1) > 0.02 {
			t.Errorf("spread over %v: %.2f s more than the pool says; want 1", spread, more)
		}
		if told, pool := variance(squares, sum), variance(own, mean); told < pool {
			t.Errorf("spread over %v: the variance is %.3f; the pool's %.3f", spread, told, pool)
		}
		largest := 0
		for _, k := range lumps {
			largest = max(largest, k)
		}
		if most := 0.52 * n; spread == time.Second && (float64(largest) > most || control[1] < n*99/100) {
			t.Errorf("of %d clients %d come back together, and %d rounded up; want half, and all", n, largest, control[1])
		}
	}
}
