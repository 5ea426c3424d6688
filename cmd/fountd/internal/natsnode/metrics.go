// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsnode

import "github.com/prometheus/client_golang/prometheus"

var (
	requests = prometheus.NewDesc("fountd_fleet_requests_total", "Requests of the fleet that have ended, by what became of them.", []string{"outcome"}, nil)
	inFlight = prometheus.NewDesc("fountd_fleet_requests_in_flight", "Requests of the fleet under way.", nil, nil)
	up       = prometheus.NewDesc("fountd_nats_connected", "1 while the broker is there, 0 while it is away.", nil, nil)
	losses   = prometheus.NewDesc("fountd_nats_connections_lost_total", "Connections to the broker that were lost.", nil, nil)
	drops    = prometheus.NewDesc("fountd_nats_messages_dropped_total", "Messages that were dropped because too many waited to be taken in.", nil, nil)
)

// Describe and Collect make a Worker a prometheus.Collector.
func (w *Worker) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(w, to) }

// Collect is documented with Describe.
func (w *Worker) Collect(to chan<- prometheus.Metric) {
	s := w.node.counts()
	for outcome, n := range map[string]uint64{
		"answered": s.Answered, "overloaded": s.Overloaded, "expired": s.Expired, "failed": s.Failed, "busy": s.Busy, "unreadable": s.Unreadable,
	} {
		to <- prometheus.MustNewConstMetric(requests, prometheus.CounterValue, float64(n), outcome)
	}
	connected := 0.
	if w.Connected() {
		connected = 1
	}
	w.mu.Lock()
	lost := w.lost
	w.mu.Unlock()
	to <- prometheus.MustNewConstMetric(inFlight, prometheus.GaugeValue, float64(s.InFlight))
	to <- prometheus.MustNewConstMetric(up, prometheus.GaugeValue, connected)
	to <- prometheus.MustNewConstMetric(losses, prometheus.CounterValue, float64(lost))
	to <- prometheus.MustNewConstMetric(drops, prometheus.CounterValue, float64(w.dropped()))
}
