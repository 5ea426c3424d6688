// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// GET /metrics.

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fount/password"
	fountprometheus "fount/telemetry/prometheus"
)

// metrics are those of the pool, and of HTTP. The pool's begin at 0 again when another replaces it.
type metrics struct {
	requests *prometheus.CounterVec
	open     *atomic.Int64 // connections
	others   []prometheus.Collector
	pool     *password.Pool
	handler  atomic.Pointer[http.Handler]
}

func newMetrics(open *atomic.Int64, others []prometheus.Collector) *metrics {
	return &metrics{
		open:   open,
		others: others,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fountd_http_requests_total", Help: "Requests that were answered, by path and status.",
		}, []string{"path", "status"}),
	}
}

// observe has the metrics show a pool.
func (m *metrics) observe(pool *password.Pool) {
	if m.pool == pool {
		return
	}
	m.pool = pool
	registry := prometheus.NewRegistry()
	if _, err := fountprometheus.Register(registry, pool, "fountd"); err != nil {
		panic(err) // an empty registry takes one pool
	}
	registry.MustRegister(m.requests)
	registry.MustRegister(m.others...)
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "fountd_http_connections", Help: "Connections that are open.",
	}, func() float64 { return float64(m.open.Load()) }))
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: answerTime, DisableCompression: true})
	m.handler.Store(&handler)
}

// count counts a request that was answered. The label is a path of ours: clients can make no series.
func (m *metrics) count(path string, known bool, status int) {
	if !known {
		path = "other"
	}
	m.requests.WithLabelValues(path, strconv.Itoa(status)).Inc()
}

func (m *metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(2 * answerTime))
	(*m.handler.Load()).ServeHTTP(w, r)
}
