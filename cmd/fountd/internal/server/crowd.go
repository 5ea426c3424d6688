// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// Connections, as many as there is room for.

import (
	"container/list"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// A crowd holds the connections of all listeners, at most max of them. A new one above that takes the place of the one that
// deserves it least: the oldest that has never sent a whole request, else the one that has been idle for longest. A
// connection whose request is being answered keeps its place; if all are, the new one is closed.
//
// So clients that connect and send nothing, or slowly, keep nobody out.
type crowd struct {
	max    int
	linger time.Duration
	failed failures // to accept connections

	mu      sync.Mutex
	fresh   list.List // of *conn: no whole request yet, the oldest first
	idle    list.List // of *conn: between two requests, the longest first
	serving int
	parked  int // of idle
	evicted uint64
	refused uint64
	shut    bool

	back chan *conn    // those that were parked
	over chan struct{} // is closed when the crowd is
}

func newCrowd(most int) *crowd {
	return &crowd{max: most, linger: linger, failed: failures{log: slog.New(slog.DiscardHandler)}, back: make(chan *conn), over: make(chan struct{})}
}

// A conn is a connection of the crowd.
type conn struct {
	net.Conn
	crowd  *crowd
	of     *list.List    // fresh or idle; nil while its request is answered, and once it is closed
	at     *list.Element // its place there
	parked bool          // has no server
	begun  bool          // its server has read a header
	gone   bool
}

// join takes a new connection, or closes it and returns nil.
func (c *crowd) join(raw net.Conn) *conn {
	member := &conn{Conn: raw, crowd: c}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut || c.fresh.Len()+c.idle.Len()+c.serving >= c.max && !c.evict() {
		c.refused++
		raw.Close()
		return nil
	}
	member.put(&c.fresh)
	return member
}

// evict closes one connection, if it can. The caller holds mu.
func (c *crowd) evict() bool {
	for _, of := range []*list.List{&c.fresh, &c.idle} {
		if first := of.Front(); first != nil {
			member := first.Value.(*conn)
			member.leave()
			member.Conn.Close() // its server sees that and calls Close
			c.evicted++
			return true
		}
	}
	return false
}

// makeWay is evict.
func (c *crowd) makeWay() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.evict()
}

// put, take and leave move a connection. The caller holds mu.
func (m *conn) put(to *list.List) { m.of, m.at = to, to.PushBack(m) }

func (m *conn) take() {
	if m.of != nil {
		m.of.Remove(m.at)
		m.of, m.at = nil, nil
	}
}

func (m *conn) leave() {
	if m.gone {
		return
	}
	m.gone = true
	if m.of == nil {
		m.crowd.serving--
	}
	m.take()
}

// Close closes it.
func (m *conn) Close() error {
	m.crowd.mu.Lock()
	m.leave()
	m.crowd.mu.Unlock()
	return m.Conn.Close()
}

// CloseWrite ends what the client reads, and not what it sends. net/http does so half a second before it closes a connection with
// a body that it has not read, for a close alone would take the answer back.
func (m *conn) CloseWrite() error {
	if half, ok := m.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// begin marks a connection of whose request the header has been read.
func (m *conn) begin() {
	m.crowd.mu.Lock()
	defer m.crowd.mu.Unlock()
	m.begun = true
}

// serve marks a connection whose request has come as a whole.
func (m *conn) serve() {
	m.crowd.mu.Lock()
	defer m.crowd.mu.Unlock()
	if !m.gone && m.of != nil {
		m.take()
		m.crowd.serving++
	}
}

// rest marks a connection that waits for its next request. One that was answered before its request had come as a whole
// stays where it was.
func (m *conn) rest() {
	m.crowd.mu.Lock()
	defer m.crowd.mu.Unlock()
	if !m.gone && m.of == nil {
		m.crowd.serving--
		m.put(&m.crowd.idle)
	}
}

// state is an http.Server's ConnState.
func (c *crowd) state(raw net.Conn, state http.ConnState) {
	v := visitor(raw)
	if v == nil {
		return
	}
	switch state {
	case http.StateActive:
		v.stage = active
		v.begin()
	case http.StateIdle:
		v.rest()
	}
}

type connKey struct{}

// context is an http.Server's ConnContext.
func (c *crowd) context(ctx context.Context, raw net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, visitor(raw))
}

func visitor(raw net.Conn) *visit {
	if t, ok := raw.(interface{ NetConn() net.Conn }); ok { // TLS
		raw = t.NetConn()
	}
	v, _ := raw.(*visit)
	return v
}

// whole marks the connection of a request that has come as a whole.
func whole(r *http.Request) {
	if v, _ := r.Context().Value(connKey{}).(*visit); v != nil {
		v.serve()
	}
}

// A crowded listener has its connections join the crowd.
type crowded struct {
	net.Listener
	crowd *crowd
	parks bool
}

// Accept returns the next connection that has a place. Where the process has no descriptor for it, as beside a broker
// with many clients, another connection makes way: without that, idle ones would keep all others out until their time is over.
// Errors are logged. After those that pass net/http asks again, within a second.
func (l crowded) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil && !errors.Is(err, net.ErrClosed) {
			l.crowd.failed.add(err)
		}
		if errors.Is(err, syscall.EMFILE) && l.crowd.makeWay() {
			continue
		}
		if err != nil {
			return nil, err
		}
		if m := l.crowd.join(raw); m != nil {
			return &visit{conn: m, parks: l.parks && canPark(raw)}, nil
		}
	}
}

// A census is how many connections there are, and what became of those that had no place.
type census struct {
	open, serving, parked int
	evicted, refused      uint64
}

func (c *crowd) count() census {
	c.mu.Lock()
	defer c.mu.Unlock()
	return census{c.fresh.Len() + c.idle.Len() + c.serving, c.serving, c.parked, c.evicted, c.refused}
}
