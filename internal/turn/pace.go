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

// A process that has used up its quota is stopped as a whole until the next period begins: for up
// to 100 ms nothing answers. So computing goroutines sleep before that: together they use what the
// rest of the process leaves of share of the quota, and the rest never notices.
//
// The kernel's periods are not ours, so the promise is for every span of one period: the process
// uses no more than share, lead and owe of the quota in it, what the rest does at once excepted.
const (
	share = 0.94  // of the quota, for the whole process
	lead  = 0.015 // of the quota: so much may be used ahead of an even pace, for sleeps are late
	owe   = 0.025 // of the quota: so much is used before a sleep, for each costs processor time
)

// A pacer says how long to sleep so that CPU time is used evenly: no faster than a line that rises
// by share of the quota in a period. Use below it is not saved up, but for a first burst.
type pacer struct {
	quota cgroup.Quota

	at   time.Time
	used time.Duration // CPU time of the process
	line float64       // up to which it may be used, in ns

	// After a period in which nobody computed, the quota of the last one is there, less what the
	// rest took. Three quarters of it may be used at once, and the line rises by as much less until
	// a period is over, when it is as if there had been no burst. What is not used at once fades
	// until then.
	burst float64
	began time.Time
}

// fair returns the CPU time, in ns, that a period's even use may come to. A worker is over it by a
// slice before it looks, and where quotas are small that is more than share leaves.
func (p *pacer) fair() float64 {
	q := float64(p.quota.Time)
	late := 2 * float64(slice) * float64(p.quota.Whole())
	return max(q/2, min(share*q, q-(lead+owe)*q-late))
}

// pause returns how long a computing goroutine has to sleep, at now, when the process has used that
// much CPU time.
func (p *pacer) pause(now time.Time, used time.Duration) time.Duration {
	period := float64(p.quota.Period)
	fair := p.fair()
	if gap := now.Sub(p.at); p.at.IsZero() || gap >= p.quota.Period || gap < 0 {
		p.burst, p.began = 0, now
		if gap >= p.quota.Period && !p.at.IsZero() { // else it is not known what the rest takes
			periods := float64(gap) / period
			p.burst = max(0, fair-float64(used-p.used)/periods) * 3 / 4
		}
		p.line = float64(used) + p.burst
	}
	last := p.at
	p.at, p.used = now, used
	rate := fair / period
	end := p.began.Add(p.quota.Period)
	slow := max(0, rate-p.burst/period)
	if last.Before(p.began) {
		last = p.began
	}
	if last.Before(end) {
		until := now
		if end.Before(now) {
			until = end
		}
		p.line += slow * float64(until.Sub(last))
		last = until
	}
	p.line += rate * float64(now.Sub(last))

	ahead := lead * float64(p.quota.Time)
	if now.Before(end) {
		ahead = max(ahead, p.burst*float64(end.Sub(now))/period)
		rate = max(slow, rate/8)
	}
	p.line = min(p.line, float64(used)+ahead)
	p.line = max(p.line, float64(used)-fair) // the rest's debts are not ours for ever
	debt := float64(used) - p.line
	if debt < owe*float64(p.quota.Time) {
		return 0
	}
	return min(time.Duration(debt/rate), p.quota.Period)
}

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
