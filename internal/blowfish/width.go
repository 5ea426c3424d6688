// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import (
	"runtime"
	"sync"
	"time"
)

// times has the time of k lanes, relative to one, by k.
type times [MaxLanes + 1]float64

// relativeInGo has the times of inGo: medians on one core.
var relativeInGo = times{1: 1, 2: 1.10, 3: 1.22, 4: 1.44, 5: 1.85}

// relative returns the times of this processor. The first call measures them: processors differ too
// much for a table.
var relative = sync.OnceValue(func() times {
	kernels, assumed := forThisCPU()
	s := new(states)
	*s = states{initial, initial, initial, initial, initial}
	t := measure(func(k int) time.Duration {
		began := time.Now()
		kernels[k](s)
		return time.Since(began)
	})

	if !t.plausible() {
		return assumed
	}
	return t
})

// rounds is how often measure runs each number of lanes: 4 ms together.
const rounds = 24

// measure returns the shortest time of each number of lanes, as a disturbed run only takes longer.
// It alternates between them.
func measure(run func(k int) time.Duration) (t times) {
	for range rounds {
		for k := 1; k <= MaxLanes; k++ {
			if took := float64(run(k)); t[k] == 0 || took < t[k] {
				t[k] = took
			}
		}
		runtime.Gosched()
	}

	one := t[1]
	for k := 1; k <= MaxLanes; k++ {
		t[k] = max(t[k]/one, t[k-1]) // a shorter time for more lanes is noise
	}
	return t
}

// plausible reports whether k lanes take as long as one to k. They don't if the clock stands still,
// or if another program had the core in each round.
func (t *times) plausible() bool {
	for k := 1; k <= MaxLanes; k++ {
		if !(t[k] >= 1 && t[k] <= float64(k)) { // also false for NaN
			return false
		}
	}
	return true
}

// best returns the number of lanes with the shortest time for each hash. It returns usual unless
// more lanes are 2 % faster, as measurements differ by 1 %, or fewer lanes 10 %: another program on
// the core slows many lanes more than one. Of 1200 measurements on a Sapphire Rapids, 472 had four
// lanes as the best and 6 had three, which are 6 and 25 % slower than five once the core is free.
func (t *times) best(usual int) int {
	best := usual
	for k := 1; k <= MaxLanes; k++ {
		enough := 0.98
		if k < usual {
			enough = 0.9
		}

		each := t[k] / float64(k)
		isFaster := each < enough*t[usual]/float64(usual)
		if isFaster && each < t[best]/float64(best) {
			best = k
		}
	}
	return best
}

// Best returns the number of lanes with about the shortest time for each hash. The first call takes
// 4 ms; all calls of a process return the same.
func Best() int {
	_, assumed := forThisCPU()
	t := relative()
	return t.best(assumed.best(1))
}

// Relative returns the time of k lanes, 1 to MaxLanes, relative to one, as measured for Best.
func Relative(k int) float64 { return relative()[k] }
