// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Limits are ceilings on the cost of a hash, whatever computes it. A hash above them is refused
// with ErrCost before any work: anyone who can write to the store could otherwise plant one that
// takes a day, or all memory. A zero field means the default beside it.
type Limits struct {
	// Time is what a hash may take on one core of a machine that computes a bcrypt of cost 10 in 54
	// ms, by portable code: argon2, scrypt and PBKDF2 take a third to a sixth where the processor
	// has instructions for them. Default: 5 s, which is a bcrypt of cost 16, an argon2 of 1 GiB in
	// 4 passes, a scrypt of N = 2^19 with r = 8, or 10,000,000 iterations of PBKDF2.
	Time time.Duration

	// Memory is how many bytes it may hold. Default: 1 GiB.
	Memory int64
}

func (l Limits) filled() Limits {
	return Limits{Time: cmp.Or(l.Time, 5*time.Second), Memory: cmp.Or(l.Memory, 1<<30)}
}

// check returns ErrCost if a kind is above the filled limits for a password of n bytes.
func (l Limits) check(k kind, n int) error {
	if k, ok := k.(own); ok && k.excess() != nil {
		return k.excess()
	}
	need := k.effort(n)
	return l.allow(&need)
}

// allow returns ErrCost for what takes longer or holds more than the filled limits say, or than a
// slice can have.
func (l Limits) allow(need *effort) error {
	what := need.kind.form
	if what == "" {
		what = need.kind.algorithm.String()
	}
	switch most := min(l.Memory, math.MaxInt, largest-1); {
	case need.took < 0 || need.took > l.Time:
		return fmt.Errorf("%w: %s takes about %v, the limit is %v", ErrCost, what, need.took.Round(time.Millisecond), l.Time)
	case need.memory > most:
		return fmt.Errorf("%w: %s needs %d bytes, the limit is %d", ErrCost, what, need.memory, most)
	}
	return nil
}
