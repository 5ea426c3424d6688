// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// Connections, as many as there is room for.

import (
	"container/list"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// A crowd holds the connections of all listeners, at most max of them. A new one above that takes the place of the one that
// deserves it least: the oldest that has never sent a whole request, else the one that has been idle for longest. A
// connection whose request is being answered keeps its place; if all are, the new one is closed.
//
// So clients that connect and send nothing, or slowly, keep nobody out.
type crowd struct {
	max int

	mu      sync.Mutex
	fresh   list.List // of *conn: no whole request yet, the oldest first
	idle    list.List // of *conn: between two requests, the longest first
	serving int
	evicted uint64
	refused uint64
}

// A conn is a connection of the crowd.
type conn struct {
	net.Conn
	crowd *crowd
	of    *list.List    // fresh or idle; nil while its request is answered, and once it is closed
	at    *list.Element // its place there
	gone  bool
}

// join takes a new connection, or closes it and returns nil.
func (c *crowd) join(raw net.Conn) *conn {
	member := &conn{Conn: raw, crowd: c}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fresh.Len()+c.idle.Len()+c.serving >= c.max && !c.evict() {
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
	if m := member(raw); m != nil && state == http.StateIdle {
		m.rest()
	}
}

type connKey struct{}

// context is an http.Server's ConnContext.
func (c *crowd) context(ctx context.Context, raw net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, member(raw))
}

func member(raw net.Conn) *conn {
	if t, ok := raw.(*tls.Conn); ok {
		raw = t.NetConn()
	}
	m, _ := raw.(*conn)
	return m
}

// whole marks the connection of a request that has come as a whole.
func whole(r *http.Request) {
	if m, _ := r.Context().Value(connKey{}).(*conn); m != nil {
		m.serve()
	}
}

// A crowded listener has its connections join the crowd.
type crowded struct {
	net.Listener
	crowd *crowd
}

// Accept returns the next connection that has a place.
func (l crowded) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if m := l.crowd.join(raw); m != nil {
			return m, nil
		}
	}
}

// count is how many connections there are, and what became of those that had no place.
func (c *crowd) count() (open, serving int, evicted, refused uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fresh.Len() + c.idle.Len() + c.serving, c.serving, c.evicted, c.refused
}
