// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package hasher is a password.Pool whose options change while it runs. No call is lost by a change.
package hasher

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fount/password"
)

// A Hasher is a password.Verifier. Its methods may be called from any goroutine.
type Hasher struct {
	current atomic.Pointer[password.Pool]

	mu      sync.Mutex // guards what follows: one change at a time
	options password.Options
	former  map[*password.Pool]chan struct{} // closed when it has answered its last call
	closed  bool

	waiting struct {
		sync.Mutex
		wait   time.Duration
		looked time.Time
	}
}

// New returns a Hasher. Its options' Observe is replaced: see Observe.
func New(o password.Options) (*Hasher, error) {
	pool, err := newPool(o)
	if err != nil {
		return nil, err
	}
	h := &Hasher{options: o, former: map[*password.Pool]chan struct{}{}}
	h.current.Store(pool)
	return h, nil
}

func newPool(o password.Options) (*password.Pool, error) {
	o.Observe = observe
	return password.NewPool(o)
}

// Pool is the pool that calls to come get. Another may replace it at any time.
func (h *Hasher) Pool() *password.Pool { return h.current.Load() }

// Wait is how long the pool needs for all that it has now, as of at most fresh ago: a look at it copies all of its figures.
func (h *Hasher) Wait() time.Duration {
	const fresh = 10 * time.Millisecond
	h.waiting.Lock()
	defer h.waiting.Unlock()
	if now := time.Now(); now.Sub(h.waiting.looked) >= fresh {
		h.waiting.wait, h.waiting.looked = h.Pool().Stats().Wait, now
	}
	return h.waiting.wait
}

// Verify is password.Pool's.
func (h *Hasher) Verify(ctx context.Context, login password.Login, secret []byte, encoded string) (result password.Result, err error) {
	err = h.call(func(p *password.Pool) (err error) {
		result, err = p.Verify(ctx, login, secret, encoded)
		return err
	})
	return result, err
}

// Hash is password.Pool's.
func (h *Hasher) Hash(ctx context.Context, login password.Login, secret []byte) (encoded string, err error) {
	err = h.call(func(p *password.Pool) (err error) {
		encoded, err = p.Hash(ctx, login, secret)
		return err
	})
	return encoded, err
}

// call has the current pool do it. A pool that was replaced between the look and the call refuses before any work.
func (h *Hasher) call(do func(*password.Pool) error) error {
	for {
		pool := h.current.Load()
		err := do(pool)
		if !errors.Is(err, password.ErrClosed) || pool == h.current.Load() {
			return err
		}
	}
}

// Change puts other options in force: a new pool takes the calls to come, while the old one answers those that it has.
// Until then, for as long as they wait and take, both work, and together they may hold twice the memory. After an error the former options are in force.
func (h *Hasher) Change(o password.Options) (replaced bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false, password.ErrClosed
	}
	if same(h.options, o) {
		return false, nil
	}
	pool, err := newPool(o)
	if err != nil {
		return false, err
	}
	h.options = o
	old, done := h.current.Swap(pool), make(chan struct{})
	h.former[old] = done
	go func() {
		defer close(done)
		old.Close(context.Background())
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.former, old)
	}()
	return true, nil
}

func same(a, b password.Options) bool {
	return a.Policy == b.Policy && slices.Equal(a.Stored, b.Stored) && a.Workers == b.Workers && a.Memory == b.Memory &&
		a.Queue == b.Queue && a.MaxWait == b.MaxWait
}

// Close is password.Pool's, for the current pool and those before it.
func (h *Hasher) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	pools := []*password.Pool{h.current.Load()}
	var ends []chan struct{}
	for old, done := range h.former {
		pools, ends = append(pools, old), append(ends, done)
	}
	h.mu.Unlock()
	var errs []error
	for _, pool := range pools {
		errs = append(errs, pool.Close(ctx))
	}
	for _, done := range ends {
		<-done
	}
	return errors.Join(errs...)
}

type observation struct{}

// Observe returns a context whose calls leave what became of the last of them in o.
func Observe(ctx context.Context, o *password.Observation) context.Context {
	return context.WithValue(ctx, observation{}, o)
}

func observe(ctx context.Context, o password.Observation) {
	if to, ok := ctx.Value(observation{}).(*password.Observation); ok {
		*to = o
	}
}
