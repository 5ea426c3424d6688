// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel

// Exemplars: for each bucket the last sampled call that fell into it.

import (
	"sort"
	"sync"
	"time"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/trace"

	"fount/password"
	"fount/telemetry/internal/metrics"
)

// The histograms of calls.
const (
	wait            = "fount_password_wait_seconds"
	service         = "fount_password_service_seconds"
	duration        = "fount_password_duration_seconds"
	refusalDuration = "fount_password_refusal_duration_seconds"
)

type exemplars struct {
	mu   sync.Mutex // held for some ten nanoseconds, and for a microsecond by a collection
	kept map[keptBy]*[metrics.Octaves + 1]exemplar
}

type keptBy struct{ histogram, class string }

// An exemplar is the zero value where there is none.
type exemplar struct {
	at      time.Time
	seconds float64
	trace   trace.TraceID
	span    trace.SpanID
}

var callBounds = octaves(metrics.LongCalls)

// keep takes a call whose span is sampled.
func (e *exemplars) keep(o *password.Observation, span trace.SpanContext) {
	one := exemplar{at: o.Start.Add(o.Total), trace: span.TraceID(), span: span.SpanID()}
	class := o.Class.String()
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case o.Outcome.Answered():
		e.put(wait, class, one, o.Wait)
		e.put(service, class, one, o.Service)
		e.put(duration, class, one, o.Total)
	case o.Outcome == password.OutcomeRefused, o.Outcome == password.OutcomeDropped:
		e.put(refusalDuration, class, one, o.Total)
	}
}

func (e *exemplars) put(histogram, class string, one exemplar, d time.Duration) {
	one.seconds = d.Seconds()
	by := keptBy{histogram, class}
	kept := e.kept[by]
	if kept == nil {
		if e.kept == nil {
			e.kept = make(map[keptBy]*[metrics.Octaves + 1]exemplar)
		}
		kept = new([metrics.Octaves + 1]exemplar)
		e.kept[by] = kept
	}
	kept[sort.SearchFloat64s(callBounds, one.seconds)] = one
}

// snapshot returns those of all series.
func (e *exemplars) snapshot() map[keptBy][]metricdata.Exemplar[float64] {
	e.mu.Lock()
	defer e.mu.Unlock()
	found := make(map[keptBy][]metricdata.Exemplar[float64], len(e.kept))
	for by, kept := range e.kept {
		for _, one := range kept {
			if !one.at.IsZero() {
				found[by] = append(found[by], metricdata.Exemplar[float64]{
					Time: one.at, Value: one.seconds, TraceID: one.trace[:], SpanID: one.span[:],
				})
			}
		}
	}
	return found
}

// clear drops all.
func (e *exemplars) clear() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kept = nil
}
