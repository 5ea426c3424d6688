// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The bcrypt load post's table, and the same with a longer run.

import (
	"context"
	"runtime"
)

// makeTable repeats the post's runs, also with more workers and with 1,000 callers, and with the pool.
func makeTable(ctx context.Context, m *maker) error {
	cores := runtime.GOMAXPROCS(0)
	var configs []Config
	add := func(mechanism string, callers, workers int) {
		configs = append(configs, m.closed(mechanism, callers, workers, m.Duration))
	}
	add(MaxOut, 30, 0)
	for workers := range 4 {
		add(Buffered, 30, workers+1)
	}
	for _, callers := range []int{90, 1000} {
		add(MaxOut, callers, 0)
		add(Buffered, callers, cores)
		add(Semaphore, callers, cores)
		add(Pool, callers, cores)
		add(PoolLanes, callers, cores)
	}
	m.of = len(configs)
	for _, c := range configs {
		if _, err := m.add(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// makeWindow lets 1,000 callers ask for a while, and waits until the last has its answer. The throughput does not fall
// with the number of goroutines: when the clock stops, nearly all of their work is under way. A count of what has ended
// by then misses it.
func makeWindow(ctx context.Context, m *maker) error {
	const callers = 1000
	m.of = 5
	throughput := make(map[string]float64)
	for _, of := range []struct{ mechanism, engine string }{
		{MaxOut, ""}, {Buffered, ""}, {MaxOut, Fount}, {Pool, ""}, {PoolLanes, ""},
	} {
		c := m.closed(of.mechanism, callers, runtime.GOMAXPROCS(0), m.Duration)
		if c.Engine = of.engine; of.mechanism == MaxOut {
			c.Workers = 0 // it has no limit
		}
		r, err := m.add(ctx, c)
		if err != nil {
			return err
		}
		throughput[of.mechanism+of.engine] = *r.Finished
	}
	for _, pair := range []struct{ what, goroutines, bounded string }{
		{"x/crypto's bcrypt, throughput of 1,000 goroutines by that of a worker for each core", MaxOut, Buffered},
		{"fount's bcrypt, throughput of 1,000 goroutines by that of the pool with one lane", MaxOut + Fount, Pool},
	} {
		m.study.Conditions = append(m.study.Conditions,
			atLeast(pair.what, 100*throughput[pair.goroutines]/throughput[pair.bounded], 95, "%"))
	}
	return nil
}
