// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package load

// The bcrypt load post's table, and what a longer run makes of it.

import (
	"context"
	"runtime"
	"time"
)

// makeTable repeats the post's runs, with more workers too, and with 1,000 callers, and lets the pool do the same.
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

// makeWindow makes the same runs short and long. The CPU's throughput hardly falls with the number of goroutines,
// so that a run which is longer than all of them need together shows nothing of what each of them waits: that is
// the falsifier of whoever counts compares only.
func makeWindow(ctx context.Context, m *maker) error {
	const callers = 1000
	m.of = 8
	for _, mechanism := range []string{MaxOut, Buffered, Pool, PoolLanes} {
		workers := runtime.GOMAXPROCS(0)
		if mechanism == MaxOut {
			workers = 0 // it has no limit
		}
		for _, d := range []time.Duration{m.share(5, 60), m.Duration} {
			if _, err := m.add(ctx, m.closed(mechanism, callers, workers, d)); err != nil {
				return err
			}
		}
	}
	return nil
}
