// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

// cheap is the cheapest policy there is: 1 ms.
var cheap = Policy{Algorithm: Bcrypt, Cost: 4}

func newPool(t testing.TB, o Options) *Pool {
	t.Helper()
	if o.Policy.Algorithm == 0 {
		o.Policy = cheap
	}
	p, err := NewPool(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Whatever becomes of a call, its copy of the password is wiped, and the caller's
// is not touched.
func TestPoolWipesItsCopy(t *testing.T) {
	given := []byte("correct horse")
	p := newPool(t, Options{
		Workers: 1, Policy: Policy{Algorithm: Bcrypt, Cost: 4, Limits: noLimits}, MaxWait: 10_000 * time.Hour,
	})
	start := func(ctx context.Context, encoded string) (key []byte, done chan error) {
		w, err := p.policy.admit(given, encoded)
		if err != nil {
			t.Fatal(err)
		}
		done = make(chan error, 1)
		key = w.key
		go func() { done <- p.do(ctx, Login{}, callOf([]work{w}, 0), new(Observation)) }()
		return key, done
	}
	// What is waited for holds from then on, for the hash never ends.
	until := func(reached func(Calls) bool) {
		t.Helper()
		for !reached(p.Stats().SignIns) {
			if t.Context().Err() != nil || p.Stats().SignIns.Of(OutcomeRefused) > 0 {
				t.Fatalf("%+v", p.Stats().SignIns)
			}
			runtime.Gosched()
		}
	}
	wiped := func(name string, key []byte) {
		if !bytes.Equal(key, make([]byte, len(key))) || len(key) != len(given)+1 {
			t.Errorf("%s: the copy holds %q", name, key)
		}
	}

	key, done := start(t.Context(), "")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wiped("completed", key)

	ctx, cancel := context.WithCancel(t.Context())
	runs, ran := start(ctx, endless["bcrypt"])
	until(func(s Calls) bool { return s.Running == 1 })
	waits, waited := start(ctx, endless["bcrypt"])
	until(func(s Calls) bool { return s.Queued == 1 })
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("queued and canceled: %v", err)
	}
	if err := <-ran; err != context.Canceled {
		t.Errorf("running and canceled: %v", err)
	}
	for p.Stats().Busy > 0 {
		runtime.Gosched()
	}
	wiped("canceled while running", runs)
	wiped("canceled while queued", waits)

	short, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	key, done = start(short, "")
	if err := <-done; err == nil {
		t.Error("done in a nanosecond")
	}
	wiped("refused", key)
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	key, done = start(t.Context(), "")
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	wiped("closed", key)
	if string(given) != "correct horse" {
		t.Errorf("the caller's password is %q now", given)
	}
}

// The first calls are judged by what NewPool measured.
func TestPoolKnowsTimesFromTheStart(t *testing.T) {
	p := newPool(t, Options{
		Workers: 1, MaxWait: time.Millisecond, Policy: Policy{Algorithm: Bcrypt, Cost: 4, Limits: noLimits},
	})
	ctx, cancel := context.WithCancel(t.Context())
	first := begin(t, ctx, p, endless["bcrypt"])
	_, err := p.Verify(t.Context(), Login{}, []byte("x"), "")
	if _, ok := errors.AsType[OverloadedError](err); !ok {
		t.Errorf("behind a hash of a day, with 1 ms to wait: %v; want OverloadedError", err)
	}
	if s := p.Stats().SignIns; s.Of(OutcomeRefused, ReasonDeadline) != 1 || s.Of(OutcomeDropped) != 0 {
		t.Errorf("%+v; want one refused at once, none dropped", s)
	}
	cancel()
	<-first
}
