// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

// The delays one after another, and the draws behind them.

import (
	"time"

	"fount"
)

// Delays is the delays of one operation, in the order they are to be waited. It
// belongs to one goroutine, and to one operation: make one for each, and a new one
// when a connection that had held is lost. The zero value holds none.
type Delays struct {
	policy Policy        // complete
	high   time.Duration // the next delay is below it
	left   int           // delays to come, negative if there is no limit
}

// Delays returns the delays of p: one fewer than p.Attempts, or without end if
// that is 0. It panics if p is invalid, with the error that [Retry] would return.
func (p Policy) Delays() Delays {
	d, err := p.start()
	if err != nil {
		panic(err)
	}
	return d
}

// start is Delays with an error instead of the panic.
func (p Policy) start() (Delays, error) {
	p, err := p.complete()
	if err != nil {
		return Delays{}, err
	}
	d := Delays{policy: p, high: p.Base, left: p.Attempts - 1}
	if p.Jitter == Decorrelated {
		d.high = times(3, p.Base, p.Cap)
	}
	return d, nil
}

// Next draws the next delay: how long to wait between the attempt that failed and
// the next. It returns false if no attempt is to follow. It does not allocate.
func (d *Delays) Next() (delay time.Duration, ok bool) {
	if d.left == 0 {
		return 0, false
	}
	if d.left > 0 {
		d.left--
	}
	if d.policy.Jitter == Decorrelated {
		delay = between(d.policy.Base, d.high)
		d.high = times(3, delay, d.policy.Cap)
	} else {
		delay = between(0, d.high)
		d.high = times(2, d.high, d.policy.Cap)
	}
	return delay, true
}

// between returns a uniform duration in [low, high).
func between(low, high time.Duration) time.Duration { return low + fount.N(high-low) }
