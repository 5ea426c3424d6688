// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package turn

import (
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

// advance brings the kernel to now, and takes what has been used since.
func (k *kernel) advance(now time.Time, used time.Duration) {
	for !now.Before(k.refill) {
		k.left = k.Time
		k.refill = k.refill.Add(k.Period)
	}
	if k.left -= used; k.left <= 0 {
		k.throttled++
		k.left = 0
	}
}

// A process is workers that compute whenever they don't sleep, and a rest that computes a little
// all the time.
type process struct {
	workers int
	rest    float64 // of a CPU
	pause   func(now time.Time, used time.Duration) time.Duration

	now    time.Time
	wakes  []time.Time   // of each worker
	used   time.Duration // by all
	worked time.Duration // by the workers
}

// run lets the process run for d, in steps of 0.1 ms. A worker asks for its pause after four.
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
		p.worked += used
		used += time.Duration(2 * r.Float64() * p.rest * float64(step))
		p.used += used
		k.advance(p.now, used)
	}
}

// The kernel never stops a process whose workers keep the pace, whenever its periods begin and
// however often the workers have nothing to do; and they use nearly all that the rest leaves.
// Without a pace the process is stopped.
func TestPace(t *testing.T) {
	for name, c := range map[string]struct {
		time, period time.Duration // of the quota, in ms
		workers      int
		rest         float64 // of a CPU
		used         float64 // of the quota, at least
	}{
		"half a CPU":                {time: 50, period: 100, workers: 1, rest: 0.02, used: 0.93},
		"half a CPU, two workers":   {time: 50, period: 100, workers: 2, rest: 0.02, used: 0.93},
		"half a CPU, half for rest": {time: 50, period: 100, workers: 1, rest: 0.25, used: 0.93},
		"1.5 CPUs":                  {time: 150, period: 100, workers: 2, rest: 0.05, used: 0.93},
		"1.5 CPUs, 0.9 for rest":    {time: 150, period: 100, workers: 2, rest: 0.9, used: 0.93},
		"a tenth of a CPU":          {time: 10, period: 100, workers: 1, rest: 0.01, used: 0.87},
		"3.5 CPUs":                  {time: 350, period: 100, workers: 4, rest: 0.1, used: 0.93},
		"short periods":             {time: 12, period: 20, workers: 1, rest: 0.02, used: 0.86},
	} {
		t.Run(name, func(t *testing.T) {
			quota := cgroup.Quota{Time: c.time * time.Millisecond, Period: c.period * time.Millisecond}
			r := rand.New(rand.NewPCG(1, 2))
			upToPeriods := func(n int64) time.Duration { return time.Duration(r.Int64N(n * int64(quota.Period))) }
			start := time.Unix(1e9, 0)
			for range 20 {
				k := kernel{Quota: quota, left: quota.Time, refill: start.Add(upToPeriods(1))}
				pacer := pacer{quota: quota}
				p := process{workers: c.workers, rest: c.rest, pause: pacer.pause, now: start}
				p.run(&k, r, 2*time.Second)
				if can := 2 * quota.CPUs(); p.used.Seconds() < c.used*can || p.worked < p.used/4 {
					t.Errorf("of %.2f s %v are used, %v of it by workers; want %v of it", can, p.used, p.worked, c.used)
				}

				for range 20 { // work comes and goes
					idle := process{rest: c.rest, now: p.now, used: p.used}
					idle.run(&k, r, upToPeriods(3))
					p.now = idle.now
					p.used = idle.used
					p.run(&k, r, upToPeriods(3))
				}
				if k.throttled > 0 {
					t.Errorf("stopped in %d steps", k.throttled)
				}

				control := process{workers: c.workers, rest: c.rest, now: start}
				control.pause = func(time.Time, time.Duration) time.Duration { return 0 }
				control.run(&k, r, time.Second)
				if k.throttled == 0 {
					t.Error("control: without a pace the kernel stops nobody")
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
