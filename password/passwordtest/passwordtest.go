// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package passwordtest is for tests of services that use package password: a Verifier that
// hashes nothing and gives each result and error, and a real pool that is cheap and refuses on
// demand. Both work in a bubble of testing/synctest. It is not for services: nothing that it makes resists a
// guess.
package passwordtest

import (
	"context"
	"strings"
	"sync"
	"time"

	"fount/password"
)

// Policy returns the cheapest policy: bcrypt of cost 4, about a millisecond.
func Policy() password.Policy { return password.Policy{Algorithm: password.Bcrypt, Cost: 4} }

// Errors returns an error of each kind that a Verifier has, for tests that go through all of them.
func Errors() []error {
	return []error{
		password.ErrMismatch, password.OverloadedError{After: 1500 * time.Millisecond}, password.ErrClosed,
		context.DeadlineExceeded, context.Canceled,
		password.ErrTooLong, password.ErrEmpty, password.ErrNUL,
		password.ErrMalformed, password.ErrCost, password.ErrKey,
	}
}

// fails is an error that can be set.
type fails struct {
	mu  sync.Mutex
	err error
}

// Fail has all calls to come return err, such as password.OverloadedError{After: time.Second}; nil ends that. Ready returns it
// too if it is one that Ready can have: OverloadedError, ErrClosed or a context's.
func (f *fails) Fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *fails) now() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

func (f *fails) ready() error {
	switch err := f.now(); err {
	case password.ErrClosed, context.DeadlineExceeded, context.Canceled:
		return err
	default:
		if o, ok := err.(password.OverloadedError); ok {
			return o
		}
	}
	return nil
}

// A Pool is a password.Pool that fails on demand. What it refuses by Fail, Stats does not count.
type Pool struct {
	*password.Pool
	fails
}

// TB is what NewPool needs of a testing.TB, so that this package links no package testing.
type TB interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
}

// NewPool returns a pool that lasts as long as the test. Its policy is Policy if o has none, and if o has
// no MaxWait it waits for an hour, so that nothing is refused because the machine is slow.
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
	if err := p.ready(); err != nil {
		return err
	}
	return p.Pool.Ready(ctx, login)
}

// A Verifier answers without hashing: the hash of a password is Stored of it. The zero value is ready. Its methods may be
// called from any goroutine; set its fields before.
type Verifier struct {
	Result password.Result // of a match
	Delay  time.Duration   // that a call takes, unless its context is done first

	fails
	mu    sync.Mutex
	calls []Call
}

// A Call is what a Verifier was asked.
type Call struct {
	Op    string // "verify", "hash" or "ready"
	Login password.Login
}

const prefix = "$passwordtest$"

// Stored returns the hash of a password for a Verifier: a string that others refuse as malformed.
func Stored(given string) string { return prefix + given }

// Calls returns what the Verifier was asked, in order.
func (v *Verifier) Calls() []Call {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]Call(nil), v.calls...)
}

// called notes a call, and returns what it fails with.
func (v *Verifier) called(ctx context.Context, op string, login password.Login) error {
	v.mu.Lock()
	v.calls = append(v.calls, Call{op, login})
	v.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if op == "ready" {
		return v.ready()
	}
	if v.Delay > 0 {
		select {
		case <-time.After(v.Delay):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return v.now()
}

// Verify compares encoded with Stored of given. The error is Fail's; ErrMismatch for another password and
// for "", an unknown user; ErrMalformed for what Stored does not return.
func (v *Verifier) Verify(ctx context.Context, login password.Login, given []byte, encoded string) (password.Result, error) {
	err := v.called(ctx, "verify", login)
	switch {
	case err != nil:
		return password.Result{}, err
	case encoded == "", len(given) == 0:
		return password.Result{}, password.ErrMismatch
	case !strings.HasPrefix(encoded, prefix):
		return password.Result{}, password.ErrMalformed
	case encoded != Stored(string(given)):
		return password.Result{}, password.ErrMismatch
	}
	return v.Result, nil
}

// Hash returns Stored of given. The error is Fail's, or ErrEmpty.
func (v *Verifier) Hash(ctx context.Context, login password.Login, given []byte) (string, error) {
	err := v.called(ctx, "hash", login)
	switch {
	case err != nil:
		return "", err
	case len(given) == 0:
		return "", password.ErrEmpty
	}
	return Stored(string(given)), nil
}

// Ready returns Fail's error, as password.Pool's would.
func (v *Verifier) Ready(ctx context.Context, login password.Login) error {
	return v.called(ctx, "ready", login)
}
