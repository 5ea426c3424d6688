// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import (
	"runtime"
	"sync"
	"time"
)

// times is how long k lanes take, relative to one, by k.
type times [MaxLanes + 1]float64

// relativeInGo is that of Go code: medians on one core.
var relativeInGo = times{1: 1, 2: 1.10, 3: 1.22, 4: 1.44, 5: 1.85}

// relative is what this processor takes, measured when it is first asked for: processors differ too
// much for a table of one of them.
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

// rounds are how often measure runs each width: 4 ms together.
const rounds = 24

// measure returns the least that each width took, in turns: a disturbed run only takes longer.
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
		t[k] = max(t[k]/one, t[k-1]) // two lanes in 0.99 times one's time are noise
	}
	return t
}

// plausible reports whether more lanes take no less time, and no more than one by one. They do if
// the clock stands still, or another program took the core in each round.
func (t *times) plausible() bool {
	for k := 1; k <= MaxLanes; k++ {
		if !(t[k] >= 1 && t[k] <= float64(k)) { // also false for NaN
			return false
		}
	}
	return true
}

// best returns the number of lanes with the least time for each hash, or the usual one, unless a
// wider batch takes 2 % less, as measurements differ by 1 %, or a narrower one 10 %. Whoever shares
// the core while this is measured takes from wide batches and leaves one lane as it is: of 1200
// measurements on a Sapphire Rapids 472 had four lanes for the best and 6 three, which do 6 and 25
// % less than five once the core is free.
func (t *times) best(usual int) int {
	best := usual
	for k := 1; k <= MaxLanes; k++ {
		enough := 0.98
		if k < usual {
			enough = 0.9
		}
		each := t[k] / float64(k)
		if each < enough*t[usual]/float64(usual) && each < t[best]/float64(best) {
			best = k
		}
	}
	return best
}

// Best returns the number of lanes with the least time for each hash, or one with hardly more. It
// is the same as long as the process lives, and the first call takes 4 ms.
func Best() int {
	_, assumed := forThisCPU()
	t := relative()
	return t.best(assumed.best(1))
}

// Relative returns the time of k lanes side by side, 1 to MaxLanes, relative to that of one alone,
// as Best knows it.
func Relative(k int) float64 { return relative()[k] }
