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
// fair in a period. What is not used is lost, but for a first burst.
type pacer struct {
	quota cgroup.Quota

	at      time.Time     // of the last call of pause
	used    time.Duration // CPU time of the process then
	allowed float64       // CPU time that may be used, in nanoseconds since the process began

	// After a period without computing, the quota of a whole period is left, but for what the rest
	// of the process used. Three quarters of it may be used at once. Until burstEnds, a period
	// later, the allowance grows by so much less, and the unused part of the burst decays.
	burst     float64
	burstEnds time.Time
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
	gap := now.Sub(p.at)
	if p.at.IsZero() || gap < 0 || gap >= p.quota.Period {
		p.restart(now, used)
	} else {
		p.grow(now)
	}
	p.limit(now, float64(used))
	p.at = now
	p.used = used

	debt := float64(used) - p.allowed
	if debt < minDebt*float64(p.quota.Time) {
		return 0
	}

	rate := p.fair() // of a period
	if now.Before(p.burstEnds) {
		rate -= p.burst
	}
	return time.Duration(min(debt/rate, 1) * float64(p.quota.Period))
}

// restart begins a burst, after a period without computing. At the first call, and if the clock was
// set back, the burst is 0: what the rest has used is not known.
func (p *pacer) restart(now time.Time, used time.Duration) {
	p.burst = 0
	if !p.at.IsZero() && now.After(p.at) {
		rest := float64(used-p.used) / p.periods(now.Sub(p.at))
		p.burst = max(0, p.fair()-rest) * 3 / 4
	}
	p.burstEnds = now.Add(p.quota.Period)
	p.allowed = float64(used) + p.burst
}

// grow lets the allowance grow until now.
func (p *pacer) grow(now time.Time) {
	gap := now.Sub(p.at)
	inBurst := max(0, min(gap, p.burstEnds.Sub(p.at)))
	p.allowed += p.fair()*p.periods(gap) - p.burst*p.periods(inBurst)
}

// limit bounds the allowance. Little may be used ahead of the pace, but for what is left of the
// burst, and a debt of more than a period, which the rest made, is forgotten.
func (p *pacer) limit(now time.Time, used float64) {
	ahead := max(maxAhead*float64(p.quota.Time), p.burst*p.periods(p.burstEnds.Sub(now)))
	p.allowed = max(min(p.allowed, used+ahead), used-p.fair())
}

// periods returns d in periods of the quota.
func (p *pacer) periods(d time.Duration) float64 { return float64(d) / float64(p.quota.Period) }

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
