// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// What the kernel accounts of a thread, on Linux.

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

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
