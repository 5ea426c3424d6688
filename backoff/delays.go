// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

// The delays of a policy, one after another.

import (
	"time"

	"fount"
)

// Delays has the delays of one operation, in order. Make new Delays for each operation, and after
// each success of one that goes on, such as a connection that is to be kept. Delays must not be
// used by several goroutines at once. The zero value has no delays.
type Delays struct {
	policy Policy        // with its defaults
	high   time.Duration // the next delay is below it
	left   int           // delays to come; negative if there is no limit
}

// Delays returns the delays of p: p.Attempts-1 of them, or no end of them if p.Attempts is 0. It
// panics if p is invalid, with the error that [Retry] would return.
func (p Policy) Delays() Delays {
	d, err := p.newDelays()
	if err != nil {
		panic(err)
	}
	return d
}

// newDelays is Delays with an error instead of the panic.
func (p Policy) newDelays() (Delays, error) {
	p, err := p.withDefaults()
	if err != nil {
		return Delays{}, err
	}

	d := Delays{policy: p, high: p.Base, left: p.Attempts - 1}
	if p.Jitter == Decorrelated {
		d.high = multiply(3, p.Base, p.Cap)
	}
	return d, nil
}

// Next draws the next delay: how long to wait between the attempt that failed and the next one. ok
// is false if there are to be no more attempts. Next does not allocate.
func (d *Delays) Next() (delay time.Duration, ok bool) {
	if d.left == 0 {
		return 0, false
	}

	if d.left > 0 {
		d.left--
	}

	if d.policy.Jitter == Decorrelated {
		delay = between(d.policy.Base, d.high)
		d.high = multiply(3, delay, d.policy.Cap)
	} else {
		delay = between(0, d.high)
		d.high = multiply(2, d.high, d.policy.Cap)
	}
	return delay, true
}

// between draws a uniform duration in [low, high).
func between(low, high time.Duration) time.Duration { return low + fount.N(high-low) }
