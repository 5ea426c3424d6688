// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fountprometheus exports metrics of password pools and of random values to Prometheus.
// docs/telemetry.md describes each metric.
//
// A scrape reads one snapshot of the pool, so metrics cost draws and hashes nothing. Each series
// exists from the first scrape on, with 0, so rate() misses no event. Clients can't add series:
// labels are the pool's name, class, algorithm, outcome and reason, never a principal or a cost.
// The bounds of histograms' buckets double.
package fountprometheus

import (
	"math"
	"runtime/metrics"

	"github.com/prometheus/client_golang/prometheus"

	"fount"
	"fount/internal/clone"
	"fount/password"
)

// octaves is the number of a histogram's buckets, without the unbounded one.
const octaves = 13

// The log2 of histograms' first bounds in seconds: calls' are 3.9 ms to 16 s, lateness' 61 µs to
// 250 ms.
const (
	calls    = -8
	lateness = -14
)

// An output sends the series of one scrape.
type output chan<- prometheus.Metric

func (to output) counter(d *prometheus.Desc, v float64, labels ...string) {
	to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
}

func (to output) gauge(d *prometheus.Desc, v float64, labels ...string) {
	to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
}

// histogram sends a histogram with bounds from 2^first s on. counts[i] is of durations up to end(i)
// in seconds.
func (to output) histogram(d *prometheus.Desc, first int, sum float64, counts []uint64, end func(i int) float64, labels ...string) {
	var all uint64
	buckets := make(map[float64]uint64, octaves)
	for i, octave := 0, 0; octave < octaves; octave++ {
		bound := math.Ldexp(1, first+octave)
		for ; i < len(counts) && end(i) <= bound; i++ {
			all += counts[i]
		}
		buckets[bound] = all
	}
	all = 0
	for _, n := range counts {
		all += n
	}
	to <- prometheus.MustNewConstHistogram(d, all, sum, buckets, labels...)
}

// A poolCollector collects the metrics of one pool.
type poolCollector struct {
	pool *password.Pool

	submitted, ended, answered, inFlight, queued, running         *prometheus.Desc // by class
	wait, service, duration                                       *prometheus.Desc // by class
	hashService                                                   *prometheus.Desc // by algorithm
	workers, busy, memory, memoryInUse, maxWait, backlog, busiest *prometheus.Desc
}

// NewCollector returns a collector of pool. name becomes the label "pool" of all its series: pools
// in one registry need different names. Any goroutine may use the collector.
func NewCollector(pool *password.Pool, name string) prometheus.Collector {
	desc := func(metric, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("fount_password_"+metric, help, labels, prometheus.Labels{"pool": name})
	}
	return &poolCollector{
		pool: pool,
		submitted: desc("calls_submitted_total",
			"Calls of Verify and Hash that have begun: the demand. Always the sum of calls_total and calls_in_flight.", "class"),
		ended:       desc("calls_total", "Calls that have ended, by outcome and reason.", "class", "outcome", "reason"),
		answered:    desc("calls_answered_total", "Goodput: calls answered in time.", "class"),
		inFlight:    desc("calls_in_flight", "Calls that have begun and not ended.", "class"),
		queued:      desc("hashes_queued", "Calls that wait for a worker.", "class"),
		running:     desc("hashes_running", "Calls that a worker has.", "class"),
		wait:        desc("wait_seconds", "Time that answered calls waited for a worker.", "class"),
		service:     desc("service_seconds", "Time that answered calls were on a worker.", "class"),
		duration:    desc("duration_seconds", "Time that answered calls took: wait and service.", "class"),
		hashService: desc("hash_service_seconds", "Time that hashes of an algorithm, of any cost, were on a worker.", "algorithm"),
		workers:     desc("workers", "Number of workers now."),
		busy:        desc("workers_busy", "Workers that hash now."),
		memory:      desc("memory_limit_bytes", "Bytes that all running hashes may hold together."),
		memoryInUse: desc("memory_in_use_bytes", "Bytes that the running hashes hold."),
		maxWait:     desc("max_wait_seconds", "Time that a call for a hash of the policy may wait for a worker now."),
		backlog:     desc("backlog_seconds", "Estimated time until all calls that wait or run now have ended."),
		busiest: desc("busiest_principal_seconds",
			"Machine time that the heaviest principal has in the queue and has used in the last seconds."),
	}
}

func (c *poolCollector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

func (c *poolCollector) Collect(metrics chan<- prometheus.Metric) {
	to, s := output(metrics), c.pool.Stats()
	c.class(to, "sign_in", &s.SignIns)
	c.class(to, "upgrade", &s.Upgrades)
	for a := password.Bcrypt; a.String() != password.Algorithm(0).String(); a++ { // all
		var sum password.Histogram
		for _, h := range s.Hashes {
			if h.Algorithm == a.String() {
				sum = sum.Add(h.Service)
			}
		}
		to.durations(c.hashService, &sum, a.String())
	}
	to.gauge(c.workers, float64(s.Workers))
	to.gauge(c.busy, float64(s.Busy))
	to.gauge(c.memory, float64(s.Memory))
	to.gauge(c.memoryInUse, float64(s.MemoryInUse))
	to.gauge(c.maxWait, s.MaxWait.Seconds())
	to.gauge(c.backlog, s.Wait.Seconds())
	busiest := 0.0
	for _, p := range s.Top {
		busiest = max(busiest, p.Weight.Seconds())
	}
	to.gauge(c.busiest, busiest)
}

func (c *poolCollector) class(to output, class string, s *password.Calls) {
	ended, inFlight := uint64(0), s.Queued+s.Running
	for _, e := range s.Ended {
		to.counter(c.ended, float64(e.Count), class, string(e.Outcome), e.Reason.String())
		ended += e.Count
	}
	to.counter(c.submitted, float64(ended)+float64(inFlight), class)
	to.counter(c.answered, float64(s.Total.Count()), class)
	to.gauge(c.inFlight, float64(inFlight), class)
	to.gauge(c.queued, float64(s.Queued), class)
	to.gauge(c.running, float64(s.Running), class)
	to.durations(c.wait, &s.Wait, class)
	to.durations(c.service, &s.Service, class)
	to.durations(c.duration, &s.Total, class)
}

var bounds = append(password.HistogramBounds(), math.Inf(1))

func (to output) durations(d *prometheus.Desc, h *password.Histogram, label string) {
	to.histogram(d, calls, h.Sum.Seconds(), h.Counts[:], func(i int) float64 { return bounds[i] }, label)
}

// A processCollector collects the metrics of the whole process.
type processCollector struct {
	mode, window, states, reseeds, redone, reseedCalls *prometheus.Desc
	inputs, extractions, nodes, fed, draws, lateness   *prometheus.Desc
}

// NewProcessCollector returns a collector of the process's metrics: how random values are made, and
// how late goroutines run. A registry accepts only one. Any goroutine may use the collector.
func NewProcessCollector() prometheus.Collector {
	desc := func(metric, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("fount_"+metric, help, labels, nil)
	}
	return &processCollector{
		mode:        desc("random_mode", "What tells clones of the machine apart: 1 for the mode in force. In mode window nothing does.", "mode"),
		window:      desc("random_window_bytes", "The most that one P can serve again in a clone, 0 if clones are detected."),
		states:      desc("random_states", "States in use: one for each P that has drawn."),
		reseeds:     desc("random_reseeds_total", "Refills of states that mixed 32 fresh bytes of the kernel."),
		redone:      desc("random_redone_total", "Reads that were wiped and made again because the machine was cloned, or Reseed called, during them."),
		reseedCalls: desc("random_reseed_calls_total", "Calls of Reseed."),
		inputs:      desc("random_pool_inputs_total", "Inputs that were mixed into the input pool."),
		extractions: desc("random_pool_extractions_total", "Seeds taken from the input pool, each with 32 fresh bytes of the kernel."),
		nodes:       desc("random_pool_nodes", "NUMA nodes with a pool."),
		fed:         desc("random_pool_nodes_fed", "NUMA nodes whose pool was fed."),
		draws:       desc("random_pool_draws_total", "Draws of 32 bytes from the pools of all nodes."),
		lateness: desc("scheduler_lateness_seconds",
			"Time that goroutines of the process were ready before they ran. The sum is an estimate from the buckets."),
	}
}

func (c *processCollector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

func (c *processCollector) Collect(metrics chan<- prometheus.Metric) {
	to, s := output(metrics), fount.Status()
	for _, mode := range clone.Modes() { // a series for each: none appears late
		in := 0.0
		if mode == s.Mode {
			in = 1
		}
		to.gauge(c.mode, in, mode)
	}
	to.gauge(c.window, float64(s.WindowBytes))
	to.gauge(c.states, float64(s.Shards))
	to.counter(c.reseeds, float64(s.Reseeds))
	to.counter(c.redone, float64(s.Redone))
	to.counter(c.reseedCalls, float64(s.Epoch-1))
	to.counter(c.inputs, float64(s.Mixed))
	to.counter(c.extractions, float64(s.Extractions))
	fed, draws := 0, uint64(0)
	for _, n := range s.Nodes {
		draws += n.Draws
		if n.Generation > 0 {
			fed++
		}
	}
	to.gauge(c.nodes, float64(len(s.Nodes)))
	to.gauge(c.fed, float64(fed))
	to.counter(c.draws, float64(draws))
	to.late(c.lateness)
}

// late sends how long goroutines were ready before they ran. The runtime has no sum: late takes
// each time as the lower bound of its bucket.
func (to output) late(d *prometheus.Desc) {
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return
	}
	h, sum := sample[0].Value.Float64Histogram(), 0.0
	for i, n := range h.Counts {
		sum += float64(n) * max(h.Buckets[i], 0) // the first begins at -Inf
	}
	to.histogram(d, lateness, sum, h.Counts, func(i int) float64 { return h.Buckets[i+1] })
}
