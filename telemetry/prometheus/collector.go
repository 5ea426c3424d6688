// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

// A collector turns snapshots into series.

import (
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/types/known/timestamppb"

	"fount/password"
	"fount/telemetry/internal/metrics"
)

// A series is known by the values of its labels.
type series struct {
	of    metrics.Values
	pairs []*dto.LabelPair
}

// An output turns the values of one family into series.
type output struct {
	desc    *prometheus.Desc
	kind    metrics.Kind
	labels  int
	known   []series               // of the first snapshot, in the order in which they come
	next    int                    // of them
	created *timestamppb.Timestamp // nil if unknown
	numbers []number               // room for them
	send    func(prometheus.Metric)
}

// pairs returns the labels of the series with these values: the next one that is known, unless there are others than before.
func (o *output) pairs(of metrics.Values) []*dto.LabelPair {
	if o.next < len(o.known) && o.known[o.next].of == of {
		o.next++
		return o.known[o.next-1].pairs
	}
	for _, s := range o.known {
		if s.of == of {
			return s.pairs
		}
	}
	return prometheus.MakeLabelPairs(o.desc, slices.Clone(of[:o.labels]))
}

// takes returns what o takes the values with, whatever o becomes.
func (o *output) takes() *metrics.Output {
	return &metrics.Output{Number: o.number, Durations: o.durations}
}

func (o *output) number(v float64, of metrics.Values) {
	if len(o.numbers) == cap(o.numbers) { // a series that is not known
		o.numbers = make([]number, 0, 8)
	}
	o.numbers = append(o.numbers, number{o.desc, o.pairs(of), o.kind, o.created, v})
	o.send(&o.numbers[len(o.numbers)-1])
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
	series   int                   // that all know
	read     func() (S, time.Time) // and since when it counts; the zero Time if unknown
}

func newCollector[S any](families []metrics.Family[S], read func() (S, time.Time), constant prometheus.Labels) *collector[S] {
	c := &collector[S]{families: families, read: read}
	s, _ := read()
	for _, f := range families {
		o := output{desc: prometheus.NewDesc(f.Name, f.Help, f.Labels, constant), kind: f.Kind, labels: len(f.Labels)}
		knows := func(of metrics.Values) {
			o.known = append(o.known, series{of, prometheus.MakeLabelPairs(o.desc, of[:o.labels])})
		}
		f.Of(s, &metrics.Output{
			Number:    func(_ float64, of metrics.Values) { knows(of) },
			Durations: func(_ int, _ password.Histogram, of metrics.Values) { knows(of) },
		})
		c.outputs = append(c.outputs, o)
		c.series += len(o.known)
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
	numbers := make([]number, 0, c.series)
	for i, f := range c.families {
		o = c.outputs[i]
		o.created, o.numbers, o.send = created, numbers, send
		f.Of(s, out)
		numbers = o.numbers
	}
}
