// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fount/password"
)

// A Pool is a password.Pool that can be replaced without losing calls. Its methods may be called
// from any goroutine, but Change only from one at a time.
type Pool struct {
	current atomic.Pointer[password.Pool]

	options password.Options
	drained chan struct{}   // closed when the former pool has answered its last call
	closing context.Context // done when that has no more time
	giveUp  context.CancelFunc

	mu       sync.Mutex
	wait     time.Duration // at measured
	measured time.Time
}

// NewPool returns a Pool.
func NewPool(o password.Options) (*Pool, error) {
	p := &Pool{drained: make(chan struct{})}
	close(p.drained)

	p.closing, p.giveUp = context.WithCancel(context.Background())
	pool, err := password.NewPool(o)
	p.options = o
	p.current.Store(pool)
	return p, err
}

// Current returns the pool that takes new calls.
func (p *Pool) Current() *password.Pool { return p.current.Load() }

// Drained returns a channel that is closed when the former pool has answered its last call.
func (p *Pool) Drained() <-chan struct{} { return p.drained }

// Change replaces the pool by one with other options. The old pool answers the calls that it has.
// If an earlier one has not drained yet, Change waits for it: at most two pools hold memory. After
// an error nothing has changed.
func (p *Pool) Change(o password.Options) (replaced bool, err error) {
	<-p.drained

	old := p.options
	sameHashes := o.Policy.Equal(old.Policy) && slices.Equal(o.Stored, old.Stored)
	sameLimits := o.Workers == old.Workers && o.Memory == old.Memory && o.Queue == old.Queue && o.MaxWait == old.MaxWait
	if sameHashes && sameLimits {
		return false, nil
	}
	pool, err := password.NewPool(o)
	if err != nil {
		return false, err
	}

	p.options = o
	former := p.current.Swap(pool)
	drained := make(chan struct{})
	p.drained = drained
	go func() {
		defer close(drained)
		former.Close(p.closing)
	}()
	return true, nil
}

// Close closes the pool and the former one as password.Pool.Close does.
func (p *Pool) Close(ctx context.Context) error {
	defer context.AfterFunc(ctx, p.giveUp)()
	err := p.Current().Close(ctx)
	<-p.drained
	if p.closing.Err() != nil { // which gave up the former pool's calls
		err = errors.Join(err, ctx.Err())
	}
	return err
}

// Wait returns how long the pool's queue takes. It is measured every maxAge, as Stats copies much.
func (p *Pool) Wait() time.Duration {
	const maxAge = 10 * time.Millisecond
	p.mu.Lock()
	defer p.mu.Unlock()

	if now := time.Now(); now.Sub(p.measured) >= maxAge {
		p.wait = p.Current().Stats().Wait
		p.measured = now
	}
	return p.wait
}

// retry runs call on the current pool, and again if that was replaced and refused the call.
func retry[T any](p *Pool, call func(*password.Pool) (T, error)) (T, error) {
	for {
		pool := p.Current()
		result, err := call(pool)
		refused := errors.Is(err, password.ErrClosed) && errors.Is(err, password.ErrNotBegun)
		if !refused || pool == p.Current() {
			return result, err
		}
	}
}

// Verify does what password.Pool.Verify does.
func (p *Pool) Verify(ctx context.Context, login password.Login, secret []byte, encoded string) (password.Result, error) {
	return retry(p, func(pool *password.Pool) (password.Result, error) { return pool.Verify(ctx, login, secret, encoded) })
}

// Hash does what password.Pool.Hash does.
func (p *Pool) Hash(ctx context.Context, login password.Login, secret []byte) (string, error) {
	return retry(p, func(pool *password.Pool) (string, error) { return pool.Hash(ctx, login, secret) })
}
