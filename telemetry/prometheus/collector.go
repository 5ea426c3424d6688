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
)

// A family is one metric: its name, and its values in a snapshot S.
type family[S any] struct {
	name, help string
	kind       dto.MetricType
	labels     []string
	of         func(S, *output)
}

const (
	counter   = dto.MetricType_COUNTER
	gauge     = dto.MetricType_GAUGE
	histogram = dto.MetricType_HISTOGRAM
)

// A values has the values of a series' labels, in the family's order.
type values [3]string

// An output takes the values of one family.
type output struct {
	desc    *prometheus.Desc
	kind    dto.MetricType
	known   map[values][]*dto.LabelPair
	seen    func(values, []*dto.LabelPair) // nil but when the collector is made
	created *timestamppb.Timestamp         // nil if unknown
	send    func(prometheus.Metric)
}

func (o *output) pairs(of []string) []*dto.LabelPair {
	var key values
	copy(key[:], of)
	if pairs, ok := o.known[key]; ok {
		return pairs
	}
	pairs := prometheus.MakeLabelPairs(o.desc, of)
	if o.seen != nil {
		o.seen(key, pairs)
	}
	return pairs
}

// number puts out a counter or a gauge.
func (o *output) number(v float64, of ...string) {
	o.send(&number{o.desc, o.pairs(of), o.kind, o.created, v})
}

// truth puts out 1 or 0.
func (o *output) truth(v bool, of ...string) {
	if v {
		o.number(1, of...)
	} else {
		o.number(0, of...)
	}
}

// durations puts out a histogram whose classic buckets begin at 2^first s.
func (o *output) durations(first int, h password.Histogram, of ...string) {
	o.send(&durations{o.desc, o.pairs(of), o.created, first, h})
}

type number struct {
	desc    *prometheus.Desc
	labels  []*dto.LabelPair
	kind    dto.MetricType
	created *timestamppb.Timestamp
	value   float64
}

func (n *number) Desc() *prometheus.Desc { return n.desc }

func (n *number) Write(to *dto.Metric) error {
	to.Label = n.labels
	if n.kind == counter {
		to.Counter = &dto.Counter{Value: &n.value, CreatedTimestamp: n.created}
	} else {
		to.Gauge = &dto.Gauge{Value: &n.value}
	}
	return nil
}

// A collector reads one snapshot for each scrape. Nothing of it changes.
type collector[S any] struct {
	families []family[S]
	outputs  []output              // one for each family
	read     func() (S, time.Time) // and since when it counts; the zero Time if unknown
}

func newCollector[S any](families []family[S], read func() (S, time.Time), constant prometheus.Labels) *collector[S] {
	c := &collector[S]{families: families, read: read}
	s, _ := read()
	for _, f := range families {
		known := make(map[values][]*dto.LabelPair)
		o := output{desc: prometheus.NewDesc(f.name, f.help, f.labels, constant), kind: f.kind}
		o.send = func(prometheus.Metric) {}
		o.seen = func(of values, pairs []*dto.LabelPair) { known[of] = pairs }
		f.of(s, &o)
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
	for i, f := range c.families {
		o := c.outputs[i]
		o.created, o.send = created, send
		f.of(s, &o)
	}
}
