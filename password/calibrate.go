// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sort"
	"time"

	"fount/internal/cputime"
)

// Calibrate returns p with its cost raised, so that a hash takes just less than target on one core
// of this machine. If a hash by p takes longer, it returns p. The result is within p's Limits:
// Check accepts it. Calibrate raises bcrypt's and scrypt's Cost, PBKDF2's Iterations, and for
// argon2 the Memory up to 64 MiB (RFC 9106, section 4) and then the Iterations. It computes
// hashes for about eight times the target, and counts the shortest times.
//
// Calibrate on a quiet machine. Other programs slow a hash through the processor's caches, which no
// clock leaves out: beside some that kept all cores busy, Calibrate found three to eight iterations
// of argon2 where eight are right, although it measures CPU time on Linux. On other systems it
// measures elapsed time. Alone in a virtual machine whose host was busy it found 10 to 15. Keep a
// result in the service's configuration instead of calibrating at each start.
//
// The error says what is wrong with target or with p, which must be at least as hard as one of
// OWASP's.
func (p Policy) Calibrate(target time.Duration) (Policy, error) {
	if target <= 0 {
		return p, fmt.Errorf("password: target of %v; want more than 0", target)
	}

	p, err := p.filled()
	if err != nil {
		return p, err
	}
	if !p.meetsOWASP() {
		return p, errors.New("password: policy to calibrate is below OWASP's minimum for its algorithm")
	}

	harder := p
	for range 2 { // again, as a unit may take longer at a higher cost
		tried := harder
		tried.Iterations = max(p.Iterations, harder.Iterations/2) // a unit takes about as long at half of them
		took, units, err := tried.coreTime(target)
		if err != nil {
			return p, err
		}
		harder = p.harder(float64(target) / float64(took) * units)
	}
	return harder, nil
}

// coreTime computes at least five hashes, one after the other, and returns the shortest CPU time
// and a hash's units. Many short ones meet a quiet moment sooner than few long ones.
func (p Policy) coreTime(target time.Duration) (shortest time.Duration, units float64, err error) {
	j, err := p.hashJob([]byte("calibration"))
	if err != nil {
		return 0, 0, err
	}
	defer j.wipe()
	j.threads = 1

	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	shortest = math.MaxInt64
	limit := min(4*target, time.Second)
	start := cputime.Thread()
	for n := 0; n < 5 || n < 100 && cputime.Thread()-start < limit; n++ {
		began := cputime.Thread()
		j.compute()
		shortest = min(shortest, max(1, cputime.Thread()-began))
	}
	return shortest, j.need.units, nil
}

// harder returns the filled p with each cost raised to the greatest multiple of its step that is
// within units and the limits. It lowers no cost.
func (p Policy) harder(units float64) Policy {
	for _, r := range algorithms[p.Algorithm].raises {
		cost := r.field.ofPolicy(&p)
		step := r.step
		old := *cost
		steps := sort.Search(r.max/step-old/step, func(n int) bool {
			*cost = (old/step + 1 + n) * step
			h, err := p.unsalted()
			return err != nil || h.effort(0).units > units
		})

		*cost = max(old, (old/step+steps)*step)
	}
	return p
}
