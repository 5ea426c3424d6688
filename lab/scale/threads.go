// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Workers that are threads of this process.

import (
	"errors"
	"sync"

	"fount/lab/measure"
)

// A team is threads, each bound to a core, that wait for turns. One goroutine uses it.
type team struct {
	jobs  []chan job
	spots []spot
	ended sync.WaitGroup
}

// A job is one turn for one thread.
type job struct {
	task task
	src  measure.Source
	gate *measure.Gate
	out  chan<- tally
}

// newTeam starts a thread for each spot.
func newTeam(spots []spot) (*team, error) {
	t := &team{spots: spots}
	pinned := make(chan error)
	for _, s := range spots {
		jobs := make(chan job)
		t.jobs = append(t.jobs, jobs)
		t.ended.Go(func() {
			pinned <- pin(s.CPU)
			for j := range jobs {
				j.out <- j.task.run(j.src, j.gate.Arrive)
			}
		})
	}
	var err error
	for range spots {
		err = errors.Join(err, <-pinned)
	}
	if err != nil {
		t.close()
		return nil, err
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
		what.Worker, what.Spot = k, t.spots[k]
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
