// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

// Histograms, native and classic.

import (
	"math"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/types/known/timestamppb"

	"fount/password"
	"fount/telemetry/internal/metrics"
)

// A durations is a histogram. Both of its forms have the counts of the same snapshot.
type durations struct {
	desc    *prometheus.Desc
	labels  []*dto.LabelPair
	created *timestamppb.Timestamp
	first   int // the first classic bucket ends at 2^first s
	h       password.Histogram
}

// What all share, as Write must not change it: the scale, the width of the zero bucket, and where buckets end.
var (
	schema        = int32(password.HistogramScale)
	zeroThreshold = bounds[0]
	bounds        = password.HistogramBounds()
)

func (d *durations) Desc() *prometheus.Desc { return d.desc }

func (d *durations) Write(to *dto.Metric) error {
	count, seconds := d.h.Count(), d.h.Sum.Seconds()
	h := &dto.Histogram{SampleCount: &count, SampleSum: &seconds, CreatedTimestamp: d.created}
	h.Bucket = d.classic()
	h.Schema, h.ZeroThreshold, h.ZeroCount = &schema, &zeroThreshold, &d.h.Counts[0]
	h.PositiveSpan, h.PositiveDelta = d.native()
	to.Label, to.Histogram = d.labels, h
	return nil
}

// classic returns the buckets with an end. They count from 0.
func (d *durations) classic() []*dto.Bucket {
	var (
		buckets = new([metrics.Octaves]dto.Bucket)
		counts  = metrics.ByOctave(d.first, d.h)
		list    = make([]*dto.Bucket, metrics.Octaves)
	)
	for i := range list {
		if i > 0 {
			counts[i] += counts[i-1]
		}
		end := (d.first+i)<<password.HistogramScale - password.HistogramOffset // the finer bucket that ends there
		buckets[i].CumulativeCount, buckets[i].UpperBound = &counts[i], &bounds[end]
		list[i] = &buckets[i]
	}
	return list
}

// native returns the buckets that are not empty: runs, each so many buckets after the end of the one before it, and the
// counts, each less the one before it. The first bucket of h is the zero bucket.
func (d *durations) native() (spans []*dto.BucketSpan, deltas []int64) {
	next, before := math.MinInt, int64(0)
	for i, n := range d.h.Counts[1:] {
		if n == 0 {
			continue
		}
		at := i + 1 + password.HistogramOffset // (2^((at-1)/4), 2^(at/4)]
		switch {
		case spans == nil:
			spans = append(spans, span(at))
		case at > next:
			spans = append(spans, span(at-next))
		}
		*spans[len(spans)-1].Length++
		deltas = append(deltas, int64(n)-before)
		next, before = at+1, int64(n)
	}
	return spans, deltas
}

func span(offset int) *dto.BucketSpan {
	o := int32(offset)
	return &dto.BucketSpan{Offset: &o, Length: new(uint32)}
}
