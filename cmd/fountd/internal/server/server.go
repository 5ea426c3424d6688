// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package server answers HTTP requests with what a hasher says. Package fount/remote/api has the messages.
//
// A request costs at most a connection and a body of 32 KiB until it is admitted: header, body and answer have their times,
// connections their number, and a client that goes away gives its place up. A client that sends nothing, or slowly, holds a
// connection for these times and no longer. HTTP/1.1 only: each request in progress has a connection of its own, which is
// what is counted.
package server

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/netutil"

	"fount/cmd/fountd/internal/hasher"
	"fount/remote/api"
)

// The times that a client has. They are generous for one on the other side of a continent; what they bound is how long one
// that stops holds a connection.
const (
	headerTime  = 5 * time.Second  // from the connection, or the first byte of a later request, to the end of the header
	requestTime = 10 * time.Second // and to the end of the body
	answerTime  = 10 * time.Second // to take the answer
)

const maxHeader = 4 << 10 // bytes; net/http takes 4 KiB more

// Options set up a Server.
type Options struct {
	Hasher    *hasher.Hasher
	MaxConns  int           // of each listener, at least 1; further clients wait to be accepted
	Idle      time.Duration // after which a connection without a request is closed
	Log       *slog.Logger
	AccessLog bool // a line for each request

	State   func() string          // lines for /readyz; nil: none
	Metrics []prometheus.Collector // beside the pool's and HTTP's

	// Allows reports whether the client of a connection with TLS is still let in; nil: all are.
	Allows func(*tls.ConnectionState) bool
}

// A Server answers requests.
type Server struct {
	hasher   *hasher.Hasher
	log      *slog.Logger
	access   atomic.Bool
	policy   atomic.Pointer[[]byte] // the body of GET /v1/policy
	metrics  *metrics
	http     *http.Server
	most     int // connections of each listener
	open     atomic.Int64
	failed   failures // to accept connections
	draining atomic.Bool
	state    func() string
	allows   func(*tls.ConnectionState) bool
}

// New returns a server that serves nowhere yet.
func New(o Options, policy api.Policy) *Server {
	s := &Server{hasher: o.Hasher, log: o.Log, most: o.MaxConns, failed: failures{log: o.Log}, state: o.State, allows: o.Allows}
	s.metrics = newMetrics(&s.open, o.Metrics)
	s.Change(policy, o.AccessLog)
	s.http = &http.Server{
		Handler:           http.HandlerFunc(s.serve),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      time.Hour, // which also takes back what respond set for the answer before
		IdleTimeout:       o.Idle,
		MaxHeaderBytes:    maxHeader,
		ConnState:         s.count,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug), // one line for each hostile client would be their tool
		Protocols:         new(http.Protocols),

		DisableGeneralOptionsHandler: true,
	}
	s.http.Protocols.SetHTTP1(true)
	return s
}

// Change has later answers describe another policy, and metrics the hasher's pool of now.
func (s *Server) Change(policy api.Policy, access bool) {
	body := encode(policy)
	s.policy.Store(&body)
	s.access.Store(access)
	s.metrics.observe(s.hasher.Pool())
}

// Serve answers what a listener accepts, over TLS if there is a configuration, until Shutdown or an error.
func (s *Server) Serve(l net.Listener, config *tls.Config) error {
	l = netutil.LimitListener(accepting{l, &s.failed}, s.most)
	if config != nil {
		l = tls.NewListener(l, config)
	}
	if err := s.http.Serve(l); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// count is an http.Server's ConnState.
func (s *Server) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.open.Add(-1)
	}
}

// Drain says at /readyz that no more work is wanted.
func (s *Server) Drain() { s.draining.Store(true) }

// Shutdown takes no more connections, closes idle ones, and returns when all requests have their answers, or with ctx's error;
// those left then lose their connections. One that has never sent a request is waited for up to 5 s.
func (s *Server) Shutdown(ctx context.Context) error {
	s.Drain()
	err := s.http.Shutdown(ctx)
	if err != nil {
		s.http.Close()
	}
	return err
}
