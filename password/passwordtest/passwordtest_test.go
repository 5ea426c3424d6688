// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordtest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
)

// In a bubble or not, the pool verifies what it hashed, and fails when it is told, until it is
// told otherwise.
func TestPool(t *testing.T) {
	test := func(t *testing.T) {
		p := NewPool(t, password.Options{})
		ctx := t.Context()
		login := password.Login{Principal: "192.0.2.1"}
		works := func() {
			t.Helper()
			stored, err := p.Hash(ctx, login, []byte("right"))
			if err != nil {
				t.Fatal(err)
			}
			_, right := p.Verify(ctx, login, []byte("right"), stored)
			_, wrong := p.Verify(ctx, login, []byte("wrong"), stored)
			if right != nil || wrong != password.ErrMismatch || p.Ready(ctx, login) != nil {
				t.Errorf("the right password: %v, a wrong one: %v", right, wrong)
			}
		}

		works()
		for err, ready := range map[error]bool{
			password.OverloadedError{After: time.Second}: false, password.ErrClosed: false, context.DeadlineExceeded: false, context.Canceled: false,
			password.ErrMismatch: true, password.ErrMalformed: true,
		} {
			p.Fail(err)
			_, verified := p.Verify(ctx, login, []byte("right"), "")
			_, hashed := p.Hash(ctx, login, []byte("right"))
			begun := errors.Is(err, password.ErrMismatch)
			if !errors.Is(verified, err) || !errors.Is(hashed, err) || (p.Ready(ctx, login) == nil) != ready || errors.Is(verified, password.ErrNotBegun) == begun {
				t.Errorf("%v: Verify %v, Hash %v, Ready %v", err, verified, hashed, p.Ready(ctx, login))
			}
		}

		p.Fail(nil)
		works()
	}
	t.Run("in real time", test)
	t.Run("in a bubble", func(t *testing.T) { synctest.Test(t, test) })
}
