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

var start = time.Now()

// pace is this process's, shared by all computing goroutines.
var pace struct {
	once  sync.Once
	cores atomic.Int64 // the quota's, rounded up; 0: there is none that is less than the CPUs
	next  atomic.Int64 // when the quota is read, in nanoseconds since start

	mu sync.Mutex
	pacer
}

// Cores returns how many goroutines can compute at once: GOMAXPROCS, or fewer if the quota of the
// process's control group is less than that.
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
	at := int64(now.Sub(start))
	next := pace.next.Load()
	due := at >= next || next-at > int64(refresh) // who has run in a testing/synctest bubble set it
	if due && pace.next.CompareAndSwap(next, at+int64(refresh)) {
		readQuota()
	}
	if pace.cores.Load() == 0 {
		return 0
	}
	used := processTime()
	pace.mu.Lock()
	defer pace.mu.Unlock()
	return pace.pause(now, used)
}

func readQuota() {
	q := cgroup.ReadQuota(os.DirFS("/"))
	pace.mu.Lock()
	defer pace.mu.Unlock()
	if q.CPUs() >= float64(runtime.NumCPU()) {
		q = cgroup.Quota{}
	}
	if pace.quota != q {
		pace.pacer = pacer{quota: q}
	}
	pace.cores.Store(int64(q.Whole()))
}
