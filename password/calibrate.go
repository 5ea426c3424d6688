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

// Calibrate returns p made harder, so that one hash on this machine takes just less than target of
// one core; p itself, if a hash of it takes longer. The result is within p's Limits: Check accepts
// it. Calibrate computes three hashes of p, and two of what their time suggests. It raises bcrypt's
// and scrypt's Cost, PBKDF2's Iterations, and for argon2 the memory up to 64 MiB (RFC 9106, section
// 4) and then the passes.
//
// On Linux it measures CPU time: time in which other programs run does not count. They can still
// slow a hash by what they take of the processor's caches and of a core's hyperthreads, usually by
// less than a fifth. On other systems it measures elapsed time: there, calibrate on a quiet
// machine. Results vary, so keep one in the service's configuration instead of calibrating at each
// start.
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
	for _, times := range []int{3, 2} { // a unit of the harder one may take longer than one of p
		took, units, err := harder.coreTime(times)
		if err != nil {
			return p, err
		}
		harder = p.harder(float64(target) / float64(took) * units)
	}
	return harder, nil
}

// coreTime returns the least time of one core that a hash takes, of so many, and its units.
func (p Policy) coreTime(times int) (least time.Duration, units float64, err error) {
	w, err := p.plan([]byte("calibration"))
	if err != nil {
		return 0, 0, err
	}
	defer w.wipe()
	w.threads = 1
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	least = math.MaxInt64
	for range times {
		began := cputime.Thread()
		w.compute()
		least = min(least, max(1, cputime.Thread()-began))
	}
	return least, w.need.units, nil
}

// harder returns the filled p, which is within its limits, with at most the given units, but no
// fewer than it has. It raises each cost to the greatest multiple of its step that is within these
// and the limits.
func (p Policy) harder(units float64) Policy {
	for _, r := range algorithms[p.Algorithm].raises {
		cost, step := r.field.of(&p), r.step
		old := *cost
		steps := sort.Search(r.most/step-old/step, func(n int) bool {
			*cost = (old/step + 1 + n) * step
			k, err := p.blank()
			return err != nil || k.effort(0).units > units
		})
		*cost = max(old, (old/step+steps)*step)
	}
	return p
}
