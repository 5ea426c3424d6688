// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

// Limits are ceilings on the cost of a hash. A hash above them is refused with ErrCost, and not
// computed: otherwise anyone who can write to the store could plant one that takes a day, or all
// memory. A zero field means the default beside it.
type Limits struct {
	// Time is how long a hash may take, by portable code on one core of a machine that computes a
	// bcrypt of cost 10 in 54 ms. Where the processor has instructions for them, argon2, scrypt and
	// PBKDF2 take a third to a sixth of it. Default: 5 s, which is a bcrypt of cost 16, an argon2
	// of 1 GiB in 4 passes, a scrypt of N = 2^19 with r = 8, or 10,000,000 iterations of PBKDF2.
	Time time.Duration

	// Memory is how many bytes a hash may hold. Default: 1 GiB.
	Memory int64
}

func (l Limits) filled() Limits {
	return Limits{Time: cmp.Or(l.Time, 5*time.Second), Memory: cmp.Or(l.Memory, 1<<30)}
}

// check returns ErrCost if a hash of a password of n bytes takes longer, or holds more memory, than
// the limits allow, or more than a slice can have.
func (l Limits) check(h hasher, n int) error {
	l = l.filled()
	maxMemory := min(l.Memory, math.MaxInt, maxBytes-1)
	need := h.effort(n)

	switch {
	case need.time < 0 || need.time > l.Time:
		return fmt.Errorf("%w: %s takes about %v, the limit is %v", ErrCost, need.kind.name(), need.time.Round(time.Millisecond), l.Time)
	case need.memory > maxMemory:
		return fmt.Errorf("%w: %s needs %d bytes, the limit is %d", ErrCost, need.kind.name(), need.memory, maxMemory)
	}
	return nil
}
