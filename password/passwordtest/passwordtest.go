// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package passwordtest is for tests of services that use package password: its pools hash in a
// millisecond and fail on demand. They work in a bubble of testing/synctest. It is not for
// services: its hashes resist no guess.
package passwordtest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fount/password"
)

// Policy returns the cheapest policy: bcrypt of cost 4, about a millisecond.
func Policy() password.Policy { return password.Policy{Algorithm: password.Bcrypt, Cost: 4} }

// A Pool is a password.Pool that fails on demand. What it refuses by Fail, Stats does not count.
type Pool struct {
	*password.Pool
	err atomic.Pointer[error]
}

// Fail has all calls to come return err, such as password.OverloadedError{After: time.Second}; nil
// ends that. Ready returns it too if it is one that Ready can have: OverloadedError, ErrClosed or a
// context's. As no hash is begun, errors but ErrMismatch are password.ErrNotBegun too.
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

// TB is what NewPool needs of a testing.TB, so that this package links no package testing.
type TB interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
}

// NewPool returns a pool that lasts as long as the test. Its policy is Policy if o has none, and if
// o has no MaxWait it waits for an hour, so that nothing is refused because the machine is slow.
func NewPool(t TB, o password.Options) *Pool {
	t.Helper()
	if o.Policy.Algorithm == 0 {
		cheap := Policy()
		o.Policy.Algorithm, o.Policy.Cost = cheap.Algorithm, cheap.Cost
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

// Verify is password.Pool's, unless the pool fails.
func (p *Pool) Verify(ctx context.Context, login password.Login, given []byte, encoded string) (password.Result, error) {
	if err := p.now(); err != nil {
		return password.Result{}, err
	}
	return p.Pool.Verify(ctx, login, given, encoded)
}

// Hash is password.Pool's, unless the pool fails.
func (p *Pool) Hash(ctx context.Context, login password.Login, given []byte) (string, error) {
	if err := p.now(); err != nil {
		return "", err
	}
	return p.Pool.Hash(ctx, login, given)
}

// Ready is password.Pool's, unless the pool fails.
func (p *Pool) Ready(ctx context.Context, login password.Login) error {
	err := p.now()
	_, overloaded := errors.AsType[password.OverloadedError](err)
	if overloaded || errors.Is(err, password.ErrClosed) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return p.Pool.Ready(ctx, login)
}
