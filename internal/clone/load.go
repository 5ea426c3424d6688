// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// The counter that Load reads: where it lies in memory, and how it is replaced without going back.

import (
	"errors"
	"sync/atomic"
)

var (
	counter atomic.Pointer[uint64] // never nil
	trusted atomic.Bool
	fixed   uint64 // never changes; in use until a counter is found (globals are aligned for atomics)
)

func init() { counter.Store(&fixed) }

// retireStep is how far a retired counter is left behind. Load first loads the pointer and then the
// counter, so a goroutine may still read the old counter after it was replaced. Even if that has
// counted 2^32 more events by then, it is less than the new value.
const retireStep = 1 << 32

// maxStart is the first value that is too large for a new counter: it leaves room for retireStep.
const maxStart = 1 << 63

var (
	errBehind = errors.New("its value is less than one already given out, so that values would repeat")
	errLimit  = errors.New("its value is 2^63 or more, so it is not a counter of such events")
)

// install makes Load read c. The caller decides afterwards whether c is trusted. So a goroutine
// that calls Load and then finds Trusted true has c's value, or one of the old counter, with which
// its state is stale.
func install(c *uint64) error {
	switch v := atomic.LoadUint64(c); {
	case v < Load():
		return errBehind
	case v >= maxStart:
		return errLimit
	}
	counter.Store(c)
	return nil
}

// retire replaces the counter by one that never changes, greater than every value up to now. seen
// is the greatest known value. The new counter is not fixed: a goroutine may have loaded that
// pointer long ago, and would read the new value there and a smaller one at its next Load.
func retire(seen uint64) {
	trusted.Store(false)
	last := max(seen, Load()) + retireStep
	counter.Store(&last)
}
