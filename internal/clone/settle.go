// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// Settling: the time after a clone in which the kernel's own generator may not have reseeded yet.

import (
	"sync/atomic"
	"time"
)

// settleTime is how long a clone's kernel may take to reseed. 36 ms have been reported.
const settleTime = 100 * time.Millisecond

var settling struct {
	enabled atomic.Bool
	seen    atomic.Uint64 // the counter at the last call of Settling or Check
	at      atomic.Int64  // when it was first seen with that value
}

var began = time.Now()

// now returns a monotonic time.
func now() time.Duration { return time.Since(began) }

// Settling reports whether the counter changed less than 100 ms ago, if it is one that changes
// before the kernel has reseeded (vmclock); it is false for others. During this time the kernel may
// answer all clones alike, so its bytes should be mixed with the processor's. Settling reads the
// clock: call it once a refill, not for each draw.
func Settling() bool {
	if !settling.enabled.Load() {
		return false
	}
	if v := Load(); v != settling.seen.Load() {
		noteChange(v)
		return true
	}
	return now()-time.Duration(settling.at.Load()) < settleTime
}

// noteChange starts the 100 ms. It stores the time before the value, so that no goroutine sees the
// new value with the old time.
func noteChange(v uint64) {
	settling.at.Store(int64(now()))
	settling.seen.Store(v)
}
