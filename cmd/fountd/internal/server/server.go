// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package server answers HTTP requests with what a pool says. Package fount/remote/api has the messages.
//
// A request costs at most a connection and a body of 32 KiB until it is admitted: header, body and answer have their times,
// connections their number, and a client that goes away gives its place up. A client that sends nothing, or slowly, holds a
// connection for these times and no longer. HTTP/1.1 only: each request in progress has a connection of its own, which is
// what is counted.
package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/netutil"

	"fount/remote/api"
)

// The times that a client has. They are generous for one on the other side of a continent; what they bound is how long one
// that stops holds a connection.
const (
	headerTime  = 5 * time.Second  // from the connection, or the first byte of a later request, to the end of the header
	requestTime = 10 * time.Second // and to the end of the body
	answerTime  = 10 * time.Second // to take the answer
)

// onTheWay is how long a server that takes no more connections reads requests.
const onTheWay = 100 * time.Millisecond

const maxHeader = 4 << 10 // bytes; net/http takes 4 KiB more

// Options set up a Server.
type Options struct {
	Pool     *Pool
	MaxConns int           // of each listener, at least 1; further clients wait to be accepted
	Idle     time.Duration // after which a connection without a request is closed
	Log      *slog.Logger

	State func() string // lines for /readyz; nil: none

	// Allows reports whether the client of a connection with TLS is still let in; nil: all are.
	Allows func(*tls.ConnectionState) bool
}

// A Server answers requests.
type Server struct {
	pool     *Pool
	log      *slog.Logger
	policy   atomic.Pointer[[]byte] // the body of GET /v1/policy
	metrics  *metrics
	http     *http.Server
	admin    *http.Server
	most     int // connections of each listener
	draining atomic.Bool
	state    func() string
	allows   func(*tls.ConnectionState) bool

	mu        sync.Mutex
	listeners []net.Listener

	accepts    *Bounded // that failed
	handshakes *Bounded
	lacking    *Bounded // what another server may have answered
}

// New returns a server that serves nowhere yet. Others are metrics beside the pool's and HTTP's.
func New(o Options, policy api.Policy, others ...prometheus.Collector) *Server {
	s := &Server{
		pool: o.Pool, log: o.Log, most: o.MaxConns, state: o.State, allows: o.Allows,
		accepts:    NewBounded(o.Log, "no connection could be accepted"),
		handshakes: NewBounded(o.Log, "no connection by TLS"),
		lacking:    NewBounded(o.Log, "a call was not answered: another server may have the key, memory, limit or form"),
	}
	s.metrics = newMetrics(others)
	s.Change(policy)
	s.http, s.admin = s.newHTTP(s.serve, o.Idle), s.newHTTP(s.look, o.Idle)
	s.http.ConnState = s.metrics.count
	return s
}

func (s *Server) newHTTP(handler http.HandlerFunc, idle time.Duration) *http.Server {
	h := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      time.Hour, // which also takes back what respond set for the answer before
		IdleTimeout:       idle,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(faults{s}, "", 0),
		Protocols:         new(http.Protocols),

		DisableGeneralOptionsHandler: true,
	}
	h.Protocols.SetHTTP1(true)
	return h
}

// faults takes the lines of net/http, which tells of TLS faults there alone. One line for each hostile client would be their tool.
type faults struct{ *Server }

func (s faults) Write(line []byte) (int, error) {
	if what, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("http: TLS handshake error ")); ok {
		s.metrics.handshakes.Inc()
		s.handshakes.Add("error", string(what))
	}
	return len(line), nil
}

// Change has later answers describe another policy, and metrics the pool of now.
func (s *Server) Change(policy api.Policy) {
	body := encode(policy)
	s.policy.Store(&body)
	s.metrics.observe(s.pool.Now())
}

// Serve answers what a listener accepts, over TLS if there is a configuration, until Shutdown or an error.
func (s *Server) Serve(l net.Listener, config *tls.Config) error {
	l = netutil.LimitListener(accepting{l, s.accepts}, s.most)
	s.mu.Lock()
	s.listeners = append(s.listeners, l)
	s.mu.Unlock()
	if config != nil {
		l = tls.NewListener(l, config)
	}
	return s.ending(s.http.Serve(l))
}

// ServeAdmin answers those alone who look at the server: health and metrics.
func (s *Server) ServeAdmin(l net.Listener) error {
	return s.ending(s.admin.Serve(netutil.LimitListener(accepting{l, s.accepts}, 64)))
}

func (s *Server) ending(err error) error {
	if err == http.ErrServerClosed || s.draining.Load() {
		return nil
	}
	return err
}

// Drain says at /readyz that no more work is wanted.
func (s *Server) Drain() { s.draining.Store(true) }

// Shutdown takes no more connections, ends each with its next answer, and closes idle ones. It
// returns when all requests have their answers, or with ctx's error; those left then lose their
// connections. One that has never sent a request is waited for up to 5 s.
func (s *Server) Shutdown(ctx context.Context) error {
	s.Drain()
	defer s.admin.Close() // until the end it says how the rest is doing
	s.mu.Lock()
	for _, l := range s.listeners {
		l.Close()
	}
	s.mu.Unlock()
	select { // http.Server drops what it reads after its own Shutdown
	case <-time.After(onTheWay):
	case <-ctx.Done():
	}
	if err := s.http.Shutdown(ctx); err != nil && !errors.Is(err, net.ErrClosed) {
		s.http.Close()
		return err
	}
	return nil
}

// An accepting listener logs why it could not accept. After errors that pass net/http asks again, within a second.
type accepting struct {
	net.Listener
	failed *Bounded
}

func (l accepting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		l.failed.Add("error", err)
	}
	return c, err
}

// boundedEvery is the time between two lines: a process without descriptors fails a thousand times a second.
const boundedEvery = time.Minute

// A Bounded logs what may happen again and again: the first at once, later ones by their number. Its methods may be called from any
// goroutine.
type Bounded struct {
	log     *slog.Logger
	message string

	mu     sync.Mutex
	logged time.Time
	since  int // after the line before
}

// NewBounded returns one that logs a message as a warning.
func NewBounded(log *slog.Logger, message string) *Bounded {
	return &Bounded{log: log, message: message}
}

// Add tells of one time.
func (b *Bounded) Add(args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.since++
	if now := time.Now(); b.logged.IsZero() || now.Sub(b.logged) >= boundedEvery {
		b.log.Warn(b.message, append(args, "times", b.since)...)
		b.logged, b.since = now, 0
	}
}
