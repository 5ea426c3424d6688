// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Threads and their cores, and what the kernel accounts of a thread, on Linux.

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

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

// pin binds the calling goroutine to a thread and the thread to a core. It never unbinds them: the thread ends with the
// goroutine, and no other goroutine meets it.
func pin(cpu int) error {
	runtime.LockOSThread()
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("sched_setaffinity to CPU %d: %w", cpu, err)
	}
	return nil
}

// threadCPU is the CPU time that this thread has used, exact to 1 ns; getrusage(2) tells it at the last tick, up to 4
// ms before, which is half a turn. The goroutine must be bound to its thread.
func threadCPU() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// openLedger opens the calling thread's accounts, to which the goroutine must be bound. It is nil where the kernel keeps
// none: without CONFIG_SCHED_INFO, and in sandboxes.
func openLedger() *ledger {
	f, err := os.Open("/proc/thread-self/schedstat")
	if err != nil {
		return nil
	}
	l := &ledger{file: f}
	if _, ok := l.read(); !ok {
		f.Close()
		return nil
	}
	return l
}

// A ledger reads a thread's accounts.
type ledger struct{ file *os.File }

// read is the accounts now. ok is false where they can't be read.
func (l *ledger) read() (a accounts, ok bool) {
	if l == nil {
		return accounts{}, false
	}
	var use unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &use) != nil {
		return accounts{}, false
	}
	var text [128]byte
	n, _ := l.file.ReadAt(text[:], 0)
	queued, ok := parseSchedstat(text[:n])
	return accounts{at: time.Now(), cpu: threadCPU(), queued: queued, sleeps: int64(use.Nvcsw)}, ok
}

func (l *ledger) close() {
	if l != nil {
		l.file.Close()
	}
}

// parseSchedstat is the second of three numbers, the ns that a thread was ready and had no CPU
// (Documentation/scheduler/sched-stats.rst). The first, its CPU time, is as of the last tick.
func parseSchedstat(text []byte) (queued time.Duration, ok bool) {
	fields := bytes.Fields(text)
	if len(fields) != 3 {
		return 0, false
	}
	ns, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return time.Duration(ns), err == nil && ns >= 0
}
