// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fountotel exposes fount to OpenTelemetry: metrics of password pools and of random values, a span for each Verify and
// Hash, and exemplars that lead from the one to the other. docs/telemetry.md has a row for each metric, under its Prometheus
// name.
//
//	logins := fountotel.New(fountotel.Options{Name: "logins", Tracers: otel.GetTracerProvider()})
//	pool, err := password.NewPool(password.Options{Observe: logins.Observe})
//	reader := metric.NewPeriodicReader(exporter, metric.WithProducer(logins))
//	meters := metric.NewMeterProvider(metric.WithReader(reader))
//	_, err = logins.Register(meters, pool)
//
// Each part can be left out. Counters and gauges are observable instruments: they need Register. Histograms are counted by the
// pool, and observable instruments have none: they need the reader's WithProducer. Spans and exemplars need Observe.
//
// Each collection reads snapshots of the pool, draws and hashes pay nothing for it, and every series is there from the first
// one, with 0. Their number does not depend on what clients send: attributes are the pool's name, class, algorithm, outcome and
// reason, and never a principal. The cost of a hash is on spans alone.
package fountotel

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/trace"

	"fount/password"
	"fount/telemetry"
	"fount/telemetry/internal/metrics"
)

// scope is the instrumentation scope of all that is told.
const scope = "fount/telemetry/otel"

// Options set up a Pool.
type Options struct {
	// Name becomes the attribute "pool" of all metrics and spans. Two pools of one provider need two names. Bytes that are not
	// UTF-8 become U+FFFD: an exporter could send nothing with them.
	Name string

	// Tracers makes the spans; nil: there are none, and exemplars lead to the callers' spans.
	Tracers trace.TracerProvider

	// Exponential makes histograms exponential, of scale 2, with all the buckets that the pool has: 19 % apart, from 61 µs to
	// 128 s. The default are explicit buckets for every octave from 3.9 ms to 16 s.
	Exponential bool
}

// A Pool tells OpenTelemetry of a password pool. Its methods may be called from any goroutine.
type Pool struct {
	exponential bool
	constant    []attribute.KeyValue
	spans       *spans // nil: none
	exemplars   exemplars
	registered  atomic.Pointer[registration] // nil: none
}

// New returns a Pool for one password pool, which may be made later.
func New(o Options) *Pool {
	p := &Pool{exponential: o.Exponential}
	if o.Name != "" {
		p.constant = []attribute.KeyValue{attribute.String("pool", strings.ToValidUTF8(o.Name, "\uFFFD"))}
	}
	if o.Tracers != nil {
		p.spans = newSpans(o.Tracers.Tracer(scope), p.constant)
	}
	return p
}

// Register has meters observe pool, and Produce tell of it. Unregister of what it returns ends both: call it before the pool is
// dropped. The error is that of meters, or that a pool is registered already.
func (p *Pool) Register(meters metric.MeterProvider, pool *password.Pool) (metric.Registration, error) {
	if pool == nil {
		return nil, errors.New("fountotel: Register of no pool")
	}
	r := &registration{of: p, pool: pool}
	if !p.registered.CompareAndSwap(nil, r) {
		return nil, errors.New("fountotel: a pool is registered already; want a Pool for each")
	}
	var err error
	r.Registration, err = observe(meters, metrics.Pool, func() *password.Stats { return statsOf(pool) }, p.constant)
	if err != nil {
		p.registered.Store(nil)
		return nil, err
	}
	return r, nil
}

// A registration is the end of both halves.
type registration struct {
	metric.Registration
	of   *Pool
	pool *password.Pool
}

// Unregister ends both, and leaves a pool that was registered since alone.
func (r *registration) Unregister() error {
	if r.of.registered.CompareAndSwap(r, nil) {
		r.of.exemplars.clear()
	}
	return r.Registration.Unregister()
}

// Produce returns the histograms of the registered pool, for the option WithProducer of a reader. They are cumulative since the
// pool was made, also for a reader that prefers deltas.
func (p *Pool) Produce(context.Context) ([]metricdata.ScopeMetrics, error) {
	r := p.registered.Load()
	if r == nil {
		return nil, nil
	}
	exemplars := p.exemplars.snapshot() // before that of the pool, which has then counted their calls
	s := statsOf(r.pool)
	h := histograms{start: s.Start, now: s.Time, exponential: p.exponential, constant: p.constant, exemplars: exemplars}
	return produce(metrics.Pool, s, h), nil
}

// Process tells OpenTelemetry of what concerns the whole process: random values and the scheduler's lateness.
type Process struct {
	Exponential bool // as in Options; the explicit buckets are octaves from 61 µs to 250 ms
}

// Register has meters observe the process. It is called once for each meters.
func (Process) Register(meters metric.MeterProvider) (metric.Registration, error) {
	return observe(meters, metrics.Process, readProcess, nil)
}

// Produce returns the histogram of the scheduler's lateness, for the option WithProducer of a reader.
func (p Process) Produce(context.Context) ([]metricdata.ScopeMetrics, error) {
	h := histograms{start: began, now: time.Now(), exponential: p.Exponential}
	return produce(metrics.Process, readProcess(), h), nil
}

func statsOf(pool *password.Pool) *password.Stats {
	s := pool.StatsByAlgorithm()
	return &s
}

func readProcess() *telemetry.Report {
	r := telemetry.Read(nil)
	return &r
}

// began is about when the process began: what it counts by itself counts from then.
var began = time.Now()
