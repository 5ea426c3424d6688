// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// What a program does between two draws.

import (
	"runtime"
	"sync"
	"time"
)

// spin does n steps of arithmetic, each of which waits for the one before. It touches no memory.
//
//go:noinline
func spin(n int) {
	var x uint64
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	runtime.KeepAlive(x) // or the loop would be empty
}

// stepsPerMicrosecond is how many steps this core does in 1 µs: the most in 20 looks of 100 µs, as nothing makes it
// faster.
var stepsPerMicrosecond = sync.OnceValue(func() float64 {
	const n = 100_000
	best := 0.0
	for range 20 {
		start := time.Now()
		spin(n)
		best = max(best, n/float64(time.Since(start))*1000)
	}
	return best
})

// steps is the number of steps that take about that time.
func steps(work time.Duration) int {
	if work <= 0 {
		return 0
	}
	return max(1, int(stepsPerMicrosecond()*float64(work)/1000+0.5))
}
