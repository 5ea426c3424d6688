// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// Idle connections, without what net/http holds for them.
//
// net/http keeps a goroutine with a stack of 8 KiB and two buffers of 4 KiB for a connection that waits for its next request:
// 10,000 of them take 230 MiB. So after linger its server gets to see a time-out, ends, and closes a connection that does not
// close but waits for its next request on a goroutine of 2 KiB, without buffers. When something has come, or the client has
// left, the connection is accepted again.

import (
	"container/list"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// linger is how long an idle connection keeps its server. Starting another takes 10 µs: nothing to a client that calls less than
// once a second.
const linger = time.Second

// A visit is a connection as one server of net/http has it, from its acceptance to its close.
type visit struct {
	*conn
	parks bool // when it has been idle for linger

	// What net/http does in turn uses these, and never two goroutines at once.
	empty int // the room in the server's buffer when that is empty: its first read has it
	stage stage
	until time.Time // the end of net/http's idle timeout

	quiet atomic.Bool // linger has passed, and the server has nothing unread
	over  atomic.Bool
}

// A stage is where a visit is between two requests. One that does not park stays active.
type stage int

const (
	active  stage = iota // with a request, or its first bytes
	rested               // after an answer: the idle timeout is set next
	waiting              // it is
)

// rest has the visit wait for the next request.
func (v *visit) rest() {
	v.conn.rest()
	if v.parks {
		v.stage = rested
	}
}

// Read wipes the server's buffer, which may hold a password, before it waits for the next request.
func (v *visit) Read(p []byte) (int, error) {
	if v.empty == 0 {
		v.empty = len(p)
	}
	if v.stage == waiting {
		clear(p) // all of it but what is some of the next request
	}
	if v.stage == waiting && len(p) != v.empty { // some of the next request is in the buffer, fewer bytes than net/http waits for
		v.stage = active
		v.conn.SetReadDeadline(time.Now().Add(headerTime))
	}
	if v.stage != waiting {
		return v.conn.Read(p)
	}
	n, err := v.conn.Read(p)
	if err != nil {
		v.quiet.Store(n == 0 && errors.Is(err, os.ErrDeadlineExceeded))
	}
	return n, err
}

// SetReadDeadline sets linger in place of the idle timeout. The next deadline is the next request's, which may have come in one
// piece with the one before.
func (v *visit) SetReadDeadline(t time.Time) error {
	switch v.stage {
	case waiting:
		v.stage = active
	case rested:
		v.stage, v.until = waiting, t
		if soon := time.Now().Add(v.crowd.linger); t.IsZero() || soon.Before(t) {
			t = soon
		}
	}
	return v.conn.SetReadDeadline(t)
}

// Close closes the connection, or parks one that is quiet.
func (v *visit) Close() error {
	if v.over.Swap(true) {
		return net.ErrClosed
	}
	if v.quiet.Load() && v.conn.park(v.until) {
		return nil
	}
	return v.conn.Close()
}

// park has an idle connection wait without a server, and reports whether it does.
func (m *conn) park(until time.Time) bool {
	m.crowd.mu.Lock()
	defer m.crowd.mu.Unlock()
	if m.gone || m.crowd.shut {
		return false
	}
	m.parked, m.begun = true, false
	m.crowd.parked++
	go m.wait(until)
	return true
}

// wait waits until the connection can be read, and brings it back.
func (m *conn) wait(until time.Time) {
	err := m.SetReadDeadline(until)
	if err == nil {
		err = readable(m.Conn)
	}
	m.crowd.mu.Lock()
	m.parked = false
	m.crowd.parked--
	m.crowd.mu.Unlock()
	if err != nil {
		m.Close()
		return
	}
	select {
	case m.crowd.back <- m:
	case <-m.crowd.over:
		m.Close()
	}
}

// close closes the connections whose header has not been read: those that are parked or have come back, and those that have
// never sent one, for which http.Server would wait for 5 s and not answer either. No other parks or joins. It must come after
// http.Server has begun to shut down: until then it serves a header that it has read.
func (c *crowd) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		return
	}
	c.shut = true
	close(c.over)
	for _, of := range []*list.List{&c.fresh, &c.idle} {
		for e := of.Front(); e != nil; e = e.Next() {
			if m := e.Value.(*conn); !m.begun {
				m.Conn.Close() // wait, or its server, sees that and calls Close
			}
		}
	}
}

// A comeback is the listener of connections that were parked.
type comeback struct{ crowd *crowd }

func (l comeback) Accept() (net.Conn, error) {
	select {
	case m := <-l.crowd.back:
		return &visit{conn: m, parks: true}, nil
	case <-l.crowd.over:
		return nil, net.ErrClosed
	}
}

func (l comeback) Close() error   { return nil } // crowd.close does
func (l comeback) Addr() net.Addr { return &net.UnixAddr{Net: "unix", Name: "parked"} }
