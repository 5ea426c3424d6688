// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel

// Counters and gauges, as observable instruments.

import (
	"context"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"fount/telemetry/internal/metrics"
)

// nameOf returns a metric's name and unit in OpenTelemetry's form. Prometheus's rules make the first form of them again.
func nameOf(prometheus string) (name, unit string) {
	name = strings.TrimSuffix(prometheus, "_total")
	for end, u := range map[string]string{"_seconds": "s", "_bytes": "By"} {
		if short, ok := strings.CutSuffix(name, end); ok {
			name, unit = short, u
		}
	}
	return strings.Replace(name, "_", ".", 2), unit
}

// An instrument is one counter or gauge, with the attributes of its series.
type instrument[S any] struct {
	metrics.Family[S]
	metric.Float64Observable
	constant []attribute.KeyValue
	known    map[metrics.Values]metric.MeasurementOption // those of the first snapshot; not changed later
}

// attributes returns those of a series.
func attributes(labels []string, of metrics.Values, constant []attribute.KeyValue) attribute.Set {
	all := make([]attribute.KeyValue, 0, len(labels)+len(constant))
	all = append(all, constant...)
	for i, l := range labels {
		all = append(all, attribute.String(l, of[i]))
	}
	return attribute.NewSet(all...)
}

func (i *instrument[S]) attributes(of metrics.Values) metric.MeasurementOption {
	if known, ok := i.known[of]; ok {
		return known
	}
	return metric.WithAttributeSet(attributes(i.Labels, of, i.constant))
}

// newInstrument makes that of a family that is no histogram.
func newInstrument[S any](meter metric.Meter, f metrics.Family[S], first S, constant []attribute.KeyValue) (*instrument[S], error) {
	i := &instrument[S]{Family: f, constant: constant, known: make(map[metrics.Values]metric.MeasurementOption)}
	name, unit := nameOf(f.Name)
	var err error
	if f.Kind == metrics.Counter {
		i.Float64Observable, err = meter.Float64ObservableCounter(name, metric.WithDescription(f.Help), metric.WithUnit(unit))
	} else {
		i.Float64Observable, err = meter.Float64ObservableGauge(name, metric.WithDescription(f.Help), metric.WithUnit(unit))
	}
	if err != nil {
		return nil, fmt.Errorf("fountotel: %w", err)
	}
	f.Of(first, &metrics.Output{Number: func(_ float64, of metrics.Values) { i.known[of] = i.attributes(of) }})
	return i, nil
}

// observe has meters observe the counters and gauges of one snapshot for each collection.
func observe[S any](
	meters metric.MeterProvider, families []metrics.Family[S], read func() S, constant []attribute.KeyValue,
) (metric.Registration, error) {
	meter := meters.Meter(scope)
	first := read()
	var (
		instruments []*instrument[S]
		observables []metric.Observable
	)
	for _, f := range families {
		if f.Kind == metrics.Histogram {
			continue
		}
		i, err := newInstrument(meter, f, first, constant)
		if err != nil {
			return nil, err
		}
		instruments, observables = append(instruments, i), append(observables, i.Float64Observable)
	}
	return meter.RegisterCallback(func(_ context.Context, to metric.Observer) error {
		s := read()
		for _, i := range instruments {
			i.Of(s, &metrics.Output{Number: func(v float64, of metrics.Values) {
				to.ObserveFloat64(i.Float64Observable, v, i.attributes(of))
			}})
		}
		return nil
	}, observables...)
}
