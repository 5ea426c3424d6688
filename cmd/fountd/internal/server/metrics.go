// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// GET /metrics.

import (
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fount/password"
	fountprometheus "fount/telemetry/prometheus"
)

// metrics are those of the process, of the pool, and of HTTP. The pool's begin at 0 again when another replaces it.
type metrics struct {
	requests   *prometheus.CounterVec
	open       prometheus.Gauge // connections
	handshakes prometheus.Counter
	others     []prometheus.Collector
	pool       *password.Pool
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
	if m.pool == pool {
		return
	}
	m.pool = pool
	registry := prometheus.NewRegistry()
	registry.MustRegister(fountprometheus.NewCollector(pool, "fountd"), fountprometheus.NewProcessCollector())
	registry.MustRegister(m.others...)
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: answerTime, DisableCompression: true})
	m.handler.Store(&handler)
}

// count is an http.Server's ConnState.
func (m *metrics) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		m.open.Inc()
	case http.StateClosed, http.StateHijacked:
		m.open.Dec()
	}
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
