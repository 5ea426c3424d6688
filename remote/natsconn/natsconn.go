// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package natsconn makes a connection of nats.go a remote.Broker.
//
//	nc, err := nats.Connect("nats://127.0.0.1:4222", natsconn.Options()...)
//	...
//	fleet, err := remote.NATS(natsconn.New(nc), publicKey, remote.NATSOptions{})
package natsconn

import (
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

// Options are what an end of a fleet wants of nats.Connect. Options behind them take precedence.
//
// The connection is tried for ever, every 50 to 100 ms and later every 1 to 2 s. A broker that says
// nothing is given up after 1.5 s, a write or a dial after 1 s. Nothing is kept for later
// meanwhile: its caller's time would be over.
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

	up      atomic.Bool           // nats.go's own look waits while it dials
	refused atomic.Pointer[error] // why the broker does not let the client in
	deaf    atomic.Pointer[error] // why it does not let it hear answers, of this connection

	mu      sync.Mutex
	waiting map[*waiter]bool
}

// A waiter is a request that waits for its reply.
type waiter struct {
	subject string
	end     context.CancelCauseFunc
}

var _ remote.Broker = (*Conn)(nil)

// New returns a Broker over a connection, which stays its owner's to close: one for each. It has a
// goroutine until then, and calls the connection's ErrorHandler as before.
func New(nc *nats.Conn) *Conn {
	c := &Conn{nc: nc, waiting: map[*waiter]bool{}}
	status := nc.StatusChanged(nats.CONNECTED, nats.DISCONNECTED, nats.RECONNECTING, nats.CLOSED)
	c.up.Store(nc.IsConnected())
	before, inbox := nc.ErrorHandler(), nc.NewRespInbox()
	answers := strconv.Quote(inbox[:strings.LastIndexByte(inbox, '.')+1] + "*") // what nats.go subscribes to
	nc.SetErrorHandler(func(nc *nats.Conn, s *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			// Nothing else says that nobody gets the request, or this client no answer.
			denied, deaf := fmt.Errorf("%w: %w", remote.ErrDenied, err), strings.Contains(err.Error(), answers)
			if deaf {
				c.deaf.Store(&denied)
			}
			c.endAll(denied, func(w *waiter) bool { return deaf || strings.Contains(err.Error(), strconv.Quote(w.subject)) })
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

// watch ends the requests that wait when the connection is lost: nats.go leaves them to their
// contexts.
func (c *Conn) watch(status <-chan nats.Status) {
	look := time.NewTicker(250 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case s, ok := <-status:
			c.up.Store(s == nats.CONNECTED)
			if s == nats.CONNECTED {
				c.refused.Store(nil)
				continue
			}
			c.deaf.Store(nil) // the next connection subscribes again
			c.endAll(errors.New("natsconn: the connection to the broker was lost"), func(*waiter) bool { return true })
			if !ok || s == nats.CLOSED {
				return
			}
		case <-look.C:
			if err := c.nc.LastError(); !c.up.Load() && errors.Is(err, nats.ErrAuthorization) {
				c.refused.Store(&err)
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

// Request is remote.Broker's. Requests that wait end as soon as the connection is lost.
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
	if !c.up.Load() { // after the waiter is there: what is lost from here on ends it
		if err := c.refused.Load(); err != nil {
			return nil, fmt.Errorf("%w: %w", remote.ErrDenied, *err)
		}
		return nil, remote.ErrNoWorker
	}
	if err := c.deaf.Load(); err != nil { // it is said once for each connection
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

// Subscribe is remote.Broker's. nats.go drops more than 500,000 or 64 MB of messages that wait for
// receive, and tells the connection's ErrorHandler.
func (c *Conn) Subscribe(subject string, receive func(message []byte)) (stop func(), err error) {
	s, err := c.nc.Subscribe(subject, func(m *nats.Msg) { receive(m.Data) })
	if err != nil {
		return nil, fmt.Errorf("natsconn: subscribe to %s: %w", subject, err)
	}
	return func() { s.Unsubscribe() }, nil // its only errors are that there is nothing to stop
}
