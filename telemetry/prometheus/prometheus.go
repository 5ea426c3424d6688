// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fountprometheus exports metrics of password pools and of random values to Prometheus.
// docs/telemetry.md describes each metric.
//
// The metrics are tables: of a pool poolMetrics, of its sign-ins and of its upgrades callMetrics
// and callTimes, of the process processMetrics.
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
	o.send(poolMetrics(&s))

	for class, calls := range map[string]*password.Calls{"sign_in": &s.SignIns, "upgrade": &s.Upgrades} {
		perClass := o.with("class", class)
		perClass.sendEnded(calls)
		perClass.send(callMetrics(calls))
		perClass.sendTimes(callTimes(calls))
	}

	for a := password.Bcrypt; a <= password.Foreign; a++ { // a series for each: none appears late
		o.with("algorithm", a.String()).sendTimes(hashTimes(&s, a))
	}
}

func poolMetrics(s *password.Stats) []metric {
	busiest := 0.0
	for _, p := range s.Top {
		busiest = max(busiest, p.Weight.Seconds())
	}

	return []metric{
		{"workers", "Number of workers now.", float64(s.Workers)},
		{"workers_busy", "Workers that hash now.", float64(s.Busy)},
		{"memory_limit_bytes", "Bytes that all running hashes may hold together.", float64(s.Memory)},
		{"memory_in_use_bytes", "Bytes that the running hashes hold.", float64(s.MemoryInUse)},
		{"max_wait_seconds", "Time that a call for a hash of the policy may wait for a worker now.", s.MaxWait.Seconds()},
		{"backlog_seconds", "Estimated time until all calls that wait or run now have ended.", s.Wait.Seconds()},
		{"busiest_principal_seconds",
			"Machine time that the heaviest principal has in the queue and has used in the last seconds.", busiest},
	}
}

func callMetrics(c *password.Calls) []metric {
	inFlight := float64(c.Queued + c.Running)
	submitted := inFlight
	for _, e := range c.Ended {
		submitted += float64(e.Count)
	}

	return []metric{
		{"calls_submitted_total",
			"Calls of Verify and Hash, and refusals by Ready: the demand. Always the sum of calls_total and calls_in_flight.", submitted},
		{"calls_answered_total", "Goodput: calls answered in time.", float64(c.Total.Count())},
		{"calls_in_flight", "Calls that have begun and not ended.", inFlight},
		{"hashes_queued", "Calls that wait for a worker.", float64(c.Queued)},
		{"hashes_running", "Calls that a worker has.", float64(c.Running)},
	}
}

func callTimes(c *password.Calls) []timing {
	return []timing{
		{"wait_seconds", "Time that answered calls waited for a worker.", &c.Wait},
		{"service_seconds", "Time that answered calls were on a worker.", &c.Service},
		{"duration_seconds", "Time that answered calls took: wait and service.", &c.Total},
	}
}

func hashTimes(s *password.Stats, a password.Algorithm) []timing {
	var all password.Histogram
	for _, h := range s.Hashes {
		if h.Algorithm == a.String() {
			all = all.Add(h.Service)
		}
	}
	return []timing{{"hash_service_seconds", "Time that hashes of an algorithm, of any cost, were on a worker.", &all}}
}

// sendEnded sends how calls of one class ended.
func (o output) sendEnded(c *password.Calls) {
	desc := o.desc("calls_total", "Calls that have ended, by outcome and reason.", "outcome", "reason")
	for _, e := range c.Ended {
		o.to <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(e.Count),
			string(e.Outcome), e.Reason.String())
	}
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
	o.send(processMetrics(&s))

	for _, mode := range clone.Modes() { // a series for each: none appears late
		inForce := 0.0
		if mode == s.Mode {
			inForce = 1
		}
		o.with("mode", mode).send([]metric{{"random_mode",
			"What tells clones of the machine apart: 1 for the mode in force. In mode window nothing does.", inForce}})
	}
	o.sendLateness()
}

func processMetrics(s *fount.StatusReport) []metric {
	fed := 0
	draws := uint64(0)
	for _, n := range s.Nodes {
		draws += n.Draws
		if n.Generation > 0 {
			fed++
		}
	}

	return []metric{
		{"random_window_bytes", "The most that one P can serve again in a clone, 0 if clones are detected.", float64(s.WindowBytes)},
		{"random_states", "Generators in use: one for each P that has drawn.", float64(s.Shards)},
		{"random_reseeds_total", "Refills of generators that mixed 32 fresh bytes of the kernel.", float64(s.Reseeds)},
		{"random_redone_total",
			"Reads that were wiped and made again because the machine was cloned, or Reseed called, during them.", float64(s.Redone)},
		{"random_reseed_calls_total", "Calls of Reseed.", float64(s.Epoch - 1)},
		{"random_pool_inputs_total", "Inputs that were mixed into the input pool.", float64(s.Mixed)},
		{"random_pool_extractions_total",
			"Seeds taken from the input pool, each with 32 fresh bytes of the kernel.", float64(s.Extractions)},
		{"random_pool_nodes", "NUMA nodes with a pool.", float64(len(s.Nodes))},
		{"random_pool_nodes_fed", "NUMA nodes whose pool was fed.", float64(fed)},
		{"random_pool_draws_total", "Draws of 32 bytes from the pools of all nodes.", float64(draws)},
	}
}

// sendLateness sends how long goroutines were ready before they ran. The runtime has no sum: each
// time counts as the lower bound of its bucket.
func (o output) sendLateness() {
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

	// The buckets begin at 2^firstLateness s; h.Counts[i] is of times below h.Buckets[i+1].
	o.sendHistogram("scheduler_lateness_seconds",
		"Time that goroutines of the process were ready before they ran. The sum is an estimate from the buckets.",
		firstLateness, sum, h.Counts, h.Buckets[1:])
}

// A metric is a row of a table. It is a counter if its name ends in _total, else a gauge.
type metric struct {
	name, help string
	value      float64
}

// A timing is a row of a table of histograms.
type timing struct {
	name, help string
	times      *password.Histogram
}

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

func (o output) send(table []metric) {
	for _, m := range table {
		kind := prometheus.GaugeValue
		if strings.HasSuffix(m.name, "_total") {
			kind = prometheus.CounterValue
		}
		o.to <- prometheus.MustNewConstMetric(o.desc(m.name, m.help), kind, m.value)
	}
}

// The buckets of a histogram, but an unbounded one. A first bound is log2 of seconds.
const (
	numBounds     = 13
	firstTime     = -8  // of calls and hashes: 3.9 ms to 16 s
	firstLateness = -14 // 61 µs to 250 ms
)

var timeBounds = append(password.HistogramBounds(), math.Inf(1))

func (o output) sendTimes(table []timing) {
	for _, h := range table {
		o.sendHistogram(h.name, h.help, firstTime, h.times.Sum.Seconds(), h.times.Counts[:], timeBounds)
	}
}

// sendHistogram sends a histogram whose bounds double from 2^first s on. counts[i] is of times up
// to ends[i] in seconds.
func (o output) sendHistogram(name, help string, first int, sum float64, counts []uint64, ends []float64) {
	var all uint64
	buckets := make(map[float64]uint64, numBounds)
	i := 0
	for octave := range numBounds {
		bound := math.Ldexp(1, first+octave)
		for ; i < len(counts) && ends[i] <= bound; i++ {
			all += counts[i]
		}
		buckets[bound] = all
	}

	for ; i < len(counts); i++ {
		all += counts[i]
	}
	o.to <- prometheus.MustNewConstHistogram(o.desc(name, help), all, sum, buckets)
}
