// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package server answers HTTP requests with what a pool says. Package fount/remote/api has the
// messages.
//
// Until it is admitted a request costs a connection and a body of 32 KiB: header, body and answer
// have their times, and connections their number. HTTP/1.1 only, as connections are what is
// counted.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/net/netutil"
	"golang.org/x/time/rate"

	"fount/password"
	"fount/remote/api"
	fountprometheus "fount/telemetry/prometheus"
)

// A client that stops holds a connection for these times.
const (
	headerTime  = 5 * time.Second  // of the first request, from the connection
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

	// Allows reports whether a TLS connection's client is still let in; nil: all are.
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
	unasked   sync.Map // connections whose first or next request is not read as a whole

	accepts    *Bounded // that failed
	handshakes *Bounded
	lacking    *Bounded // what another server may have answered
	flooded    *Bounded
}

// New returns a server that serves nowhere yet. Others are further metrics.
func New(o Options, policy api.Policy, others ...prometheus.Collector) *Server {
	s := &Server{
		o:          o,
		accepts:    NewBounded(o.Log, "no connection could be accepted"),
		handshakes: NewBounded(o.Log, "no connection by TLS"),
		lacking:    NewBounded(o.Log, "a call was not answered: another server may have the key, memory, limit or form"),
		flooded:    NewBounded(o.Log, "principals ask for more than their share"),
	}
	s.metrics = newMetrics(others)
	s.Change(policy)
	s.http, s.admin = s.newHTTP(s.serve), s.newHTTP(s.look)
	s.http.ConnState = s.count
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

// faults takes the lines of net/http. One line for each hostile client would be their tool.
type faults struct{ *Server }

func (s faults) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	if what, ok := strings.CutPrefix(text, "http: TLS handshake error "); ok {
		s.metrics.handshakes.Inc()
		s.handshakes.Add("error", what)
	} else if what, ok := strings.CutPrefix(text, "http: Accept error: "); ok {
		s.accepts.Add("error", what)
	}
	return len(line), nil
}

// Change replaces the policy that is shown, and the pool that metrics show.
func (s *Server) Change(policy api.Policy) {
	body := encode(policy)
	s.policy.Store(&body)
	s.metrics.observe(s.o.Pool.Now())
}

// Serve answers what a listener accepts, over TLS if there is a configuration, until Shutdown or an
// error.
func (s *Server) Serve(l net.Listener, config *tls.Config) error {
	l = netutil.LimitListener(l, s.o.MaxConns)
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
	return s.ending(s.admin.Serve(netutil.LimitListener(l, 64)))
}

func (s *Server) ending(err error) error {
	if err == http.ErrServerClosed || s.draining.Load() {
		return nil
	}
	return err
}

// Shutdown takes no more connections, and ends each with its next answer or idle. It returns when
// all requests are answered, or with ctx's error, and those left lose their connections.
func (s *Server) Shutdown(ctx context.Context) error {
	s.draining.Store(true)
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
	s.unasked.Range(func(c, _ any) bool { c.(net.Conn).Close(); return true }) // they would get no answer
	if err := s.http.Shutdown(ctx); err != nil && !errors.Is(err, net.ErrClosed) {
		s.http.Close()
		return err
	}
	return nil
}

// count is an http.Server's ConnState.
func (s *Server) count(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.metrics.open.Inc()
		s.unasked.Store(c, nil)
	case http.StateActive:
		s.unasked.Store(c, nil)
	case http.StateIdle:
		s.unasked.Delete(c)
	case http.StateClosed:
		s.unasked.Delete(c)
		s.metrics.open.Dec()
	}
}

// connection is the key of a request's net.Conn in its context.
type connection struct{}

// asked notes that a request is read as a whole.
func (s *Server) asked(r *http.Request) { s.unasked.Delete(r.Context().Value(connection{})) }

// boundedEvery is the time between two lines.
const boundedEvery = time.Minute

// A Bounded logs what happens again and again: the first at once, later ones by their number. Its
// methods may be called from any goroutine.
type Bounded struct {
	log     *slog.Logger
	message string

	mu    sync.Mutex
	limit *rate.Limiter
	since int // after the line before
}

// NewBounded returns one that logs a message as a warning.
func NewBounded(log *slog.Logger, message string) *Bounded {
	return &Bounded{log: log, message: message, limit: rate.NewLimiter(rate.Every(boundedEvery), 1)}
}

// Add tells of one time.
func (b *Bounded) Add(args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.since++
	if b.limit.Allow() {
		b.log.Warn(b.message, append(args, "times", b.since)...)
		b.since = 0
	}
}

// metrics are those of the process, the pool and HTTP. A new pool's begin at 0.
type metrics struct {
	requests   *prometheus.CounterVec
	open       prometheus.Gauge // connections
	handshakes prometheus.Counter
	others     []prometheus.Collector
	handler    atomic.Pointer[http.Handler]
}

func newMetrics(others []prometheus.Collector) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fountd_http_requests_total", Help: "Requests that were answered, by path and status.",
		}, []string{"path", "status"}),
		open:       prometheus.NewGauge(prometheus.GaugeOpts{Name: "fountd_http_connections", Help: "Connections that are open."}),
		handshakes: prometheus.NewCounter(prometheus.CounterOpts{Name: "fountd_tls_handshake_errors_total", Help: "Connections that TLS refused."}),
	}
	m.others = append(others, m.requests, m.open, m.handshakes,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewBuildInfoCollector())
	return m
}

// observe has the metrics show a pool.
func (m *metrics) observe(pool *password.Pool) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(fountprometheus.NewCollector(pool, "fountd"), fountprometheus.NewProcessCollector())
	registry.MustRegister(m.others...)
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: answerTime, DisableCompression: true})
	m.handler.Store(&handler)
}

// answered counts a request. The label is a path of ours: clients can make no series.
func (m *metrics) answered(path string, known bool, status int) {
	if !known {
		path = "other"
	}
	m.requests.WithLabelValues(path, strconv.Itoa(status)).Inc()
}

func (m *metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(2 * answerTime))
	(*m.handler.Load()).ServeHTTP(w, r)
}
