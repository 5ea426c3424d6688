// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// How the benchmarks are run: every method of a task in one run, by one goroutine and by all.

package bench

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// method is one way to do a task. Its run does the task n times in a loop of its own, as calling
// a function value per operation would add 1 to 2 ns to figures of 5. What a goroutine owns is
// made inside run.
type method struct {
	name string
	run  func(n int)
}

// compare benchmarks methods under names that benchstat takes apart: /method and /goroutines.
// With several goroutines the figure is wall time over all operations, so that perfect scaling
// halves it on two cores.
func compare(b *testing.B, methods ...method) {
	for _, m := range methods {
		b.Run("method="+m.name+"/goroutines=1", func(b *testing.B) {
			b.ReportAllocs()
			defer reportCPU(b, cpuTime())
			m.run(b.N)
		})
		b.Run("method="+m.name+"/goroutines=all", func(b *testing.B) {
			b.ReportAllocs()
			defer reportCPU(b, cpuTime())
			share := b.N / runtime.GOMAXPROCS(0)
			var wg sync.WaitGroup
			for range runtime.GOMAXPROCS(0) - 1 {
				wg.Go(func() { m.run(share) })
			}
			m.run(b.N - share*(runtime.GOMAXPROCS(0)-1))
			wg.Wait()
		})
	}
}

// reportCPU reports what CPU time an operation took, of all cores together, since the process had
// used start. Other programs on the machine disturb it less than ns/op: prefer it where nothing waits.
// 0 is the answer of a system that does not tell.
func reportCPU(b *testing.B, start time.Duration) {
	if used := cpuTime() - start; used > 0 {
		b.ReportMetric(float64(used)/float64(b.N), "cpu-ns/op")
	}
}
