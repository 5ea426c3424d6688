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

// A Pool is a password.Pool that another replaces while calls come, of which none is lost. Its
// methods may be called from any goroutine, but Change from one at a time.
type Pool struct {
	current atomic.Pointer[password.Pool]

	options password.Options
	former  *password.Pool // nil: none yet
	drained chan struct{}  // closed when it has answered its last call

	patience context.Context // in which it has to; ended by giveUp
	giveUp   func()

	mu     sync.Mutex
	wait   time.Duration
	looked time.Time
}

// NewPool returns a Pool.
func NewPool(o password.Options) (*Pool, error) {
	p := &Pool{drained: make(chan struct{})}
	close(p.drained)
	p.patience, p.giveUp = context.WithCancel(context.Background())
	if err := p.put(o); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Pool) put(o password.Options) error {
	p.options = o
	pool, err := password.NewPool(o)
	if err == nil {
		p.former = p.current.Swap(pool)
	}
	return err
}

// Now is the pool that calls to come get.
func (p *Pool) Now() *password.Pool { return p.current.Load() }

// Drained is closed when a pool that was replaced has answered its last call.
func (p *Pool) Drained() <-chan struct{} { return p.drained }

// Change puts other options in force: a new pool takes the calls to come, and the one before
// answers those that it has. It waits for the one before that: at most two hold memory. An error
// changes nothing.
func (p *Pool) Change(o password.Options) (replaced bool, err error) {
	<-p.drained
	was := p.options
	if o.Policy.Equal(was.Policy) && slices.Equal(o.Stored, was.Stored) && o.Workers == was.Workers && o.Memory == was.Memory && o.Queue == was.Queue && o.MaxWait == was.MaxWait {
		return false, nil
	}
	if err := p.put(o); err != nil {
		p.options = was
		return false, err
	}
	former, drained := p.former, make(chan struct{})
	p.drained = drained
	go func() {
		defer close(drained)
		former.Close(p.patience)
	}()
	return true, nil
}

// Close is password.Pool's, for the pool and the one before it.
func (p *Pool) Close(ctx context.Context) error {
	defer context.AfterFunc(ctx, p.giveUp)()
	err := p.Now().Close(ctx)
	if p.former != nil {
		err = errors.Join(err, p.former.Close(ctx))
	}
	<-p.drained
	return err
}

// Calls is how many calls wait or are hashed, by the pool and the one before it.
func (p *Pool) Calls() (n int) {
	for _, pool := range []*password.Pool{p.Now(), p.former} {
		if pool != nil {
			stats := pool.Stats()
			n += stats.SignIns.Queued + stats.SignIns.Running + stats.Upgrades.Queued + stats.Upgrades.Running
		}
	}
	return n
}

// Wait is how long the pool needs for all that it has, as of at most fresh ago: a look copies much.
func (p *Pool) Wait() time.Duration {
	const fresh = 10 * time.Millisecond
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); now.Sub(p.looked) >= fresh {
		p.wait, p.looked = p.Now().Stats().Wait, now
	}
	return p.wait
}

// by has the pool of now do something. One that was replaced meanwhile refuses before any work.
func by[T any](p *Pool, call func(*password.Pool) (T, error)) (T, error) {
	for {
		pool := p.Now()
		result, err := call(pool)
		if !errors.Is(err, password.ErrClosed) || !errors.Is(err, password.ErrNotBegun) || pool == p.Now() {
			return result, err
		}
	}
}

// Verify is password.Pool's.
func (p *Pool) Verify(ctx context.Context, login password.Login, secret []byte, encoded string) (password.Result, error) {
	return by(p, func(pool *password.Pool) (password.Result, error) { return pool.Verify(ctx, login, secret, encoded) })
}

// Hash is password.Pool's.
func (p *Pool) Hash(ctx context.Context, login password.Login, secret []byte) (string, error) {
	return by(p, func(pool *password.Pool) (string, error) { return pool.Hash(ctx, login, secret) })
}

// Ready is password.Pool's.
func (p *Pool) Ready(ctx context.Context, login password.Login) error {
	_, err := by(p, func(pool *password.Pool) (struct{}, error) { return struct{}{}, pool.Ready(ctx, login) })
	return err
}
