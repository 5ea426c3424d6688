// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// How a turn of a method is measured, and what counts as its time.

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"time"

	"fount/internal/cgroup"
)

// A Plan says how a turn of a method is measured. In each round every method has one turn, so that
// a change of the machine's speed meets all methods. Each round has another order. In a fixed order
// a method would always follow the same one, and a regular disturbance would always meet the same
// one.
type Plan struct {
	Rounds  int           // turns of each method
	Turn    time.Duration // how long a turn draws
	Warmup  time.Duration // how long it draws before that, uncounted
	Workers int           // goroutines that draw at once

	// CPU, if not nil, returns the CPU time that this process has used. Then costs are CPU time,
	// which leaves out other programs. That suits methods that never wait. If CPU is nil, or
	// Elapsed is true, costs are elapsed time.
	CPU     func() time.Duration
	Thread  func() time.Duration // that the calling thread has used: the wait for a start does not count
	Elapsed bool

	// Call, if not nil, returns for each worker a function to call after each draw, whose time
	// counts, and one that ends it. The worker's goroutine calls Call.
	Call func() (call, close func())
}

// A Turn is the result of one turn of a method.
type Turn struct {
	Values  int           // of all workers
	Elapsed time.Duration // while they drew
	CPU     time.Duration // that this process used meanwhile, 0 if the plan has no CPU
}

// NS returns the elapsed ns per value.
func (t Turn) NS() float64 { return float64(t.Elapsed) / float64(t.Values) }

// CoreNS returns the CPU time per value in ns, of all goroutines on all cores.
func (t Turn) CoreNS() float64 { return float64(t.CPU) / float64(t.Values) }

// Cores returns how many cores the process kept busy.
func (t Turn) Cores() float64 { return float64(t.CPU) / float64(t.Elapsed) }

// Usable returns how many cores this process can keep busy: GOMAXPROCS, or the machine's cores or
// the limit of its control group, where that is less.
func Usable() float64 {
	n := float64(min(runtime.GOMAXPROCS(0), runtime.NumCPU()))
	if limit := cgroup.ReadQuota(os.DirFS("/")).CPUs(); limit > 0 {
		n = min(n, limit)
	}
	return n
}

// Measure makes one turn of m: it opens m, and its workers draw for the plan's time.
func (p Plan) Measure(m Method) (Turn, error) {
	if m.Alone {
		p.Call = nil
	}
	p.Warmup = max(p.Warmup, m.Warmup)

	var src Source
	var err error
	if panicked := try(func() { src, err = m.Open() }); panicked != nil || err != nil {
		return Turn{}, errors.Join(panicked, err)
	}
	defer src.Close()

	crew := newCrew(p)

	var ready, ended sync.WaitGroup
	ready.Add(len(crew))
	for _, w := range crew {
		ended.Go(func() { w.run(src, ready.Done) })
	}
	ready.Wait()

	var turn Turn
	if crew.err() == nil {
		turn = crew.draw(p)
	}

	for _, w := range crew {
		close(w.heats)
	}
	ended.Wait()

	return turn, crew.err()
}

// By returns the plan with n goroutines.
func (p Plan) By(n int) Plan {
	p.Workers = n
	return p
}

// Calling returns the plan with a call after each draw.
func (p Plan) Calling(call func() (call, close func())) Plan {
	p.Call = call
	return p
}
