// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	fountprometheus "fount/telemetry/prometheus"
)

// metrics are those of the process, the current pool and HTTP.
type metrics struct {
	requests   *prometheus.CounterVec
	open       prometheus.Gauge // connections
	unfinished prometheus.Gauge // handshakes
	failed     prometheus.Counter
	evicted    prometheus.Counter
	handler    http.Handler
}

// newMetrics returns the metrics of a server with a pool, which also shows those of others.
func newMetrics(pool *Pool, others []prometheus.Collector) *metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(others...)
	registry.MustRegister(
		prometheus.CollectorFunc(func(to chan<- prometheus.Metric) {
			fountprometheus.NewCollector(pool.Current(), "fountd").Collect(to) // a new pool's begin at 0
		}),
		fountprometheus.NewProcessCollector(),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
	)

	of := promauto.With(registry)
	return &metrics{
		requests: of.NewCounterVec(prometheus.CounterOpts{
			Name: "fountd_http_requests_total", Help: "Requests that were answered, by path and status.",
		}, []string{"path", "status"}),
		open: of.NewGauge(prometheus.GaugeOpts{
			Name: "fountd_http_connections", Help: "Connections that are open.",
		}),
		unfinished: of.NewGauge(prometheus.GaugeOpts{
			Name: "fountd_http_handshakes", Help: "TLS handshakes that are not complete.",
		}),
		failed: of.NewCounter(prometheus.CounterOpts{
			Name: "fountd_http_handshakes_failed_total", Help: "TLS handshakes that failed or took too long.",
		}),
		evicted: of.NewCounter(prometheus.CounterOpts{
			Name: "fountd_http_handshakes_evicted_total", Help: "TLS handshakes that were ended to make room for others.",
		}),
		handler: promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: answerTime, DisableCompression: true}),
	}
}

func (s *Server) showMetrics(x *exchange) {
	http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(2 * answerTime))
	s.metrics.handler.ServeHTTP(x.w, x.r)
}
