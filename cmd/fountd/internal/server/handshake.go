// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// TLS connections until their clients are verified.

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"fount/password"
)

// The limits of a handshake.
const (
	handshakeTime = 2 * time.Second // for all of it
	maxHandshake  = 32 << 10        // bytes from the client
)

var (
	errSlow    = fmt.Errorf("the handshake took longer than %v", handshakeTime)
	errTooLong = fmt.Errorf("the client's part of the handshake is longer than %d bytes", maxHandshake)
	errEvicted = errors.New("a new connection takes its slot: no network has more unfinished handshakes")
)

// A tlsListener accepts connections with a complete handshake. Those before have slots of their own,
// so that strangers keep no place from clients with a certificate.
//
// If all slots are taken, the network with most unfinished handshakes loses its oldest: strangers
// from few networks lose their own, whether they are silent, slow or many. Handshakes compute on a
// quarter of the cores, so that hashes go on, and those of a network one after the other, so that
// no network waits for another's flood.
type tlsListener struct {
	net.Listener // of connections before their handshake
	server       *Server
	config       *tls.Config
	ctx          context.Context // done when the listener is closed
	cancel       context.CancelFunc

	slots    semaphore // for connections until Accept returns them
	places   semaphore // for connections that Accept returns, until they are closed
	cores    semaphore // for handshakes that compute
	accepted chan accepted
	running  sync.WaitGroup

	mu         sync.Mutex
	unfinished []*handshake // the oldest first
	networks   map[string]*principal
}

// A principal is what password.PrincipalOf makes of addresses: a network.
type principal struct {
	name       string
	unfinished int       // handshakes
	turn       semaphore // to compute
}

// accepted is what Accept returns.
type accepted struct {
	conn net.Conn
	err  error
}

// A handshake is the connection below a tls.Conn.
type handshake struct {
	net.Conn
	ctx      context.Context
	end      context.CancelCauseFunc
	received int         // bytes
	needs    []semaphore // to compute: its network's turn, and a core
	holds    []semaphore // those of needs that it has
	since    time.Time   // when it got the last of these
	network  *principal
	leave    func() // gives its place back; nil during the handshake
}

// A semaphore has as many units as its capacity.
type semaphore chan struct{}

// take takes a unit, unless ctx is done first.
func (s semaphore) take(ctx context.Context) bool {
	select {
	case s <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s semaphore) give() { <-s }

// listenTLS returns a listener for TLS. When l is closed, the listener still accepts those clients
// whose handshakes have begun.
func (s *Server) listenTLS(l net.Listener, config *tls.Config) net.Listener {
	t := &tlsListener{
		Listener: l,
		server:   s,
		config:   config,
		slots:    make(semaphore, s.o.MaxHandshakes),
		places:   make(semaphore, s.o.MaxConns),
		cores:    make(semaphore, max(1, runtime.GOMAXPROCS(0)/4)),
		accepted: make(chan accepted),
		networks: map[string]*principal{},
	}
	t.ctx, t.cancel = context.WithCancel(context.Background())

	go t.run()
	return t
}

// Accept returns the next connection whose client is verified.
func (l *tlsListener) Accept() (net.Conn, error) {
	select {
	case next := <-l.accepted:
		return next.conn, next.err
	case <-l.ctx.Done():
		return nil, net.ErrClosed
	}
}

// Close also closes the connections that Accept has not returned.
func (l *tlsListener) Close() error {
	l.cancel()
	return l.Listener.Close()
}

// offer has Accept return next, and reports false if the listener is closed first.
func (l *tlsListener) offer(next accepted) bool {
	select {
	case l.accepted <- next:
		return true
	case <-l.ctx.Done():
		return false
	}
}

// run accepts connections and starts their handshakes.
func (l *tlsListener) run() {
	for {
		conn, err := l.Listener.Accept()
		if err == nil {
			l.start(conn)
			continue
		}

		closed := errors.Is(err, net.ErrClosed)
		if closed {
			l.running.Wait()
		}
		if !l.offer(accepted{nil, err}) || closed {
			return
		}
	}
}

// start starts a handshake when there is a slot for it.
func (l *tlsListener) start(conn net.Conn) {
	h := &handshake{Conn: conn}
	name := password.PrincipalOf(conn.RemoteAddr().String())

	l.mu.Lock()
	h.network = l.networks[name]
	if h.network == nil {
		h.network = &principal{name: name, turn: make(semaphore, 1)}
		l.networks[name] = h.network
	}
	h.network.unfinished++
	if len(l.slots) == cap(l.slots) {
		l.evict()
	}
	h.ctx, h.end = context.WithCancelCause(l.ctx)
	h.needs = []semaphore{h.network.turn, l.cores}
	l.unfinished = append(l.unfinished, h)
	l.mu.Unlock()

	if !l.slots.take(l.ctx) {
		conn.Close()
		return
	}
	l.server.metrics.unfinished.Inc()
	l.server.reading.Store(h, http.StateNew) // Shutdown waits for it
	l.running.Go(func() { l.complete(h) })
}

// evict ends the oldest handshake of the network with most.
func (l *tlsListener) evict() {
	if len(l.unfinished) == 0 {
		return // all slots are of clients that wait for a place
	}
	victim := l.unfinished[0]
	for _, h := range l.unfinished {
		if h.network.unfinished > victim.network.unfinished {
			victim = h
		}
	}
	victim.end(errEvicted)
}

// complete makes a handshake, waits for a place, and has Accept return the connection.
func (l *tlsListener) complete(h *handshake) {
	defer l.slots.give()
	defer l.server.reading.Delete(h)
	defer h.end(nil)
	defer time.AfterFunc(handshakeTime, func() { h.end(errSlow) }).Stop()

	conn := tls.Server(h, l.config)
	err := h.verify(conn)
	l.remove(h)

	switch {
	case err == nil && l.places.take(l.ctx):
		h.leave = sync.OnceFunc(l.places.give)
		if l.offer(accepted{conn, nil}) {
			return
		}
	case l.ctx.Err() != nil: // closed
	default:
		ended := l.server.metrics.failed
		if err == errEvicted {
			ended = l.server.metrics.evicted
		}
		ended.Inc()
		l.server.handshakes.Add("client", h.RemoteAddr(), "error", err)
	}
	h.Close()
}

func (l *tlsListener) remove(h *handshake) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unfinished = slices.DeleteFunc(l.unfinished, func(u *handshake) bool { return u == h })
	h.network.unfinished--
	if h.network.unfinished == 0 {
		delete(l.networks, h.network.name)
	}
	l.server.metrics.unfinished.Dec()
}

// verify returns nil once the handshake is complete, which takes a valid certificate of the client.
func (h *handshake) verify(conn *tls.Conn) (err error) {
	defer h.rest()
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()

	err = conn.HandshakeContext(h.ctx)
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		io.WriteString(h.Conn, "HTTP/1.0 400 Bad Request\r\n\r\nThis port is for HTTPS.\n")
	}
	return cmp.Or(context.Cause(h.ctx), err)
}

// Read computes nothing while it waits. What crypto/tls computes afterwards needs a core.
func (h *handshake) Read(b []byte) (int, error) {
	if h.leave != nil {
		return h.Conn.Read(b)
	}

	h.rest()
	n, err := h.Conn.Read(b)
	h.received += n
	if h.received > maxHandshake {
		return n, errTooLong
	}
	for _, s := range h.needs {
		if !s.take(h.ctx) {
			return n, h.ctx.Err()
		}
		h.holds = append(h.holds, s)
		h.since = time.Now()
	}
	return n, err
}

// maxStep is the longest time that a handshake is thought to compute between two reads. If it took
// longer, the process stood still.
const maxStep = 100 * time.Millisecond

// rest lets others compute. Fewer than four cores have no quarter of them to themselves: there
// handshakes pause for three quarters of the time, or for one half.
func (h *handshake) rest() {
	if len(h.holds) == 0 {
		return
	}

	holds := h.holds
	h.holds = nil
	n := runtime.GOMAXPROCS(0)
	pause := min(time.Since(h.since), maxStep) * time.Duration((4-n)/n)
	time.AfterFunc(pause, func() {
		for _, s := range holds {
			s.give()
		}
	})
}

// Close gives the connection's place to another.
func (h *handshake) Close() error {
	err := h.Conn.Close()
	if h.leave != nil {
		h.leave()
	}
	return err
}
