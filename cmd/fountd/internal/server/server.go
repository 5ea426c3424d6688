// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package server verifies and hashes passwords over HTTP, with the messages of fount/remote/api.
//
// A request that is not admitted costs at most a connection and a body of 8 KiB. Header, body and
// answer have time limits. The number of connections is limited, hence only HTTP/1.1 is served.
//
// A request to verify a password takes these steps:
//
//	listener.Accept            daemon/listen.go  identify a Unix socket's client by its user
//	tlsListener.Accept         handshake.go      verify a TLS client's certificate
//	Server.Serve               server.go         limit connections and times
//	Server.serveClient, route  handler.go        check certificate, Host, path and method
//	Server.verifyOrHash        handler.go        read the body
//	Server.answer, try         answer.go         decode it by remote/api, set the deadline
//	Pool.Verify, retry         pool.go           use the current pool, which a reload may replace
//	password.Pool.Verify       fount/password    admit, hash, compare; see its schedule.go
//	exchange.respond           handler.go        send the reply
//
// A request without a result gets a problem, and the header Retry-After, by problem.go.
//
// A request over NATS passes from worker.receive in package daemon to Server.Answer.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/netutil"

	"fount/remote/api"
)

// The time limits of a connection.
const (
	headerTime  = 5 * time.Second  // to send a request's header
	requestTime = 10 * time.Second // to send header and body
	answerTime  = 10 * time.Second // to receive the answer
)

// The time limits of Shutdown's first steps.
const (
	keptTime  = time.Second            // for clients to use the connections that they keep once more
	graceTime = 100 * time.Millisecond // for requests to be read that have been sent
)

const maxHeader = 4 << 10 // bytes; net/http takes 4 KiB more

// Options set up a Server.
type Options struct {
	Pool          *Pool
	MaxConns      int           // of each listener, at least 1; further clients wait to be accepted
	MaxHandshakes int           // of each listener for TLS, at least 1: connections that don't count for MaxConns yet
	Idle          time.Duration // how long a connection may have no request
	Log           *slog.Logger

	State func() string // returns more lines for /readyz; may be nil

	// Allows reports whether a TLS connection's client is still let in. If nil, all are.
	Allows func(*tls.ConnectionState) bool
}

// A Server answers requests.
type Server struct {
	o        Options
	policy   atomic.Pointer[[]byte] // the body of GET /v1/policy
	metrics  *metrics
	http     *http.Server
	admin    *http.Server
	draining atomic.Bool

	mu        sync.Mutex
	listeners []net.Listener

	reading sync.Map // the http.ConnState of connections whose next request has not been read completely

	failedAccepts    *RareLog
	failedHandshakes *RareLog
	lacking          *RareLog // calls that a server with other settings may answer
}

// New returns a Server. Others are further metrics for it to show.
func New(o Options, policy api.Policy, others ...prometheus.Collector) *Server {
	s := &Server{
		o:                o,
		metrics:          newMetrics(o.Pool, others),
		failedAccepts:    NewRareLog(o.Log, "no connection could be accepted"),
		failedHandshakes: NewRareLog(o.Log, "no connection by TLS"),
		lacking:          NewRareLog(o.Log, "a call was not answered: another server may have the key, memory, limit or form"),
	}
	s.SetPolicy(policy)

	s.admin = s.newHTTP(s.serveAdmin)
	s.http = s.newHTTP(s.serveClient)
	s.http.ConnState = s.noteState
	s.http.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connection{}, c)
	}
	return s
}

func (s *Server) newHTTP(handler http.HandlerFunc) *http.Server {
	h := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      time.Hour,
		IdleTimeout:       s.o.Idle,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(faults{s}, "", 0),
		Protocols:         new(http.Protocols),

		DisableGeneralOptionsHandler: true,
	}
	h.Protocols.SetHTTP1(true)
	return h
}

// faults takes the log lines of net/http. It logs panics, limits those of Accept, and drops all
// others, as hostile clients can cause any number.
type faults struct{ *Server }

func (s faults) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	if what, ok := strings.CutPrefix(text, "http: Accept error: "); ok {
		s.failedAccepts.Add("error", what)
	}
	if strings.HasPrefix(text, "http: panic serving") {
		s.o.Log.Error(text)
	}
	return len(line), nil
}

// SetPolicy sets the policy that the server shows.
func (s *Server) SetPolicy(policy api.Policy) {
	body := encode(policy)
	s.policy.Store(&body)
}

// Serve serves clients of a listener until Shutdown or an error. If config is not nil, it uses TLS.
func (s *Server) Serve(l net.Listener, config *tls.Config) error {
	s.mu.Lock()
	s.listeners = append(s.listeners, l)
	s.mu.Unlock()

	if config == nil {
		l = netutil.LimitListener(l, s.o.MaxConns)
	} else {
		l = s.listenTLS(l, config)
	}
	return s.serveError(s.http.Serve(l))
}

// ServeAdmin serves the admin endpoints, such as health and metrics, on a listener.
func (s *Server) ServeAdmin(l net.Listener) error {
	return s.serveError(s.admin.Serve(netutil.LimitListener(l, 64)))
}

func (s *Server) serveError(err error) error {
	if err == http.ErrServerClosed || s.draining.Load() {
		return nil
	}
	return err
}

// Shutdown returns nil when all requests are answered. If ctx is done first, it closes the
// connections left and returns ctx's error.
//
// A client that finds its kept connection closed can't know whether its request was read. So
// Shutdown first has answers end their connections, closes those that stay idle, and accepts none
// only then.
func (s *Server) Shutdown(ctx context.Context) error {
	s.draining.Store(true)
	defer s.admin.Close() // last, so that it still shows the requests in progress
	s.awaitRead(ctx, keptTime)

	s.mu.Lock()
	for _, l := range s.listeners {
		l.Close()
	}
	s.mu.Unlock()
	s.closeReading(http.StateIdle)

	s.awaitRead(ctx, graceTime) // http.Server drops requests that it reads after its own Shutdown
	s.closeReading(http.StateNew, http.StateActive, http.StateIdle)
	if err := s.http.Shutdown(ctx); err != nil && !errors.Is(err, net.ErrClosed) {
		s.http.Close()
		return err
	}
	return nil
}

// awaitRead waits until no connection has a request to be read, until a limit.
func (s *Server) awaitRead(ctx context.Context, limit time.Duration) {
	for end := time.Now().Add(limit); ctx.Err() == nil && time.Now().Before(end); time.Sleep(limit / 100) {
		reading := false
		s.reading.Range(func(any, any) bool {
			reading = true
			return false
		})
		if !reading {
			return
		}
	}
}

// closeReading closes the connections in these states that have no request in progress.
func (s *Server) closeReading(states ...http.ConnState) {
	s.reading.Range(func(c, state any) bool {
		if slices.Contains(states, state.(http.ConnState)) {
			c.(net.Conn).Close()
		}
		return true
	})
}

// noteState follows the state of a connection, as http.Server.ConnState.
func (s *Server) noteState(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.metrics.open.Inc()
		s.reading.Store(c, state)
	case http.StateActive, http.StateIdle:
		s.reading.Store(c, state)
	case http.StateClosed:
		s.reading.Delete(c)
		s.metrics.open.Dec()
	}
}

// connection is the context key of a request's net.Conn.
type connection struct{}

// noteRead notes that a request has been read completely.
func (s *Server) noteRead(r *http.Request) { s.reading.Delete(r.Context().Value(connection{})) }
