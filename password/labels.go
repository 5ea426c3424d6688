// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What a CPU profile tells apart: the class and the algorithm of the hash that a worker computes.

import (
	"context"
	"runtime/pprof"

	"fount/password/internal/sched"
)

// labeled is run with profiler labels, which are gone when it returns.
func (p *Pool) labeled(slot int, tasks []*sched.Task) {
	pprof.SetGoroutineLabels(labelsFor(tasks))
	p.run(slot, tasks)
	pprof.SetGoroutineLabels(context.Background())
}

// labels are all that there are, by the scheduler's class and by algorithm. None depends on a client's words. They are made
// once, so that setting them stores a pointer.
var labels = makeLabels()

// mixed stands for several classes, of bcrypts that one worker computes side by side.
const mixed = len(rank)

func makeLabels() (made [len(rank) + 1][len(algorithmNames)]context.Context) {
	for a := 1; a < len(algorithmNames); a++ {
		of := func(class string) context.Context {
			return pprof.WithLabels(context.Background(), pprof.Labels("class", class, "algorithm", algorithmNames[a]))
		}
		for class, r := range rank {
			made[r][a] = of(Class(class).String())
		}
		made[mixed][a] = of("mixed")
	}
	return made
}

func labelsFor(tasks []*sched.Task) context.Context {
	class := tasks[0].Class
	for _, t := range tasks[1:] {
		if t.Class != class {
			class = mixed
		}
	}
	return labels[class][tasks[0].Kind.Algorithm]
}
