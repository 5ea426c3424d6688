// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

import (
	"fmt"
	"math"
	"testing"
	"time"
)

func TestInvalidPolicy(t *testing.T) {
	for _, c := range []struct {
		p    Policy
		want string
	}{
		{Policy{Base: -time.Second},
			"backoff: Base is -1s; want more than 0, or 0 for 100ms"},
		{Policy{Cap: -time.Second},
			"backoff: Cap is -1s; want at least Base, or 0 for 100 times Base"},
		{Policy{Attempts: -1},
			"backoff: Attempts is -1; want at least 1, or 0 for no limit"},
		{Policy{Jitter: 2},
			"backoff: Jitter is 2; want Full (0) or Decorrelated (1)"},
		{Policy{Jitter: -1},
			"backoff: Jitter is -1; want Full (0) or Decorrelated (1)"},
		{Policy{Base: time.Second, Cap: time.Second - 1},
			"backoff: Cap is 999.999999ms, Base 1s; want Cap to be at least Base"},
		{Policy{Cap: 50 * time.Millisecond}, // below the default Base
			"backoff: Cap is 50ms, Base 100ms; want Cap to be at least Base"},
		{Policy{Base: time.Second, Cap: time.Second, Jitter: Decorrelated},
			"backoff: Cap and Base are both 1s; want Cap above Base, since Decorrelated draws between them"},
		{Policy{MaxElapsed: -time.Second},
			"backoff: MaxElapsed is -1s; want more than 0, or 0 for no limit"},
		{Policy{MaxRetryAfter: -time.Second},
			"backoff: MaxRetryAfter is -1s; want more than 0, or 0 for 1h0m0s"},
	} {
		calls := 0
		err := Retry(t.Context(), c.p, func() error { calls++; return nil })
		if err == nil || err.Error() != c.want {
			t.Errorf("Retry with %+v returned %v; want %s", c.p, err, c.want)
		}
		if calls != 0 {
			t.Errorf("Retry with %+v called f %d times; want 0", c.p, calls)
		}
		if got := panicOf(func() { c.p.Delays() }); fmt.Sprint(got) != c.want {
			t.Errorf("Delays of %+v panicked with %v; want %s", c.p, got, c.want)
		}
	}
}

// panicOf returns what f panics with, or nil.
func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestDefaults(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct{ p, want Policy }{
		{Policy{}, Policy{Base: 100 * time.Millisecond, Cap: 10 * time.Second}},
		{Policy{Base: time.Second}, Policy{Base: time.Second, Cap: 100 * time.Second}},
		{Policy{Cap: time.Minute}, Policy{Base: 100 * time.Millisecond, Cap: time.Minute}},
		{Policy{Base: most / 100}, Policy{Base: most / 100, Cap: most / 100 * 100}},
		{Policy{Base: most/100 + 1}, Policy{Base: most/100 + 1, Cap: most}}, // 100·Base overflows
		{Policy{Base: most}, Policy{Base: most, Cap: most}},
		{Policy{Base: 1, Cap: 1}, Policy{Base: 1, Cap: 1}}, // fine for Full
		{Policy{Jitter: Decorrelated, Attempts: 3},
			Policy{Base: 100 * time.Millisecond, Cap: 10 * time.Second, Jitter: Decorrelated, Attempts: 3}},
	} {
		c.want.MaxRetryAfter = time.Hour
		if got, err := c.p.complete(); got != c.want || err != nil {
			t.Errorf("complete of %+v: %+v, %v; want %+v", c.p, got, err, c.want)
		}
	}
}
