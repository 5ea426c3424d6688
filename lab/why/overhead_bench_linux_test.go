// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// What being watched costs a thread that computes.

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkWatched spins 10 ms without and 10 ms with the event of a watcher, in turns, and reports the median of what the
// second took more, by the clock: interrupts are in it, which a kernel may leave out of CPU time. Ten and twenty times the
// rate magnify what a sample costs; stacks of 64 frames are those of a server.
func BenchmarkWatched(b *testing.B) {
	for _, depth := range []int{1, 64} {
		for _, times := range []int{0, 1, 10, 20} { // 0 is the control: nothing is enabled
			b.Run(fmt.Sprintf("frames=%d/rate=%dx", depth, times), func(b *testing.B) { benchmarkWatched(b, depth, times) })
		}
	}
}

func benchmarkWatched(b *testing.B, depth, times int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	attr := eventAttr(true)
	attr.Bits &^= unix.PerfBitInherit // which goes with a ring for a CPU alone
	attr.Sample /= uint64(max(1, times))
	fd, err := unix.PerfEventOpen(&attr, unix.Gettid(), -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		b.Skipf("perf events: %v", err)
	}
	defer unix.Close(fd)
	r, err := newRing(fd)
	if err != nil {
		b.Fatal(err)
	}
	defer r.close()
	n := 1000
	for spin(depth, n) < 10*time.Millisecond {
		n *= 2
	}
	var more []float64
	samples, watched := 0, time.Duration(0)
	for b.Loop() {
		plain := spin(depth, n)
		if times > 0 {
			unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, 0)
		}
		took := spin(depth, n)
		unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_DISABLE, 0)
		r.drain(func(kind uint32, _ []byte) {
			if kind == unix.PERF_RECORD_SAMPLE {
				samples++
			}
		})
		more, watched = append(more, 100*(float64(took)/float64(plain)-1)), watched+took
	}
	slices.Sort(more)
	b.ReportMetric(more[len(more)/2], "%")
	b.ReportMetric(float64(samples)/watched.Seconds(), "samples/s")
}

// spin computes n steps in so many frames and says how long they took.
//
//go:noinline
func spin(depth, n int) time.Duration {
	if depth > 1 {
		return spin(depth-1, n)
	}
	start := time.Now()
	x := uint64(1)
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	took := time.Since(start)
	spun = x
	return took
}

var spun uint64
