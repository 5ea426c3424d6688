// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package metrics

import (
	"time"

	"fount/password"
	"fount/telemetry"
	"fount/uniqueness"
)

// Process is what is told of the whole process.
var Process = []Family[*telemetry.Report]{
	{
		"fount_random_mode",
		"What tells clones of the machine apart: 1 for the mode in force. In mode window nothing does.",
		Gauge, []string{"mode"},
		func(r *telemetry.Report, o *Output) {
			for _, mode := range uniqueness.Modes() { // a series for each: none appears late
				o.truth(mode == r.Library.Mode, mode)
			}
		},
	},
	{
		"fount_random_window_bytes",
		"The most that one P can serve again in a clone, 0 if clones are detected.",
		Gauge, nil,
		func(r *telemetry.Report, o *Output) { o.number(float64(r.Library.WindowBytes)) },
	},
	{
		"fount_random_states",
		"States in use: one for each P that has drawn.",
		Gauge, nil,
		func(r *telemetry.Report, o *Output) { o.number(float64(r.Library.Shards)) },
	},
	{
		"fount_random_reseeds_total",
		"Refills of states that mixed 32 fresh bytes of the kernel.",
		Counter, nil,
		func(r *telemetry.Report, o *Output) { o.number(float64(r.Library.Reseeds)) },
	},
	{
		"fount_random_redone_total",
		"Reads that were wiped and made again because the machine was cloned, or Reseed called, during them.",
		Counter, nil,
		func(r *telemetry.Report, o *Output) { o.number(float64(r.Library.Redone)) },
	},
	{
		"fount_random_reseed_calls_total",
		"Calls of Reseed.",
		Counter, nil,
		func(r *telemetry.Report, o *Output) { o.number(float64(r.Library.Epoch - 1)) },
	},
	{
		"fount_random_pool_inputs_total",
		"Inputs that were mixed into the input pool.",
		Counter, nil,
		func(r *telemetry.Report, o *Output) { o.number(float64(r.Library.Pools.Mixed)) },
	},
	{
		"fount_random_pool_extractions_total",
		"What was taken from the input pool, with 32 fresh bytes of the kernel each.",
		Counter, nil,
		func(r *telemetry.Report, o *Output) { o.number(float64(r.Library.Pools.Extractions)) },
	},
	{
		"fount_random_pool_nodes",
		"NUMA nodes with a pool.",
		Gauge, nil,
		func(r *telemetry.Report, o *Output) { o.number(float64(len(r.Library.Pools.Nodes))) },
	},
	{
		"fount_random_pool_nodes_fed",
		"NUMA nodes whose pool was fed.",
		Gauge, nil,
		func(r *telemetry.Report, o *Output) {
			fed := 0
			for _, n := range r.Library.Pools.Nodes {
				if n.Generation > 0 {
					fed++
				}
			}
			o.number(float64(fed))
		},
	},
	{
		"fount_random_pool_draws_total",
		"Draws of 32 bytes from the pools of all nodes.",
		Counter, nil,
		func(r *telemetry.Report, o *Output) {
			var draws uint64
			for _, n := range r.Library.Pools.Nodes {
				draws += n.Draws
			}
			o.number(float64(draws))
		},
	},
	{
		"fount_scheduler_lateness_seconds",
		"How long goroutines of the whole process were ready before they ran. The sum is an estimate from the buckets.",
		Histogram, nil,
		func(r *telemetry.Report, o *Output) { o.durations(Lateness, estimated(r.Runtime.Lateness)) },
	},
}

// estimated returns h with a sum, which the runtime does not keep: as if each duration were as short as its bucket allows.
func estimated(h password.Histogram) password.Histogram {
	bounds := password.HistogramBounds()
	h.Sum = 0
	for i, n := range h.Counts[1:] {
		h.Sum += time.Duration(float64(n) * bounds[i] * 1e9)
	}
	return h
}
