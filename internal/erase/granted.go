// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package erase

import "sync/atomic"

// Memory is where New's memory lies and what the system granted for it. A
// protection counts only if it was granted for every New so far.
type Memory struct {
	Place       string `json:"place"`         // "mmap" (off the heap) or "heap"
	WipedOnFork bool   `json:"wiped_on_fork"` // a forked child finds zeros in it
	NotDumped   bool   `json:"not_dumped"`    // core dumps leave it out
	Locked      bool   `json:"locked"`        // it is never swapped out
}

// refused counts, for each protection, the calls of New that did not get it.
var refused struct{ wipe, dump, lock atomic.Int32 }

// Granted reports what holds. It may be called from any goroutine.
func Granted() Memory {
	return Memory{
		Place:       place,
		WipedOnFork: wipeOnFork && refused.wipe.Load() == 0,
		NotDumped:   dontDump && refused.dump.Load() == 0,
		Locked:      canLock && refused.lock.Load() == 0,
	}
}
