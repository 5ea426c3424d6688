// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package telemetry makes one report of what fount does in this process beside a password pool, whose Stats are its own: the
// library's status and the Go scheduler's lateness, as JSON whose names and units do not change. It collects nothing by itself and is no
// metrics library. Package expvar publishes it by expvar.Func, and docs/telemetry.md explains each figure.
package telemetry

import (
	"runtime"
	"runtime/metrics"
	"time"

	"fount"
	"fount/password"
)

// Version is the report's. It grows when a field changes its name, unit or meaning, and not when fields are added.
const Version = 2

// A Report is a snapshot. Times are in seconds, sizes in bytes. It is complete from the start: what has not happened yet is
// there with 0. A pointer is nil, null in JSON, for what this machine does not tell.
type Report struct {
	Version int     `json:"version"`
	Time    float64 `json:"time_seconds"` // of the snapshot, since 1970

	// BucketBounds is where the buckets of all histograms end, but for the last, which has no end.
	BucketBounds []float64 `json:"bucket_bounds_seconds"`

	Library fount.StatusReport `json:"library"`
	Runtime Runtime            `json:"runtime"`
}

// Runtime is about the whole process.
type Runtime struct {
	GOMAXPROCS int    `json:"gomaxprocs"`
	Goroutines uint64 `json:"goroutines"`

	// Lateness counts how long goroutines were ready before they ran: each waits as long, whatever it does. Each duration is
	// in its bucket or the next one; the runtime knows no sum.
	Lateness password.Histogram `json:"lateness"`
}

// Read returns a report of this process. It may be called from any goroutine, and delays no draw.
func Read() Report {
	return Report{
		Version: Version, Time: seconds(time.Now()), BucketBounds: password.HistogramBounds(),
		Library: fount.Status(), Runtime: readRuntime(),
	}
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

func readRuntime() Runtime {
	samples := []metrics.Sample{{Name: "/sched/latencies:seconds"}, {Name: "/sched/goroutines:goroutines"}}
	metrics.Read(samples)
	r := Runtime{GOMAXPROCS: runtime.GOMAXPROCS(0)}
	if samples[0].Value.Kind() == metrics.KindFloat64Histogram {
		r.Lateness = rebin(samples[0].Value.Float64Histogram())
	}
	if samples[1].Value.Kind() == metrics.KindUint64 {
		r.Goroutines = samples[1].Value.Uint64()
	}
	return r
}

// rebin counts the runtime's durations in our buckets: each of its buckets in the first of ours that ends no earlier.
func rebin(h *metrics.Float64Histogram) (c password.Histogram) {
	bounds := password.HistogramBounds()
	i := 0
	for j, n := range h.Counts {
		for i < len(bounds) && bounds[i] < h.Buckets[j+1] {
			i++
		}
		c.Counts[i] += n
	}
	return c
}
