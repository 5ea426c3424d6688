// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package cputime measures the CPU time of a computation, whatever else the machine does.
package cputime

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// Thread returns the CPU time that the calling thread has used. If a goroutine is locked to its
// thread, the difference of two calls is the cost of what it did between them. Other systems than
// Linux return elapsed time.
func Thread() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // clock_gettime(2) fails for wrong arguments only
	}
	return time.Duration(t.Nano())
}

// Waited returns for how many seconds the threads of this process were ready to run but had no
// core, or NaN if the system does not tell.
func Waited() float64 {
	names, _ := filepath.Glob("/proc/self/task/*/schedstat") // the pattern is not malformed
	sum := 0.0
	told := false
	for _, name := range names {
		var ran, waited float64
		text, err := os.ReadFile(name) // a thread may have ended
		if n, _ := fmt.Fscan(bytes.NewReader(text), &ran, &waited); err == nil && n == 2 {
			sum += waited / 1e9
			told = true
		}
	}
	if !told {
		return math.NaN()
	}
	return sum
}
