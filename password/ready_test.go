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
	p := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 4},
		Observe: func(_ context.Context, o Observation) { last = o }})
	login := Login{Principal: "192.0.2.1"}
	if err := p.Ready(t.Context(), login); err != nil || last.Op != "" {
		t.Errorf("an idle pool: %v, observed %+v", err, last)
	}
	if after := p.Stats(); after.SignIns.Queued+after.SignIns.Running != 0 || len(after.Top) > 0 {
		t.Errorf("a nil answer leaves %+v", after.SignIns)
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

// Of a hash of the policy, Ready's answer is Verify's: with other policies in the store, more than the memory, or too short a time.
func TestReadyIsVerifys(t *testing.T) {
	bcrypt := func(cost int) Policy { return Policy{Algorithm: Bcrypt, Cost: cost} }
	argon := Policy{Algorithm: Argon2id, Memory: 64, Iterations: 1, Parallelism: 1}
	for name, c := range map[string]struct {
		options Options
		set     func(*Pool)
		within  time.Duration
		want    error
	}{
		"room":   {options: Options{Policy: bcrypt(4)}},
		"stored": {options: Options{Policy: bcrypt(4), Stored: []string{"$2b$05$" + goodBcrypt[7:]}}, within: time.Hour},
		"closed": {options: Options{Policy: argon}, set: func(p *Pool) { p.Close(context.Background()) }, want: ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			ask := func(call func(context.Context, *Pool) error) error { // each a pool that was not asked before
				p := newPool(t, c.options)
				if c.set != nil {
					c.set(p)
				}
				ctx := t.Context()
				if c.within > 0 {
					limited, cancel := context.WithTimeout(ctx, c.within)
					defer cancel()
					ctx = limited
				}
				err := call(ctx, p)
				if o, ok := errors.AsType[OverloadedError](err); ok && o.After > 0 {
					return OverloadedError{}
				}
				return err
			}
			ready := ask(func(ctx context.Context, p *Pool) error { return p.Ready(ctx, Login{}) })
			verified := ask(func(ctx context.Context, p *Pool) error {
				if _, err := p.Verify(ctx, Login{}, []byte("x"), ""); err != ErrMismatch {
					return err
				}
				return nil
			})
			if !errors.Is(ready, c.want) || !errors.Is(verified, c.want) {
				t.Errorf("Ready says %v, Verify %v; want %v", ready, verified, c.want)
			}
		})
	}
}
