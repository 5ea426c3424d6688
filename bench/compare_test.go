// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// How the benchmarks are run: every peer that can do a task in one run, by one goroutine and by all.

package bench

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"fount/bench/peers"
)

// shuffled has the peers take their turns in another order in each run: what one leaves behind, or comes back every so many
// turns, is not always the same neighbour's. bench/report sets it and sorts the results.
var shuffled = flag.Bool("shuffle-peers", false, "run the peers of each task in an order drawn anew")

// compare benchmarks task under names that benchstat takes apart: /method and /goroutines.
func compare(b *testing.B, task peers.Task, list []peers.Peer) {
	if *shuffled {
		list = slices.Clone(list)
		rand.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	}
	for _, p := range list {
		if !can(p, task) {
			continue
		}
		b.Run("method="+p.Slug()+"/goroutines=1", func(b *testing.B) { measure(b, task, p, 1) })
		b.Run("method="+p.Slug()+"/goroutines=all", func(b *testing.B) { measure(b, task, p, runtime.GOMAXPROCS(0)) })
	}
}

// can reports whether p does task at all, as far as this build can tell.
func can(p peers.Peer, task peers.Task) bool {
	if p.Open == nil {
		return false
	}
	w := p.Open()
	if w.Close != nil {
		defer w.Close()
	}
	return task.Loop(w) != nil
}

// measure does the task b.N times, divided among goroutines. ns/op is wall time over all
// operations, so that perfect scaling halves it on two cores; opening is not counted.
func measure(b *testing.B, task peers.Task, p peers.Peer, goroutines int) {
	if why := p.Missing(); why != "" {
		b.Skip(why)
	}
	if p.Start != nil {
		defer p.Start()()
	}
	var opened, done, closed sync.WaitGroup
	start := make(chan struct{})
	for i := range goroutines {
		share := b.N / goroutines
		if i < b.N%goroutines {
			share++
		}
		opened.Add(1)
		done.Add(1)
		closed.Go(func() {
			w := p.Open()
			loop := task.Loop(w)
			opened.Done()
			<-start
			loop(share)
			done.Done()
			if w.Close != nil {
				w.Close()
			}
		})
	}
	opened.Wait()
	b.ReportAllocs()
	b.ResetTimer()
	used := cpuTime()
	close(start)
	done.Wait()
	used = cpuTime() - used
	b.StopTimer()
	closed.Wait()
	reportCPU(b, used)
}

// reportCPU reports what CPU time an operation took, of all cores together. Other programs on the
// machine disturb it less than ns/op: prefer it where nothing waits. 0 is the answer of a system
// that does not tell.
func reportCPU(b *testing.B, used time.Duration) {
	if used > 0 {
		b.ReportMetric(float64(used)/float64(b.N), "cpu-ns/op")
	}
}
