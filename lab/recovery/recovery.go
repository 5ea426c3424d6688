// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package recovery measures how a login service comes back from an overload when its clients retry. It joins package
// backoff and package password, and is no benchmark of either: what counts is when the service answers again.
//
// For some seconds logins arrive at a quarter of what the service can do, then at twice what it can, then at a quarter
// again: the work that piles up takes it 5 s more at least, so that a run of 15 s shows which service takes longer. A client whose
// login is not answered in time, or is refused, tries again after a delay. Services are mechanisms of package logins; policies of
// the delays are in [Policies].
package recovery

import (
	"time"

	"fount/lab/logins"
)

// Policies of the delays between the attempts of a client. All grow from 100 ms to 10 s.
const (
	NoJitter  = "no jitter"   // 100 ms, 200 ms, 400 ms, ...
	ClockSeed = "clock seed"  // full jitter from math/rand, seeded by the second in which the client begins
	Full      = "full jitter" // package backoff's
)

// Policies are the names of all.
var Policies = []string{NoJitter, ClockSeed, Full}

// Services are the mechanisms that are compared.
var Services = []string{logins.MaxOut, logins.Pool}

// A Config is one run.
type Config struct {
	Service string
	Policy  string
	Obey    bool          // what Retry-After says, before the policy's delay
	Cost    int           // of bcrypt
	Probe   time.Duration // of a closed loop first, which finds the capacity
	Before  time.Duration // at the usual rate
	During  time.Duration // overloaded
	After   time.Duration // at the usual rate again, at most
	Calm    time.Duration // of After in which no client begins that fails: then the run ends early
	Usual   float64       // rate of logins, in parts of the capacity
	Over    float64       // the same, overloaded
	Timeout time.Duration // of an attempt
	Give    time.Duration // after which a client tries no more
	Seed    uint64        // of the arrivals
}

// Usual is a run of that service and policy, 4 s overloaded.
func Usual(service, policy string, obey bool) Config {
	return Config{
		Service: service, Policy: policy, Obey: obey, Cost: 10,
		Probe: time.Second, Before: time.Second, During: 4 * time.Second, After: 15 * time.Second, Calm: 2 * time.Second,
		Usual: 0.25, Over: 2, Timeout: time.Second, Give: time.Minute, Seed: 1,
	}
}

// slot is the length of the parts into which a run is cut.
const slot = 100 * time.Millisecond

// A Result is what one run gave. Names of fields stay; fields may be added.
type Result struct {
	Config
	Capacity float64 // compares a second of a closed loop, before the run
	Clients  int
	Attempts int
	LoggedIn int
	GaveUp   int // or were still trying when the run ended
	Refused  int // attempts that were told at once
	TimedOut int // attempts that had no answer in time

	// Wasted is the attempts that got a hash, or part of one, and no answer in time; of those under way at the end too.
	Wasted int

	// Recovery is the time from the end of the overload to the begin of the last new client whose first attempt failed;
	// nil if they still fail in the last seconds of the run.
	Recovery *float64

	// Peak is the most attempts a second in any 100 ms after the overload, in multiples of the usual rate.
	Peak float64

	Slots []Slot // of 100 ms each
}

// A Slot is what happened in 100 ms.
type Slot struct {
	Attempts int // that began
	Good     int // that were answered in time
}
