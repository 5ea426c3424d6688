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
	for _, p := range []Policy{
		{Base: -time.Second},
		{Cap: -time.Second},
		{Attempts: -1},
		{Jitter: 2},
		{Jitter: -1},
		{Base: time.Second, Cap: time.Second - 1},
		{Cap: 50 * time.Millisecond}, // below the default Base
		{Base: time.Second, Cap: time.Second, Jitter: Decorrelated},
		{MaxElapsed: -time.Second},
	} {
		calls := 0
		err := Retry(t.Context(), p, func() error { calls++; return nil })
		if err == nil || calls != 0 {
			t.Errorf("Retry with %+v returned %v after %d calls; want an error after 0", p, err, calls)
		}
		if got := panicOf(func() { p.Delays() }); fmt.Sprint(got) != fmt.Sprint(err) {
			t.Errorf("Delays of %+v panicked with %v; want %v", p, got, err)
		}
	}
	const want = "backoff: Cap is 999.999999ms, Base 1s; want Cap to be at least Base"
	if err := Retry(t.Context(), Policy{Base: time.Second, Cap: time.Second - 1}, nil); err.Error() != want {
		t.Errorf("%q; want %q", err, want)
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
		{Policy{Base: most/100 + 1}, Policy{Base: most/100 + 1, Cap: most}}, // 100·Base overflows
		{Policy{Jitter: Decorrelated, Attempts: 3},
			Policy{Base: 100 * time.Millisecond, Cap: 10 * time.Second, Jitter: Decorrelated, Attempts: 3}},
	} {
		if got, err := c.p.withDefaults(); got != c.want || err != nil {
			t.Errorf("complete of %+v: %+v, %v; want %+v", c.p, got, err, c.want)
		}
	}
}
