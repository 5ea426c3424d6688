// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package natsconn carries a fleet's requests over a connection of nats.go: it makes one a remote.Broker. It is not a client
// of the fleet, which is remote.NATS, and opens no connection.
//
//	nc, err := nats.Connect("nats://127.0.0.1:4222", natsconn.Options()...)
//	...
//	fleet, err := remote.NATS(natsconn.New(nc), publicKey, remote.NATSOptions{})
package natsconn

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"fount/remote"
)

// Options are what an end of a fleet wants of nats.Connect. Options behind them take precedence.
//
// The connection is tried for ever, from the first attempt on and whatever the broker answers, every 50 to 100 ms once all of
// its servers have been tried: a broker that comes back finds everybody within that. A broker that says nothing is given up
// after 1.5 s (a partition has no other sign), and a write or a dial after 1 s. Nothing is kept for later while it is away: its
// caller's time would be over.
func Options() []nats.Option {
	const half = 50 * time.Millisecond
	return []nats.Option{
		nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectWait(half), nats.ReconnectJitter(half, half), nats.ReconnectBufSize(-1),
		nats.PingInterval(500 * time.Millisecond), nats.MaxPingsOutstanding(2),
		nats.Timeout(time.Second), nats.FlusherTimeout(time.Second),
	}
}

// A Conn is a remote.Broker. Its methods may be called from any goroutine.
type Conn struct {
	nc *nats.Conn

	up atomic.Bool // nats.go's own look waits while it dials

	mu   sync.Mutex
	lost context.Context // done when the connection of now is lost
	end  context.CancelFunc
}

var _ remote.Broker = (*Conn)(nil)

// errLost is the end of a request whose connection went away.
var errLost = errors.New("natsconn: the connection to the broker was lost")

// New returns a Broker over a connection, which stays its owner's to close. It has a goroutine until the connection is closed:
// make one Conn for each connection.
func New(nc *nats.Conn) *Conn {
	c := &Conn{nc: nc}
	c.lost, c.end = context.WithCancel(context.Background())
	status := nc.StatusChanged(nats.CONNECTED, nats.DISCONNECTED, nats.RECONNECTING, nats.CLOSED)
	c.up.Store(nc.IsConnected())
	go c.watch(status)
	if nc.IsClosed() {
		nc.RemoveStatusListener(status) // it may have been closed before there was a listener
	}
	return c
}

// watch ends the requests that wait whenever the connection is lost, which nats.go leaves to their contexts. nats.go drops
// events that find ten before them; one of those does the same.
func (c *Conn) watch(status <-chan nats.Status) {
	for s := range status {
		c.up.Store(s == nats.CONNECTED)
		if s == nats.CONNECTED {
			continue
		}
		c.mu.Lock()
		c.end()
		c.lost, c.end = context.WithCancel(context.Background())
		c.mu.Unlock()
		if s == nats.CLOSED {
			return
		}
	}
}

// Request sends a request to one of those who subscribe to subject and returns its reply. The error is remote.ErrNoWorker at
// once if nobody subscribes or the connection is away; ctx's; or another as soon as the connection is lost, after which the request
// may have arrived or not.
func (c *Conn) Request(ctx context.Context, subject string, request []byte) ([]byte, error) {
	c.mu.Lock()
	lost := c.lost
	c.mu.Unlock()
	if !c.up.Load() { // after the look at lost: what is lost from here on ends it
		return nil, remote.ErrNoWorker
	}
	wait, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(lost, func() { cancel(errLost) })()
	m, err := c.nc.RequestWithContext(wait, subject, request)
	switch {
	case err == nil:
		return m.Data, nil
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, nats.ErrReconnectBufExceeded):
		return nil, remote.ErrNoWorker
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case context.Cause(wait) == errLost:
		return nil, errLost
	}
	return nil, fmt.Errorf("natsconn: %w", err)
}

// Subscribe has receive called with each message to subject, one at a time, until stop is called, also by connections to come.
// receive must return soon: behind it messages wait. nats.go drops more than 500,000 or 64 MB of them and tells the connection's
// ErrorHandler, by default on stderr. A client of a fleet loses nothing by it: of news the next come 100 ms later, and of those that
// waited so many are 50 s old, with 1,000 workers.
func (c *Conn) Subscribe(subject string, receive func(message []byte)) (stop func(), err error) {
	s, err := c.nc.Subscribe(subject, func(m *nats.Msg) { receive(m.Data) })
	if err != nil {
		return nil, fmt.Errorf("natsconn: subscribe to %s: %w", subject, err)
	}
	return func() { s.Unsubscribe() }, nil // its only errors are that there is nothing to stop
}
