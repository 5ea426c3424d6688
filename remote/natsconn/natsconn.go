// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package natsconn adapts a connection of nats.go to remote.Broker.
//
//	nc, err := nats.Connect("nats://127.0.0.1:4222", natsconn.Options()...)
//	...
//	fleet, err := remote.NATS(natsconn.New(nc), publicKey, remote.NATSOptions{})
package natsconn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"fount"
	"fount/remote"
)

// Options returns the options that fleets use with nats.Connect. Options given after them override
// them.
//
// They reconnect for ever, every 50 to 100 ms and later every 1 to 2 s. A silent broker is given up
// after 1.5 s, a write or a dial after 1 s. Without a connection nothing is buffered, as a request
// that is sent later comes too late for its caller.
func Options() []nats.Option {
	return []nats.Option{
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(), nats.ReconnectBufSize(-1),
		nats.CustomReconnectDelay(func(attempts int) time.Duration {
			half := 50 * time.Millisecond
			if attempts > 30 {
				half = time.Second
			}
			return half + fount.N(half)
		}),
		nats.PingInterval(500 * time.Millisecond), nats.MaxPingsOutstanding(2),
		nats.Timeout(time.Second), nats.FlusherTimeout(time.Second),
	}
}

// A Conn is a remote.Broker. Its methods may be called from any goroutine.
type Conn struct {
	nc *nats.Conn

	away          atomic.Pointer[error] // why there is no connection, or nil; nc.IsConnected blocks while nc dials
	repliesDenied atomic.Pointer[error] // why the broker lets this connection receive no replies, or nil

	mu      sync.Mutex
	waiting map[*waiter]bool
}

// A waiter is a request that waits for its reply.
type waiter struct {
	subject string
	end     context.CancelCauseFunc
}

var _ remote.Broker = (*Conn)(nil)

// New returns the Broker of a connection; make only one. The caller closes the connection, which
// ends the Broker's goroutine. The connection's ErrorHandler is still called.
func New(nc *nats.Conn) *Conn {
	c := &Conn{nc: nc, waiting: map[*waiter]bool{}}
	status := nc.StatusChanged(nats.CONNECTED, nats.DISCONNECTED, nats.RECONNECTING, nats.CLOSED)
	if !nc.IsConnected() {
		c.away.Store(&remote.ErrNoWorker)
	}

	before := nc.ErrorHandler()
	inbox := nc.NewRespInbox()
	replies := inbox[:strings.LastIndexByte(inbox, '.')+1] + "*" // what nats.go subscribes to
	nc.SetErrorHandler(func(nc *nats.Conn, s *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			c.deny(err, replies)
		}
		if before != nil {
			before(nc, s, err)
		}
	})

	go c.watch(status)
	if nc.IsClosed() {
		nc.RemoveStatusListener(status) // it may have been closed before there was a listener
	}
	return c
}

// deny ends the waiting requests that a denial is about: those to its subject, or all if it is the
// subject of the replies. Nothing else tells that they reach nobody.
func (c *Conn) deny(err error, replies string) {
	about := func(subject string) bool { return strings.Contains(err.Error(), strconv.Quote(subject)) }
	denied := fmt.Errorf("%w: %w", remote.ErrDenied, err)
	all := about(replies)
	if all {
		c.repliesDenied.Store(&denied)
	}
	c.endAll(denied, func(w *waiter) bool { return all || about(w.subject) })
}

// watch ends the waiting requests when the connection is lost. nats.go would let them wait until
// their contexts are done.
func (c *Conn) watch(status <-chan nats.Status) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case s, ok := <-status:
			if s == nats.CONNECTED {
				c.away.Store(nil)
				continue
			}

			c.away.CompareAndSwap(nil, &remote.ErrNoWorker)
			c.repliesDenied.Store(nil) // the next connection subscribes again
			c.endAll(errors.New("natsconn: the connection to the broker was lost"), func(*waiter) bool { return true })
			if !ok || s == nats.CLOSED {
				return
			}
		case <-tick.C:
			if err := c.nc.LastError(); c.away.Load() != nil && errors.Is(err, nats.ErrAuthorization) {
				err = fmt.Errorf("%w: %w", remote.ErrDenied, err)
				c.away.Store(&err)
			}
		}
	}
}

func (c *Conn) endAll(cause error, which func(*waiter) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for w := range c.waiting {
		if which(w) {
			w.end(cause)
		}
	}
}

// Request implements remote.Broker. A waiting request ends as soon as the connection is lost.
func (c *Conn) Request(ctx context.Context, subject string, request []byte) ([]byte, error) {
	wait, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	w := &waiter{subject, cancel}
	c.mu.Lock()
	c.waiting[w] = true
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, w)
	}()

	// Checked after w is registered: a loss from here on ends w. Of denied replies the broker tells
	// each connection once.
	if err := cmp.Or(c.away.Load(), c.repliesDenied.Load()); err != nil {
		return nil, *err
	}

	type reply struct {
		m   *nats.Msg
		err error
	}
	replies := make(chan reply, 1)
	go func() { // nats.go's locks are held while it dials
		m, err := c.nc.RequestWithContext(wait, subject, request)
		replies <- reply{m, err}
	}()

	var err error
	select {
	case r := <-replies:
		if r.err == nil {
			return r.m.Data, nil
		}
		err = r.err
	case <-wait.Done():
		err = wait.Err()
	}

	cause := context.Cause(wait)
	switch {
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, nats.ErrReconnectBufExceeded):
		return nil, remote.ErrNoWorker
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case cause != nil:
		return nil, cause
	}
	return nil, fmt.Errorf("natsconn: %w", err)
}

// Subscribe implements remote.Broker. If more than 500,000 messages or 64 MB wait for receive,
// nats.go drops messages and tells the connection's ErrorHandler.
func (c *Conn) Subscribe(subject string, receive func(message []byte)) (stop func(), err error) {
	s, err := c.nc.Subscribe(subject, func(m *nats.Msg) { receive(m.Data) })
	if err != nil {
		return nil, fmt.Errorf("natsconn: subscribe to %s: %w", subject, err)
	}
	return func() { s.Unsubscribe() }, nil // fails only if there is nothing to stop
}
