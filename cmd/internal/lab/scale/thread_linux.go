// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Threads and their cores on Linux.

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// canPin says that a thread can be bound to a core here.
const canPin = true

// allowed are the numbers of the cores that this process may use, in order.
func allowed() (cpus []int) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil { // ENOSYS under some sandboxes
		for i := range runtime.NumCPU() {
			cpus = append(cpus, i)
		}
		return cpus
	}

	for i := range len(set) * 64 {
		if set.IsSet(i) {
			cpus = append(cpus, i)
		}
	}
	return cpus
}

// pin binds the calling goroutine to a thread and the thread to a core. It never unbinds them: the
// thread ends with the goroutine, and no other goroutine meets it.
func pin(cpu int) error {
	runtime.LockOSThread()
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("sched_setaffinity to CPU %d: %w", cpu, err)
	}
	return nil
}
