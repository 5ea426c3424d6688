// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// How much of their time threads wait for each other, as far as it can be known without privileges.

import "time"

// accounts are what the kernel has counted of a thread.
type accounts struct {
	at     time.Time
	cpu    time.Duration // that it ran
	queued time.Duration // that it was ready and other threads had its CPU
	sleeps int64         // times that it gave its CPU up
}

// slept is how long the thread slept from a to b: the time that it neither ran nor was ready. A thread that never gave
// its CPU up has not slept, whatever is missing then: a hypervisor may have had the CPU.
func slept(a, b accounts) time.Duration {
	if b.sleeps == a.sleeps {
		return 0
	}
	return max(0, b.at.Sub(a.at)-(b.cpu-a.cpu)-(b.queued-a.queued))
}

// own is the time that the threads of a run had to themselves: they ran or slept. What other programs took is not in it.
func (r turned) own() float64 { return float64(r.cpu + r.slept) }

// asleep is the share of its own time that a run slept.
func (r turned) asleep() float64 { return float64(r.slept) / r.own() }

// waiting is the share of its own time that a run did not need: what its values would have taken at the CPU time that
// one thread alone takes for one, which alone is. It is below 0 where they took less.
func (r turned) waiting(alone turned) float64 { return 1 - float64(r.values)*alone.coreNS()/r.own() }
