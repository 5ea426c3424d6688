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
	"maps"
	"math"
	"runtime/metrics"
	"strings"

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

// An output sends series of one scrape.
type output struct {
	to     chan<- prometheus.Metric
	prefix string            // of names
	labels prometheus.Labels // of all series
}

// with returns o with one more label.
func (o output) with(label, value string) output {
	o.labels = maps.Clone(o.labels)
	o.labels[label] = value
	return o
}

func (o output) desc(name, help string, more ...string) *prometheus.Desc {
	return prometheus.NewDesc(o.prefix+name, help, more, o.labels)
}

// A metric is a row of a table of counters and gauges. The name of a counter ends in _total.
type metric struct {
	name, help string
	value      float64
}

func (o output) send(table ...metric) {
	for _, m := range table {
		kind := prometheus.GaugeValue
		if strings.HasSuffix(m.name, "_total") {
			kind = prometheus.CounterValue
		}
		o.to <- prometheus.MustNewConstMetric(o.desc(m.name, m.help), kind, m.value)
	}
}

// histogram sends a histogram with bounds from 2^first s on. counts[i] is of durations up to end(i)
// in seconds.
func (o output) histogram(name, help string, first int, sum float64, counts []uint64, end func(i int) float64) {
	var all uint64
	buckets := make(map[float64]uint64, octaves)
	i := 0
	for octave := range octaves {
		bound := math.Ldexp(1, first+octave)
		for ; i < len(counts) && end(i) <= bound; i++ {
			all += counts[i]
		}
		buckets[bound] = all
	}

	for ; i < len(counts); i++ {
		all += counts[i]
	}
	o.to <- prometheus.MustNewConstHistogram(o.desc(name, help), all, sum, buckets)
}

// A poolCollector collects the metrics of one pool.
type poolCollector struct {
	pool *password.Pool
	name string
}

// NewCollector returns a collector of pool. name becomes the label "pool" of all its series: pools
// in one registry need different names. Any goroutine may use the collector.
func NewCollector(pool *password.Pool, name string) prometheus.Collector {
	return poolCollector{pool, name}
}

func (c poolCollector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

func (c poolCollector) Collect(to chan<- prometheus.Metric) {
	o := output{to, "fount_password_", prometheus.Labels{"pool": c.name}}
	s := c.pool.Stats()

	o.with("class", "sign_in").class(&s.SignIns)
	o.with("class", "upgrade").class(&s.Upgrades)

	for a := password.Bcrypt; a <= password.Foreign; a++ { // a series for each: none appears late
		var sum password.Histogram
		for _, h := range s.Hashes {
			if h.Algorithm == a.String() {
				sum = sum.Add(h.Service)
			}
		}
		o.with("algorithm", a.String()).durations("hash_service_seconds",
			"Time that hashes of an algorithm, of any cost, were on a worker.", &sum)
	}

	busiest := 0.0
	for _, p := range s.Top {
		busiest = max(busiest, p.Weight.Seconds())
	}
	o.send(
		metric{"workers", "Number of workers now.", float64(s.Workers)},
		metric{"workers_busy", "Workers that hash now.", float64(s.Busy)},
		metric{"memory_limit_bytes", "Bytes that all running hashes may hold together.", float64(s.Memory)},
		metric{"memory_in_use_bytes", "Bytes that the running hashes hold.", float64(s.MemoryInUse)},
		metric{"max_wait_seconds", "Time that a call for a hash of the policy may wait for a worker now.",
			s.MaxWait.Seconds()},
		metric{"backlog_seconds", "Estimated time until all calls that wait or run now have ended.", s.Wait.Seconds()},
		metric{"busiest_principal_seconds",
			"Machine time that the heaviest principal has in the queue and has used in the last seconds.", busiest},
	)
}

// class sends the metrics of calls of one class.
func (o output) class(c *password.Calls) {
	ended := uint64(0)
	desc := o.desc("calls_total", "Calls that have ended, by outcome and reason.", "outcome", "reason")
	for _, e := range c.Ended {
		ended += e.Count
		o.to <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(e.Count),
			string(e.Outcome), e.Reason.String())
	}

	inFlight := float64(c.Queued + c.Running)
	o.send(
		metric{"calls_submitted_total",
			"Calls of Verify and Hash that have begun: the demand. Always the sum of calls_total and calls_in_flight.",
			float64(ended) + inFlight},
		metric{"calls_answered_total", "Goodput: calls answered in time.", float64(c.Total.Count())},
		metric{"calls_in_flight", "Calls that have begun and not ended.", inFlight},
		metric{"hashes_queued", "Calls that wait for a worker.", float64(c.Queued)},
		metric{"hashes_running", "Calls that a worker has.", float64(c.Running)},
	)
	o.durations("wait_seconds", "Time that answered calls waited for a worker.", &c.Wait)
	o.durations("service_seconds", "Time that answered calls were on a worker.", &c.Service)
	o.durations("duration_seconds", "Time that answered calls took: wait and service.", &c.Total)
}

var bounds = append(password.HistogramBounds(), math.Inf(1))

func (o output) durations(name, help string, h *password.Histogram) {
	o.histogram(name, help, calls, h.Sum.Seconds(), h.Counts[:], func(i int) float64 { return bounds[i] })
}

// A processCollector collects the metrics of the whole process.
type processCollector struct{}

// NewProcessCollector returns a collector of the process's metrics: how random values are made, and
// how late goroutines run. A registry accepts only one. Any goroutine may use the collector.
func NewProcessCollector() prometheus.Collector { return processCollector{} }

func (c processCollector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

func (processCollector) Collect(to chan<- prometheus.Metric) {
	o := output{to, "fount_", prometheus.Labels{}}
	s := fount.Status()

	for _, mode := range clone.Modes() { // a series for each: none appears late
		in := 0.0
		if mode == s.Mode {
			in = 1
		}
		o.with("mode", mode).send(metric{"random_mode",
			"What tells clones of the machine apart: 1 for the mode in force. In mode window nothing does.", in})
	}

	fed, draws := 0, uint64(0)
	for _, n := range s.Nodes {
		draws += n.Draws
		if n.Generation > 0 {
			fed++
		}
	}
	o.send(
		metric{"random_window_bytes", "The most that one P can serve again in a clone, 0 if clones are detected.",
			float64(s.WindowBytes)},
		metric{"random_states", "States in use: one for each P that has drawn.", float64(s.Shards)},
		metric{"random_reseeds_total", "Refills of states that mixed 32 fresh bytes of the kernel.", float64(s.Reseeds)},
		metric{"random_redone_total",
			"Reads that were wiped and made again because the machine was cloned, or Reseed called, during them.",
			float64(s.Redone)},
		metric{"random_reseed_calls_total", "Calls of Reseed.", float64(s.Epoch - 1)},
		metric{"random_pool_inputs_total", "Inputs that were mixed into the input pool.", float64(s.Mixed)},
		metric{"random_pool_extractions_total", "Seeds taken from the input pool, each with 32 fresh bytes of the kernel.",
			float64(s.Extractions)},
		metric{"random_pool_nodes", "NUMA nodes with a pool.", float64(len(s.Nodes))},
		metric{"random_pool_nodes_fed", "NUMA nodes whose pool was fed.", float64(fed)},
		metric{"random_pool_draws_total", "Draws of 32 bytes from the pools of all nodes.", float64(draws)},
	)
	o.late()
}

// late sends how long goroutines were ready before they ran. The runtime has no sum: late takes
// each time as the lower bound of its bucket.
func (o output) late() {
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return
	}

	h := sample[0].Value.Float64Histogram()
	sum := 0.0
	for i, n := range h.Counts {
		sum += float64(n) * max(h.Buckets[i], 0) // the first begins at -Inf
	}
	o.histogram("scheduler_lateness_seconds",
		"Time that goroutines of the process were ready before they ran. The sum is an estimate from the buckets.",
		lateness, sum, h.Counts, func(i int) float64 { return h.Buckets[i+1] })
}
