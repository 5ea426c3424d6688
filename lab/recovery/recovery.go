// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package recovery measures how a login service comes back from an overload when its clients retry. It joins package
// backoff and package password, and is no benchmark of either: what counts is when the service answers again.
//
// For some seconds logins arrive at a quarter of what the service can do, then at twice what it can, then at a quarter
// again: the work that piles up takes it 13 s more at least, so that a run of 30 s shows which service takes longer. A client whose login is not answered in time, or is refused, tries again after a delay. Services are mechanisms of
// package logins; policies of the delays are in [Policies].
package recovery

import (
	"fmt"
	"slices"
	"time"

	"fount/lab/logins"
)

// Policies of the delays between the attempts of a client. All grow from 100 ms to 10 s.
const (
	NoJitter     = "no jitter"    // 100 ms, 200 ms, 400 ms, ...
	ClockSeed    = "clock seed"   // full jitter from math/rand, seeded by the second in which the client begins
	SameSeed     = "same seed"    // full jitter from math/rand, seeded alike in all clients
	Full         = "full jitter"  // package backoff's
	Decorrelated = "decorrelated" // package backoff's
)

// Policies are the names of all.
var Policies = []string{NoJitter, ClockSeed, SameSeed, Full, Decorrelated}

// Services are the mechanisms that are compared.
var Services = []string{logins.MaxOut, logins.Semaphore, logins.PoolLanes}

// A Config is one run.
type Config struct {
	Service string        `json:"service"`
	Policy  string        `json:"policy"`
	Obey    bool          `json:"obey,omitempty"` // what Retry-After says, before the policy's delay
	Cost    int           `json:"cost"`           // of bcrypt
	Probe   time.Duration `json:"probe_ns"`       // of a closed loop first, which finds the capacity
	Before  time.Duration `json:"before_ns"`      // at the usual rate
	During  time.Duration `json:"during_ns"`      // overloaded
	After   time.Duration `json:"after_ns"`       // at the usual rate again, at most
	Calm    time.Duration `json:"calm_ns"`        // of After in which no client begins that fails: then the run ends early
	Usual   float64       `json:"usual"`          // rate of logins, in parts of the capacity
	Over    float64       `json:"over"`           // the same, overloaded
	Timeout time.Duration `json:"timeout_ns"`     // of an attempt
	Give    time.Duration `json:"give_up_ns"`     // after which a client tries no more
	Seed    uint64        `json:"seed"`           // of the arrivals
}

// Usual is a run of that service and policy, 10 s overloaded.
func Usual(service, policy string, obey bool) Config {
	return Config{
		Service: service, Policy: policy, Obey: obey, Cost: 10,
		Probe: 2 * time.Second, Before: 3 * time.Second, During: 10 * time.Second, After: 30 * time.Second, Calm: 5 * time.Second,
		Usual: 0.25, Over: 2, Timeout: time.Second, Give: time.Minute, Seed: 1,
	}
}

// A run has a slot for each 100 ms and a goroutine for each client, so both are bounded.
const (
	longest = time.Hour
	highest = 1000.0
)

// Check finds what can't be run.
func (c Config) Check() error {
	switch {
	case !slices.Contains(Services, c.Service):
		return fmt.Errorf("%q is no service; use one of %q", c.Service, Services)
	case !slices.Contains(Policies, c.Policy):
		return fmt.Errorf("%q is no policy of delays; use one of %q", c.Policy, Policies)
	case c.Obey && c.Service != logins.PoolLanes:
		return fmt.Errorf("%s sends no Retry-After to obey; %s does", c.Service, logins.PoolLanes)
	case c.Probe <= 0 || c.Before <= 0 || c.During <= 0 || c.After <= 0 || c.Calm <= 0 || c.Timeout <= 0 || c.Give <= 0:
		return fmt.Errorf("a run needs times above 0s, and has %v, %v, %v, %v, %v, %v and %v", c.Probe, c.Before, c.During, c.After, c.Calm, c.Timeout, c.Give)
	case max(c.Probe, c.Before, c.During, c.After, c.Calm, c.Timeout, c.Give) > longest:
		return fmt.Errorf("a run takes times up to %v, and has %v, %v, %v, %v, %v, %v and %v", longest, c.Probe, c.Before, c.During, c.After, c.Calm, c.Timeout, c.Give)
	case !(c.Usual > 0 && c.Over > 0 && max(c.Usual, c.Over) <= highest):
		return fmt.Errorf("rates of %g and %g of the capacity; use rates above 0 and up to %g", c.Usual, c.Over, highest)
	}
	return nil
}

// slot is the length of the parts into which a run is cut.
const slot = 100 * time.Millisecond

// A Result is what one run gave. Names of fields stay; fields may be added.
type Result struct {
	Config   `json:"config"`
	Capacity float64 `json:"capacity_per_s"` // compares a second of a closed loop, before the run
	Clients  int     `json:"clients"`
	Attempts int     `json:"attempts"`
	LoggedIn int     `json:"logged_in"`
	GaveUp   int     `json:"gave_up"`   // or were still trying when the run ended
	Refused  int     `json:"refused"`   // attempts that were told at once
	TimedOut int     `json:"timed_out"` // attempts that had no answer in time

	// Wasted is the attempts that got a hash, or part of one, and no answer in time; of those under way at the end too.
	Wasted int `json:"wasted"`

	// Recovery is the time from the end of the overload to the begin of the last new client whose first attempt failed;
	// nil if they still fail in the last seconds of the run.
	Recovery *float64 `json:"recovery_s"`

	// Peak is the most attempts a second in any 100 ms after the overload, in multiples of the usual rate.
	Peak float64 `json:"peak"`

	Slots []Slot `json:"slots"` // of 100 ms each
}

// A Slot is what happened in 100 ms.
type Slot struct {
	Attempts int `json:"attempts"` // that began
	Good     int `json:"good"`     // that were answered in time
}
