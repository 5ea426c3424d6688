// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Workers that are threads of this process.

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A team is threads, each bound to a core, that wait for turns. One goroutine uses it.
type team struct {
	jobs  []chan job
	ended sync.WaitGroup
}

// A job is one turn for one thread.
type job struct {
	task task
	src  source
	gate *gate
	out  chan<- tally
}

// A gate opens when all have arrived.
type gate struct {
	workers int32
	arrived atomic.Int32
}

// arrive returns when all have arrived. It spins: each has a core to itself, and to be woken would take 50 µs.
func (g *gate) arrive() {
	g.arrived.Add(1)
	for i := 1; g.arrived.Load() < g.workers; i++ {
		if i%4096 == 0 {
			runtime.Gosched() // another may need this P to get here
		}
	}
}

// newTeam starts a thread for each core.
func newTeam(cpus []int) (*team, error) {
	t := new(team)
	pinned := make(chan error)
	for _, cpu := range cpus {
		jobs := make(chan job)
		t.jobs = append(t.jobs, jobs)
		t.ended.Go(func() {
			pinned <- pin(cpu)
			for j := range jobs {
				result := j.task.run(j.src, j.gate.arrive)
				j.out <- result
			}
		})
	}
	var failed error
	for range cpus {
		if err := <-pinned; err != nil {
			failed = err
		}
	}
	if failed != nil {
		t.close()
		return nil, failed
	}
	return t, nil
}

// turn has the first n threads draw from one source.
func (t *team) turn(m Method, what task, n int) (run, error) {
	src, err := m.open(what.opening())
	if err != nil {
		return run{}, err
	}
	defer src.close()
	out := make(chan tally, n)
	g := &gate{workers: int32(n)}
	for k := range n {
		what.Worker = k
		t.jobs[k] <- job{task: what, src: src, gate: g, out: out}
	}
	tallies := make([]tally, n)
	for i := range tallies {
		tallies[i] = <-out
	}
	return sum(tallies)
}

// close ends the threads and returns when they have ended.
func (t *team) close() {
	for _, jobs := range t.jobs {
		close(jobs)
	}
	t.ended.Wait()
}
