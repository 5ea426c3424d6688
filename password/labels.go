// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What a CPU profile tells apart: the algorithm of the hash that a worker computes.

import (
	"context"
	"runtime/pprof"

	"fount/password/internal/sched"
)

// labeled is run with a profiler label, which is gone when it returns.
func (p *Pool) labeled(slot int, tasks []*sched.Task) {
	pprof.SetGoroutineLabels(labels[tasks[0].Kind.Algorithm])
	p.run(slot, tasks)
	pprof.SetGoroutineLabels(context.Background())
}

// labels are all that there are, by algorithm. They are made once, so that setting one stores a pointer.
var labels = func() (made [len(algorithmNames)]context.Context) {
	for a := 1; a < len(algorithmNames); a++ {
		made[a] = pprof.WithLabels(context.Background(), pprof.Labels("algorithm", algorithmNames[a]))
	}
	return made
}()
