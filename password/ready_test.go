// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"errors"
	"testing"
	"time"
)

// What Ready says, and what it counts, for each refusal that needs no load. The scheduler's own tests have the others.
func TestReady(t *testing.T) {
	var last Observation
	p := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 4}, NoRehash: true,
		Observe: func(_ context.Context, o Observation) { last = o }})
	login := Login{Principal: "192.0.2.1"}
	before := p.Stats().SignIn
	if err := p.Ready(t.Context(), login); err != nil || last.Op != "" {
		t.Errorf("an idle pool: %v, observed %+v", err, last)
	}
	if after := p.Stats(); after.SignIn.Submitted != before.Submitted || after.SignIn.Calls.Started != before.Calls.Started || len(after.Top) > 0 {
		t.Errorf("a nil answer leaves %+v", after.SignIn)
	}
	login.Class = ClassRehash
	_, want := p.Verify(t.Context(), login, []byte("x"), "")
	err := p.Ready(t.Context(), login)
	if o, ok := errors.AsType[OverloadedError](err); !ok || o.After <= 0 {
		t.Errorf("a class that is off: %v; Verify says %v", err, want)
	}
	if last.Op != "ready" || last.Outcome != OutcomeRefused || last.Reason != ReasonOff || last.Err != err || last.Algorithm != Bcrypt {
		t.Errorf("observed as %+v", last)
	}
	if c := p.Stats().Rehash; c.Submitted != 2 || c.Calls.Started != 2 || c.RefusedFor.Rehash != 2 {
		t.Errorf("a refusal by Verify and one by Ready count as %+v", c)
	}
	if err := p.Ready(t.Context(), Login{Class: 3}); err == nil {
		t.Error("there is no class 3")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Ready(gone, Login{}); err != context.Canceled {
		t.Errorf("a context that is done: %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if err := p.Ready(short, Login{}); err == nil {
		t.Error("a nanosecond is enough")
	}
	p.Close(t.Context())
	if err := p.Ready(t.Context(), Login{}); err != ErrClosed {
		t.Errorf("a closed pool: %v", err)
	}
}

// A nil answer allocates nothing.
func TestReadyAllocates(t *testing.T) {
	p := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 4}, Stored: []Policy{{Algorithm: Bcrypt, Cost: 5}}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if n := testing.AllocsPerRun(100, func() {
		if err := p.Ready(ctx, Login{Principal: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What a service pays before it asks its store.
func BenchmarkReady(b *testing.B) {
	p, err := NewPool(Options{Policy: Policy{Algorithm: Bcrypt, Cost: 4}, NoRehash: true})
	if err != nil {
		b.Fatal(err)
	}
	for name, class := range map[string]Class{"nil": ClassSignIn, "refused": ClassRehash} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if (p.Ready(b.Context(), Login{"192.0.2.1", class}) == nil) != (class == ClassSignIn) {
					b.Fatal("the other answer")
				}
			}
		})
	}
}
