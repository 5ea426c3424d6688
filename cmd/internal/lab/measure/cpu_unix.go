// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux || darwin || freebsd

package measure

// The CPU time of this process, where the system tells it.

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessCPU is the CPU time of this process, for a Plan; nil where it is not told, or only to 15
// ms as by Windows. On Linux it costs 0.4 µs and is exact to 1 µs for threads that don't run.
var ProcessCPU = func() time.Duration {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		panic(err) // getrusage(2) fails for wrong arguments only
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
