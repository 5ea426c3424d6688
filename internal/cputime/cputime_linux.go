// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package cputime measures what a computation costs, whatever else the machine does.
package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Thread returns the CPU time that the calling thread has used; outside of Linux, elapsed time. The
// difference of two calls is the cost of what a goroutine did between them if it was locked to its
// thread.
func Thread() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // clock_gettime(2) fails for wrong arguments only
	}
	return time.Duration(t.Nano())
}
