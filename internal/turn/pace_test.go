// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package turn

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"fount/internal/cgroup"
)

// A kernel gives a process its quota at the beginning of each period, as CFS does: what is left of
// the last one is lost, and what runs when nothing is left stops until the next.
type kernel struct {
	cgroup.Quota
	left      time.Duration
	refill    time.Time
	throttled int
}

// to brings the kernel to now, and takes what has been used since.
func (k *kernel) to(now time.Time, used time.Duration) {
	for !now.Before(k.refill) {
		k.left = k.Time
		k.refill = k.refill.Add(k.Period)
	}
	if k.left -= used; k.left <= 0 {
		k.throttled++
		k.left = 0
	}
}

// A process is workers who compute whenever they don't sleep, and a rest that does a little each
// millisecond.
type process struct {
	workers int
	rest    float64 // of a CPU
	pause   func(now time.Time, used time.Duration) time.Duration

	now    time.Time
	wakes  []time.Time
	used   time.Duration // by all
	hashed time.Duration // by workers
}

// run lets the process run, in steps of 0.1 ms; a worker asks for its pause after four of them.
func (p *process) run(k *kernel, r *rand.Rand, d time.Duration) {
	const step = 100 * time.Microsecond
	p.wakes = append(p.wakes, make([]time.Time, p.workers-len(p.wakes))...)
	for n := 0; n < int(d/step); n++ {
		p.now = p.now.Add(step)
		var used time.Duration
		for i := range p.workers {
			if p.now.Before(p.wakes[i]) {
				continue
			}
			used += step
			if (n+i)%4 == 0 {
				if d := p.pause(p.now, p.used+used); d > 0 {
					late := time.Duration(r.Int64N(int64(time.Millisecond)))
					p.wakes[i] = p.now.Add(d + late)
				}
			}
		}
		p.hashed += used
		used += time.Duration(2 * r.Float64() * p.rest * float64(step))
		p.used += used
		k.to(p.now, used)
	}
}

// The kernel never stops a process whose workers keep the pace, whatever its periods begin with and
// however often they have nothing to do; and they use nearly all that the rest leaves. Without it,
// it is stopped in each period.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		quota   cgroup.Quota
		workers int
		rest    float64
		part    float64 // of the quota, to be used at least
	}{
		{cgroup.Quota{Time: 50e6, Period: 100e6}, 1, 0.02, 0.93},
		{cgroup.Quota{Time: 50e6, Period: 100e6}, 2, 0.02, 0.93},
		{cgroup.Quota{Time: 50e6, Period: 100e6}, 1, 0.25, 0.93},
		{cgroup.Quota{Time: 150e6, Period: 100e6}, 2, 0.05, 0.93},
		{cgroup.Quota{Time: 150e6, Period: 100e6}, 2, 0.9, 0.93},
		{cgroup.Quota{Time: 10e6, Period: 100e6}, 1, 0.01, 0.87},
		{cgroup.Quota{Time: 350e6, Period: 100e6}, 4, 0.1, 0.93},
		{cgroup.Quota{Time: 12e6, Period: 20e6}, 1, 0.02, 0.86},
	} {
		t.Run(fmt.Sprintf("%v of %v, %d workers, rest %v", c.quota.Time, c.quota.Period, c.workers, c.rest), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			start := time.Unix(1e9, 0)
			for range 20 {
				k := kernel{Quota: c.quota, left: c.quota.Time, refill: start.Add(time.Duration(r.Int64N(int64(c.quota.Period))))}
				pacer := pacer{quota: c.quota}
				p := process{workers: c.workers, rest: c.rest, pause: pacer.pause, now: start}
				p.run(&k, r, 2*time.Second)
				if can := 2 * c.quota.CPUs(); p.used.Seconds() < c.part*can || p.hashed < p.used/4 {
					t.Errorf("of %.2f s %v are used, %v of it by workers; want %v of it", can, p.used, p.hashed, c.part)
				}
				for range 20 { // work comes and goes
					idle := process{workers: 0, rest: c.rest, now: p.now, used: p.used}
					idle.run(&k, r, time.Duration(r.Int64N(int64(3*c.quota.Period))))
					p.now = idle.now
					p.used = idle.used
					p.run(&k, r, time.Duration(r.Int64N(int64(3*c.quota.Period))))
				}
				if k.throttled > 0 {
					t.Errorf("stopped in %d steps", k.throttled)
				}

				control := process{workers: c.workers, rest: c.rest, now: start}
				control.pause = func(time.Time, time.Duration) time.Duration { return 0 }
				control.run(&k, r, time.Second)
				if k.throttled == 0 {
					t.Error("negative control: without a pace the kernel stops nobody")
				}
			}
		})
	}
}

// A hash on a machine that has done nothing may use what the last period left: three quarters of a
// quota at once. The next one has to keep the pace.
func TestPaceBurst(t *testing.T) {
	p := pacer{quota: cgroup.Quota{Time: 50e6, Period: 100e6}}
	now := time.Unix(1e9, 0)
	atOnce := func() (used time.Duration) {
		for p.pause(now, p.used) == 0 {
			const step = 100 * time.Microsecond
			now = now.Add(step)
			used = used + step
			p.used = p.used + step
		}
		return used
	}

	if first := atOnce(); first > 10*time.Millisecond {
		t.Errorf("%v at once, when nothing is known of the process; want 10 ms at most", first)
	}

	now = now.Add(time.Second)
	if free := atOnce(); free < 35*time.Millisecond || free > 50*time.Millisecond {
		t.Errorf("%v at once, after a pause; want 35 to 50 ms", free)
	}
	now = now.Add(50 * time.Millisecond)
	if again := atOnce(); again > 10*time.Millisecond {
		t.Errorf("%v at once, 50 ms later; want 10 ms at most", again)
	}
}

// What the rest of the process uses is not held against the workers for longer than a period.
func TestPaceForgets(t *testing.T) {
	p := pacer{quota: cgroup.Quota{Time: 50e6, Period: 100e6}}
	now := time.Unix(1e9, 0)
	used := time.Duration(0)
	for range 1000 { // 10 s in which the rest uses all there is
		now = now.Add(10 * time.Millisecond)
		used = used + 5*time.Millisecond
		p.pause(now, used)
	}

	var slept time.Duration
	for d := p.pause(now, used); d > 0; d = p.pause(now, used) {
		now = now.Add(d)
		slept = slept + d
	}
	if slept > 2*p.quota.Period {
		t.Errorf("%v until the workers go on; want two periods at most", slept)
	}
}
