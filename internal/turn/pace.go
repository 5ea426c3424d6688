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

// A process that has used up its CPU quota is stopped as a whole until the next period begins, so
// that for up to 100 ms nothing answers. Goroutines with turns sleep before that happens: together
// they use what the rest of the process leaves of quotaShare of the quota.
//
// As the kernel's periods may begin at any time, in every span of that length the process uses at
// most quotaShare, maxAhead and minDebt of the quota together, unless the rest uses more at once.
const (
	quotaShare = 0.94  // part of the quota that the process may use
	maxAhead   = 0.015 // part that may be used ahead of an even pace, as sleeps end late
	minDebt    = 0.025 // part that must be used too early before a sleep, as sleeps cost time
)

// A pacer computes how long to sleep so that CPU time is used no faster than an allowance grows: by
// quotaShare of the quota in a period. What is not used is lost, but for a first burst.
type pacer struct {
	quota cgroup.Quota

	at      time.Time     // of the last call of pause
	used    time.Duration // CPU time of the process then
	allowed float64       // CPU time that may be used, in nanoseconds since the process began

	// After a period without computing, the quota of a whole period is left, but for what the rest
	// of the process used. Three quarters of it may be used at once. During the next period the
	// allowance then grows by so much less, and the unused part of the burst decays.
	burst float64
	began time.Time
}

// fair returns the CPU time, in nanoseconds, that may be used evenly in a period. It leaves room
// for slices, as a goroutine notices only after one that it has used too much: under a small quota
// that is more than quotaShare leaves.
func (p *pacer) fair() float64 {
	q := float64(p.quota.Time)
	late := 2 * float64(slice) * float64(p.quota.Whole())
	return max(q/2, min(quotaShare*q, q-(maxAhead+minDebt)*q-late))
}

// pause returns how long a goroutine shall sleep at now, if the process has used that much CPU
// time.
func (p *pacer) pause(now time.Time, used time.Duration) time.Duration {
	period := float64(p.quota.Period)
	fair := p.fair()

	gap := now.Sub(p.at)
	startsOver := p.at.IsZero() || gap < 0
	if startsOver || gap >= p.quota.Period {
		p.burst = 0
		p.began = now
		if !startsOver { // else what the rest uses is unknown
			periods := float64(gap) / period
			p.burst = max(0, fair-float64(used-p.used)/periods) * 3 / 4
		}
		p.allowed = float64(used) + p.burst
	}

	last := p.at
	p.at = now
	p.used = used
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
		p.allowed += slow * float64(until.Sub(last))
		last = until
	}
	p.allowed += rate * float64(now.Sub(last))

	ahead := maxAhead * float64(p.quota.Time)
	if now.Before(end) {
		ahead = max(ahead, p.burst*float64(end.Sub(now))/period)
		rate = max(slow, rate/8)
	}
	p.allowed = min(p.allowed, float64(used)+ahead)
	p.allowed = max(p.allowed, float64(used)-fair) // forget debts of more than a period, made by the rest

	debt := float64(used) - p.allowed
	if debt < minDebt*float64(p.quota.Time) {
		return 0
	}
	return min(time.Duration(debt/rate), p.quota.Period)
}

// refresh is how often the quota is read again: it changes when a container is resized.
const refresh = 5 * time.Second

var start = time.Now()

// pace is the process's pacer.
var pace struct {
	once  sync.Once
	cores atomic.Int64 // the quota in CPUs, rounded up; 0 if it is no less than the machine's
	next  atomic.Int64 // when to read the quota again, in nanoseconds since start

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

// quotaPause returns how long to sleep at now.
func quotaPause(now time.Time) time.Duration {
	at := int64(now.Sub(start))
	next := pace.next.Load()
	due := at >= next || next-at > int64(refresh) // as a bubble of testing/synctest may have set it
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
