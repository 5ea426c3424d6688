// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package probe

import "golang.org/x/sys/unix"

// switched is how often the calling thread lost its CPU before it had done with it.
func switched() int64 {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &usage) != nil {
		return 0
	}
	return int64(usage.Nivcsw)
}

// pin has the calling thread run on the i-th of the CPUs that it may use.
func pin(i int) bool {
	var all, one unix.CPUSet
	if unix.SchedGetaffinity(0, &all) != nil {
		return false
	}
	for cpu, seen := 0, 0; cpu < 8*len(all)*8; cpu++ {
		if !all.IsSet(cpu) {
			continue
		}
		if seen == i {
			one.Set(cpu)
			return unix.SchedSetaffinity(0, &one) == nil
		}
		seen++
	}
	return false
}
