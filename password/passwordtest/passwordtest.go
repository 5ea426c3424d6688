// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package passwordtest is for tests of services that use package password. Its pools hash in a
// millisecond, fail on demand, and work in a bubble of testing/synctest. Use it only in tests: its
// hashes are weak.
package passwordtest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fount/password"
)

// Policy returns the cheapest policy: bcrypt of cost 4, which takes about a millisecond.
func Policy() password.Policy { return password.Policy{Algorithm: password.Bcrypt, Cost: 4} }

// A Pool is a password.Pool that fails on demand. Stats does not count calls that fail by Fail.
type Pool struct {
	*password.Pool
	err atomic.Pointer[error]
}

// Fail makes all later calls return err, such as password.OverloadedError{After: time.Second},
// until Fail(nil). Ready returns it too if it is OverloadedError, ErrClosed or a context's error.
// All but ErrMismatch then match password.ErrNotBegun too.
func (p *Pool) Fail(err error) {
	if err != nil && !errors.Is(err, password.ErrMismatch) {
		err = fmt.Errorf("%w (%w)", err, password.ErrNotBegun)
	}
	p.err.Store(&err)
}

func (p *Pool) now() error {
	if err := p.err.Load(); err != nil {
		return *err
	}
	return nil
}

// TB is the part of testing.TB that NewPool needs. With it this package does not import testing.
type TB interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
}

// NewPool returns a pool that is closed at the end of the test. If o has no Policy, it uses Policy;
// if o has no MaxWait, it uses an hour, so that a slow machine refuses nothing.
func NewPool(t TB, o password.Options) *Pool {
	t.Helper()
	if o.Policy.Algorithm == 0 {
		cheap := Policy()
		o.Policy.Algorithm = cheap.Algorithm
		o.Policy.Cost = cheap.Cost
	}
	if o.MaxWait == 0 {
		o.MaxWait = time.Hour
	}

	pool, err := password.NewPool(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close(context.Background()) })
	return &Pool{Pool: pool}
}

// Verify calls password.Pool.Verify, unless the pool fails.
func (p *Pool) Verify(ctx context.Context, login password.Login, given []byte, encoded string) (password.Result, error) {
	if err := p.now(); err != nil {
		return password.Result{}, err
	}
	return p.Pool.Verify(ctx, login, given, encoded)
}

// Hash calls password.Pool.Hash, unless the pool fails.
func (p *Pool) Hash(ctx context.Context, login password.Login, given []byte) (string, error) {
	if err := p.now(); err != nil {
		return "", err
	}
	return p.Pool.Hash(ctx, login, given)
}

// Ready calls password.Pool.Ready, unless the pool fails.
func (p *Pool) Ready(ctx context.Context, login password.Login) error {
	err := p.now()
	_, overloaded := errors.AsType[password.OverloadedError](err)
	isContexts := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	if overloaded || isContexts || errors.Is(err, password.ErrClosed) {
		return err
	}

	return p.Pool.Ready(ctx, login)
}
