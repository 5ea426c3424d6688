// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fount/password"
)

// calls are the calls of a client, at most so many at once, until it is closed.
type calls struct {
	most int

	mu     sync.Mutex
	n      int           // under way
	closed bool          // close has been called
	idle   chan struct{} // closed once closed and n is 0

	over context.Context // done when close no longer waits
	end  context.CancelFunc
}

func newCalls(most int) *calls {
	c := &calls{most: most, idle: make(chan struct{})}
	c.over, c.end = context.WithCancel(context.Background())
	return c
}

// enter admits a call, and leave ends it.
func (c *calls) enter(ctx context.Context) error {
	gone := ctx.Err() // with no lock held: a context is its caller's own code
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return password.ErrClosed
	case gone != nil:
		return gone
	case c.n >= c.most:
		return unavailable(fmt.Sprintf("%d calls are under way, as many as the option Calls", c.n), nil)
	}
	c.n++
	return nil
}

func (c *calls) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n--
	c.finish()
}

// finish tells close that no call is left. c.mu is held.
func (c *calls) finish() {
	if c.closed && c.n == 0 {
		close(c.idle)
	}
}

// close admits no more calls and returns nil when all have ended. If ctx is done first, those left end, and the error wraps ctx's.
func (c *calls) close(ctx context.Context) error {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		c.finish()
	}
	c.mu.Unlock()
	defer c.end()
	select {
	case <-c.idle:
		return nil
	default:
	}
	select {
	case <-c.idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("remote: client: %w", ctx.Err())
	}
}

// answered reports whether an error says something of the password, the hash or the policy.
func answered(err error) bool {
	for _, e := range []error{password.ErrMismatch, password.ErrTooLong, password.ErrEmpty, password.ErrNUL} {
		if errors.Is(err, e) {
			return true
		}
	}
	return err == nil
}

// tries asks one server and, if that does not answer, fails or has not answered when half the time is gone, another: at most so
// many. What one server has no key, memory or form for, another may have. The first answer counts. All tries have ended when it returns.
func tries[T any](ctx context.Context, most int, ask func(ctx context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	within, cancel := context.WithCancel(ctx)
	results := make(chan result, most)
	begun, ended := 0, 0
	begin := func() {
		begun++
		go func() {
			value, err := ask(within)
			results <- result{value, err}
		}()
	}
	defer func() {
		for cancel(); ended < begun; ended++ {
			<-results
		}
	}()
	deadline, _ := ctx.Deadline()
	half := time.NewTimer(time.Until(deadline) / 2)
	defer half.Stop()
	begin()
	var none T
	var first error
	for {
		select {
		case r := <-results:
			ended++
			if answered(r.err) {
				return r.value, r.err
			}
			_, overloaded := errors.AsType[password.OverloadedError](r.err)
			if first == nil || overloaded && !errors.Is(r.err, errNobody) {
				first = r.err // one that may pass says more than one that another server may not have
			}
			switch {
			case begun < most && ctx.Err() == nil:
				begin()
			case ended == begun:
				return none, first
			}
		case <-half.C:
			if begun < most {
				begin()
			}
		}
	}
}

// errNobody is in the error of a try that found no other server to ask.
var errNobody = errors.New("remote: no other server")
