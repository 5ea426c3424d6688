// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// Settling: the time after a move in which the kernel's own generator may still be the clone's.

import (
	"sync/atomic"
	"time"
)

// settleTime is how long a clone's kernel may take to reseed after the word moved: 36 ms were seen
// elsewhere.
const settleTime = 100 * time.Millisecond

var settle struct {
	on   atomic.Bool
	seen atomic.Uint64 // the word when Settling or Check looked last
	at   atomic.Int64  // when it was first seen with that value
}

var began = time.Now()

// now is the monotonic time.
func now() time.Duration { return time.Since(began) }

// Settling reports whether less than 100 ms have passed since the word was first seen with its
// value, for a word that moves before the kernel has reseeded (vmclock): bytes drawn from the
// kernel in this time may be those that another clone draws, and should be mixed with the CPU's. It
// is false for other words. It reads the clock: call it in a refill, not in each draw.
func Settling() bool {
	if !settle.on.Load() {
		return false
	}
	if v := Load(); v != settle.seen.Load() {
		sawMove(v)
		return true
	}
	return now()-time.Duration(settle.at.Load()) < settleTime
}

// sawMove counts from now. It stores the time first, so that no goroutine sees the new value with
// the old time.
func sawMove(v uint64) {
	settle.at.Store(int64(now()))
	settle.seen.Store(v)
}
