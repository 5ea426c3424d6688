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
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

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
// so that strangers take no place of clients with a certificate.
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

	slots    *semaphore.Weighted // for connections until Accept returns them
	places   *semaphore.Weighted // for connections that Accept returns, until they are closed
	cores    *semaphore.Weighted // for handshakes that compute
	accepted chan accepted
	running  sync.WaitGroup

	mu         sync.Mutex
	unfinished []*handshake // the oldest first
	networks   map[string]*network
}

// accepted is what Accept returns.
type accepted struct {
	conn net.Conn
	err  error
}

// listenTLS returns a listener for TLS. When l is closed, the listener still accepts those clients
// whose handshakes have begun.
func (s *Server) listenTLS(l net.Listener, config *tls.Config) net.Listener {
	t := &tlsListener{
		Listener: l,
		server:   s,
		config:   config,
		slots:    semaphore.NewWeighted(int64(s.o.MaxHandshakes)),
		places:   semaphore.NewWeighted(int64(s.o.MaxConns)),
		cores:    semaphore.NewWeighted(int64(max(1, runtime.GOMAXPROCS(0)/4))),
		accepted: make(chan accepted),
		networks: map[string]*network{},
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

// start starts a handshake when there is a slot for it, and makes room if there is none.
func (l *tlsListener) start(conn net.Conn) {
	h := &handshake{Conn: conn, listener: l}
	h.ctx, h.end = context.WithCancelCause(l.ctx)
	l.enter(h)
	if !l.slots.TryAcquire(1) {
		l.evict()
		if l.slots.Acquire(l.ctx, 1) != nil {
			l.leave(h)
			conn.Close()
			return
		}
	}

	l.server.reading.Store(h, http.StateNew) // Shutdown waits for it
	l.running.Go(func() { l.complete(h) })
}

// complete makes a handshake, waits for a place, and has Accept return the connection.
func (l *tlsListener) complete(h *handshake) {
	defer l.slots.Release(1)
	defer l.server.reading.Delete(h)

	conn := tls.Server(h, l.config)
	err := h.verify(conn)
	l.leave(h)
	if err != nil {
		h.Close()
		l.noteFailure(h, err)
		return
	}

	hasPlace := l.places.Acquire(l.ctx, 1) == nil
	h.hasPlace.Store(hasPlace)
	if !hasPlace || !l.offer(accepted{conn, nil}) {
		h.Close()
	}
}

// noteFailure counts and logs a handshake that failed, unless the listener was closed.
func (l *tlsListener) noteFailure(h *handshake, err error) {
	switch {
	case l.ctx.Err() != nil:
		return
	case err == errEvicted:
		l.server.metrics.evicted.Inc()
	default:
		l.server.metrics.failed.Inc()
	}
	l.server.failedHandshakes.Add("client", h.RemoteAddr(), "error", err)
}

// A network is a group of addresses that password.PrincipalOf takes for one client.
type network struct {
	name       string
	unfinished int                 // handshakes
	turn       *semaphore.Weighted // of the handshake that computes
}

// enter adds a handshake, which may still wait for a slot. leave removes it.
func (l *tlsListener) enter(h *handshake) {
	l.server.metrics.unfinished.Inc()
	name := password.PrincipalOf(h.RemoteAddr().String())
	l.mu.Lock()
	defer l.mu.Unlock()

	if l.networks[name] == nil {
		l.networks[name] = &network{name: name, turn: semaphore.NewWeighted(1)}
	}
	h.network = l.networks[name]
	h.network.unfinished++
	l.unfinished = append(l.unfinished, h)
}

// leave removes a handshake that has ended, or was not begun.
func (l *tlsListener) leave(h *handshake) {
	l.server.metrics.unfinished.Dec()
	l.mu.Lock()
	defer l.mu.Unlock()

	l.unfinished = slices.DeleteFunc(l.unfinished, func(u *handshake) bool { return u == h })
	h.network.unfinished--
	if h.network.unfinished == 0 {
		delete(l.networks, h.network.name)
	}
}

// evict ends the oldest handshake of the network with most. It is never the newest of all, for which
// room is made: of equals the first counts, and every other stands before that one.
func (l *tlsListener) evict() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.unfinished) == 1 {
		return // all slots are of clients that wait for a place
	}

	oldest := slices.MaxFunc(l.unfinished, func(a, b *handshake) int { // the first of equals
		return cmp.Compare(a.network.unfinished, b.network.unfinished)
	})
	oldest.end(errEvicted)
}

// A handshake is the connection below a tls.Conn. Until its client is verified, its time and bytes
// are limited, and it waits for its turn to compute.
type handshake struct {
	net.Conn
	listener *tlsListener
	network  *network
	ctx      context.Context
	end      context.CancelCauseFunc

	received int       // bytes
	since    time.Time // when it began to compute; zero if it does not
	verified bool
	hasPlace atomic.Bool
}

// verify returns nil once the handshake is complete, which takes a valid certificate of the client.
func (h *handshake) verify(conn *tls.Conn) (err error) {
	slow := time.AfterFunc(handshakeTime, func() { h.end(errSlow) })
	defer h.end(nil)
	defer slow.Stop()
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
	err = cmp.Or(context.Cause(h.ctx), err)
	h.verified = err == nil
	return err
}

// Read lets others compute while it waits for the client. What crypto/tls computes from the bytes
// that have come needs a turn.
func (h *handshake) Read(b []byte) (int, error) {
	if h.verified {
		return h.Conn.Read(b)
	}

	h.rest()
	n, err := h.Conn.Read(b)
	h.received += n
	switch {
	case err != nil:
		return n, err
	case h.received > maxHandshake:
		return n, errTooLong
	}
	return n, h.awaitTurn()
}

// awaitTurn waits until no other handshake of the network computes, and then for a core.
func (h *handshake) awaitTurn() error {
	if err := h.network.turn.Acquire(h.ctx, 1); err != nil {
		return err
	}
	if err := h.listener.cores.Acquire(h.ctx, 1); err != nil {
		h.network.turn.Release(1)
		return err
	}
	h.since = time.Now()
	return nil
}

// maxStep is the longest time that a handshake is thought to compute between two reads. If it took
// longer, the process stood still.
const maxStep = 100 * time.Millisecond

// rest ends the turn, if h has one. Of four cores or more, those that handshakes have are a quarter
// at most. Of one or two, theirs then idles for three times as long as the turn took, or as long,
// which makes a quarter as well. Of three they have a third.
func (h *handshake) rest() {
	if h.since.IsZero() {
		return
	}

	took := min(time.Since(h.since), maxStep)
	h.since = time.Time{}
	idle := took * time.Duration(max(0, 4/runtime.GOMAXPROCS(0)-1))
	time.AfterFunc(idle, func() {
		h.listener.cores.Release(1)
		h.network.turn.Release(1)
	})
}

// Close gives the connection's place to another.
func (h *handshake) Close() error {
	err := h.Conn.Close()
	if h.hasPlace.Swap(false) {
		h.listener.places.Release(1)
	}
	return err
}
