// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package turn

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"fount/internal/cgroup"
)

// refresh is how often the quota is read again: it changes when a container is resized.
const refresh = 5 * time.Second

// pace is this process's, shared by all computing goroutines.
var pace struct {
	paced atomic.Bool  // there is a quota that is less than the CPUs
	cores atomic.Int64 // the quota's, rounded up; 0: none
	next  atomic.Int64 // when the quota is read, in Unix nanoseconds
	once  sync.Once

	mu sync.Mutex
	pacer
}

// Cores returns how many goroutines can compute at once: GOMAXPROCS, or fewer if the quota of the process's control
// group is less than that.
func Cores() int {
	pace.once.Do(readQuota)
	n := runtime.GOMAXPROCS(0)
	if c := int(pace.cores.Load()); c > 0 {
		n = min(n, c)
	}
	return n
}

// paused returns how long to sleep at now.
func paused(now time.Time) time.Duration {
	if next := pace.next.Load(); due(now, next) && pace.next.CompareAndSwap(next, now.Add(refresh).UnixNano()) {
		readQuota()
	}
	if !pace.paced.Load() {
		return 0
	}
	used := processTime()
	pace.mu.Lock()
	defer pace.mu.Unlock()
	return pace.pause(now, used)
}

// due reports whether the quota is to be read, also if the clock has been set back.
func due(now time.Time, next int64) bool {
	left := next - now.UnixNano()
	return left <= 0 || left > int64(refresh)
}

func readQuota() {
	if processTime == nil {
		return
	}
	q := cgroup.ReadQuota(os.DirFS("/"))
	pace.mu.Lock()
	defer pace.mu.Unlock()
	if q.CPUs() >= float64(runtime.NumCPU()) {
		q = cgroup.Quota{}
	}
	if pace.quota != q {
		pace.pacer = pacer{quota: q}
	}
	pace.paced.Store(q.CPUs() > 0)
	pace.cores.Store(int64(q.Whole()))
}
