// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// How the benchmarks are run: every peer that can do a task in one run, by one goroutine and by all.

package bench

import (
	"runtime"
	"testing"
	"time"

	"fount/bench/peers"
	"fount/lab/measure"
)

// compare benchmarks task under names that benchstat takes apart: /method and /goroutines.
func compare(b *testing.B, task peers.Task, list []peers.Peer) {
	for _, p := range list {
		m, ok := task.Method(p)
		if !ok {
			continue
		}
		b.Run("method="+p.Slug()+"/goroutines=1", func(b *testing.B) { turn(b, p, m, 1) })
		b.Run("method="+p.Slug()+"/goroutines=all", func(b *testing.B) { turn(b, p, m, runtime.GOMAXPROCS(0)) })
	}
}

// turn draws b.N values in one turn of the lab's harness, divided among goroutines. ns/op is elapsed time over all
// operations, so that perfect scaling halves it on two cores; cpu-ns/op is CPU time of all cores together, where the system
// tells it. Other programs on the machine disturb that less: prefer it where nothing waits.
func turn(b *testing.B, p peers.Peer, m measure.Method, goroutines int) {
	if why := p.Missing(); why != "" {
		b.Skip(why)
	}
	b.ReportAllocs()
	plan := measure.Plan{Rounds: 1, Values: b.N, Turn: 10 * time.Millisecond, Warmup: time.Millisecond, Workers: []int{goroutines},
		CPU: measure.ProcessCPU}
	r := plan.Run([]measure.Method{m}, nil)[0]
	if r.Err != nil {
		b.Fatal(r.Err)
	}
	run := r.Runs[0][0]
	b.ReportMetric(run.NS(), "ns/op")
	if run.CPU > 0 {
		b.ReportMetric(run.CoreNS(), "cpu-ns/op")
	}
}
