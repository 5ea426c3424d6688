// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel

// Histograms. The pool counts them: they are handed to the reader as they are.

import (
	"math"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"fount/password"
	"fount/telemetry/internal/metrics"
)

// histograms are those of one snapshot.
type histograms struct {
	start, now  time.Time
	exponential bool
	constant    []attribute.KeyValue
	exemplars   map[keptBy][]metricdata.Exemplar[float64]
}

// produce returns them.
func produce[S any](families []metrics.Family[S], s S, h histograms) []metricdata.ScopeMetrics {
	var all []metricdata.Metrics
	for _, f := range families {
		if f.Kind != metrics.Histogram {
			continue
		}
		var (
			explicit    []metricdata.HistogramDataPoint[float64]
			exponential []metricdata.ExponentialHistogramDataPoint[float64]
		)
		f.Of(s, &metrics.Output{Durations: func(first int, d password.Histogram, of metrics.Values) {
			set, found := attributes(f.Labels, of, h.constant), h.exemplars[keptBy{f.Name, of[0]}]
			if h.exponential {
				exponential = append(exponential, h.exponentialPoint(d, set, found))
			} else {
				explicit = append(explicit, h.explicitPoint(first, d, set, found))
			}
		}})
		m := metricdata.Metrics{Description: f.Help}
		m.Name, m.Unit = nameOf(f.Name)
		if h.exponential {
			m.Data = metricdata.ExponentialHistogram[float64]{DataPoints: exponential, Temporality: metricdata.CumulativeTemporality}
		} else {
			m.Data = metricdata.Histogram[float64]{DataPoints: explicit, Temporality: metricdata.CumulativeTemporality}
		}
		all = append(all, m)
	}
	return []metricdata.ScopeMetrics{{Scope: instrumentation.Scope{Name: scope}, Metrics: all}}
}

// octaves returns where the buckets end that begin at 2^first s.
func octaves(first int) []float64 {
	bounds := make([]float64, metrics.Octaves)
	for i := range bounds {
		bounds[i] = math.Ldexp(1, first+i)
	}
	return bounds
}

func (h histograms) explicitPoint(
	first int, d password.Histogram, set attribute.Set, found []metricdata.Exemplar[float64],
) metricdata.HistogramDataPoint[float64] {
	counts := metrics.ByOctave(first, d)
	return metricdata.HistogramDataPoint[float64]{
		Attributes: set, StartTime: h.start, Time: h.now,
		Count: d.Count, Sum: d.Sum.Seconds(), Bounds: octaves(first), BucketCounts: counts[:], Exemplars: found,
	}
}

// exponentialPoint has the pool's own buckets. The first one is the zero bucket, up to 2^-14 s. The last one, without an end,
// becomes that after 128 s.
func (h histograms) exponentialPoint(
	d password.Histogram, set attribute.Set, found []metricdata.Exemplar[float64],
) metricdata.ExponentialHistogramDataPoint[float64] {
	from, to := 1, len(d.Counts) // those that are not empty
	for from < to && d.Counts[from] == 0 {
		from++
	}
	for to > from && d.Counts[to-1] == 0 {
		to--
	}
	p := metricdata.ExponentialHistogramDataPoint[float64]{
		Attributes: set, StartTime: h.start, Time: h.now,
		Count: d.Count, Sum: d.Sum.Seconds(), Scale: password.HistogramScale,
		ZeroThreshold: math.Ldexp(1, password.HistogramOffset>>password.HistogramScale), ZeroCount: d.Counts[0], Exemplars: found,
	}
	if from < to {
		// OpenTelemetry's bucket i begins at 2^(i/4), ours ends there.
		p.PositiveBucket.Offset = int32(from + password.HistogramOffset - 1)
		p.PositiveBucket.Counts = d.Counts[from:to]
	}
	return p
}
