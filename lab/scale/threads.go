// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Workers that are threads of this process.

import (
	"sync"

	"fount/lab/measure"
)

// A team is threads, each bound to a core, that wait for turns. One goroutine uses it.
type team struct {
	jobs  []chan job
	spots []spot // of the threads, if they are to look where they are
	ended sync.WaitGroup
}

// A job is one turn for one thread.
type job struct {
	task task
	src  measure.Source
	gate *measure.Gate
	out  chan<- tally
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
				result := j.task.run(j.src, j.gate.Arrive)
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
func (t *team) turn(m measure.Method, what task, n int) (turned, error) {
	src, err := m.Open()
	if err != nil {
		return turned{}, err
	}
	defer src.Close()
	out := make(chan tally, n)
	g := &measure.Gate{Workers: n, Looks: 4096} // each has a core to itself; another may need this P to get here
	for k := range n {
		what.Worker = k
		if t.spots != nil {
			what.place = &t.spots[k]
		}
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
