// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

// A collector turns snapshots into series.

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/types/known/timestamppb"

	"fount/password"
	"fount/telemetry/internal/metrics"
)

// An output turns the values of one family into series.
type output struct {
	desc    *prometheus.Desc
	kind    metrics.Kind
	labels  int
	known   map[metrics.Values][]*dto.LabelPair
	seen    func(metrics.Values, []*dto.LabelPair) // nil but when the collector is made
	created *timestamppb.Timestamp                 // nil if unknown
	send    func(prometheus.Metric)
}

func (o *output) pairs(of metrics.Values) []*dto.LabelPair {
	if pairs, ok := o.known[of]; ok {
		return pairs
	}
	pairs := prometheus.MakeLabelPairs(o.desc, of[:o.labels])
	if o.seen != nil {
		o.seen(of, pairs)
	}
	return pairs
}

// takes returns what o takes the values with, whatever o becomes.
func (o *output) takes() *metrics.Output {
	return &metrics.Output{Number: o.number, Durations: o.durations}
}

func (o *output) number(v float64, of metrics.Values) {
	o.send(&number{o.desc, o.pairs(of), o.kind, o.created, v})
}

func (o *output) durations(first int, h password.Histogram, of metrics.Values) {
	o.send(&durations{o.desc, o.pairs(of), o.created, first, h})
}

type number struct {
	desc    *prometheus.Desc
	labels  []*dto.LabelPair
	kind    metrics.Kind
	created *timestamppb.Timestamp
	value   float64
}

func (n *number) Desc() *prometheus.Desc { return n.desc }

func (n *number) Write(to *dto.Metric) error {
	to.Label = n.labels
	if n.kind == metrics.Counter {
		to.Counter = &dto.Counter{Value: &n.value, CreatedTimestamp: n.created}
	} else {
		to.Gauge = &dto.Gauge{Value: &n.value}
	}
	return nil
}

// A collector reads one snapshot for each scrape. Nothing of it changes.
type collector[S any] struct {
	families []metrics.Family[S]
	outputs  []output              // one for each family
	read     func() (S, time.Time) // and since when it counts; the zero Time if unknown
}

func newCollector[S any](families []metrics.Family[S], read func() (S, time.Time), constant prometheus.Labels) *collector[S] {
	c := &collector[S]{families: families, read: read}
	s, _ := read()
	for _, f := range families {
		known := make(map[metrics.Values][]*dto.LabelPair)
		o := output{desc: prometheus.NewDesc(f.Name, f.Help, f.Labels, constant), kind: f.Kind, labels: len(f.Labels)}
		o.send = func(prometheus.Metric) {}
		o.seen = func(of metrics.Values, pairs []*dto.LabelPair) { known[of] = pairs }
		f.Of(s, o.takes())
		o.known, o.seen = known, nil
		c.outputs = append(c.outputs, o)
	}
	return c
}

// Describe sends the descriptions of all families.
func (c *collector[S]) Describe(to chan<- *prometheus.Desc) {
	for i := range c.outputs {
		to <- c.outputs[i].desc
	}
}

// Collect sends all series.
func (c *collector[S]) Collect(to chan<- prometheus.Metric) {
	s, since := c.read()
	var created *timestamppb.Timestamp
	if !since.IsZero() {
		created = timestamppb.New(since)
	}
	send := func(m prometheus.Metric) { to <- m }
	var o output
	out := o.takes()
	for i, f := range c.families {
		o = c.outputs[i]
		o.created, o.send = created, send
		f.Of(s, out)
	}
}
