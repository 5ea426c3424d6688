// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// When the requests of an open loop arrive.

import (
	"iter"
	"time"

	"fount"
)

// arrivals are the intended starts of independent requests, rate a second on average: a Poisson process, whose gaps are
// exponential.
func arrivals(rate float64, until time.Duration) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		for at := 0.0; ; {
			at += fount.ExpFloat64() / rate
			if at >= until.Seconds() || !yield(time.Duration(at*float64(time.Second))) {
				return
			}
		}
	}
}
