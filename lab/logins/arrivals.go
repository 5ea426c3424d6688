// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// When the requests of an open loop arrive.

import (
	"iter"
	"math/rand/v2"
	"time"

	"fount"
)

// arrivals are the intended starts of independent requests, rate a second on average: a Poisson process, whose gaps are
// exponential. Package fount draws the gaps if seed is 0, else a generator that repeats them.
func arrivals(rate float64, seed uint64, until time.Duration) iter.Seq[time.Duration] {
	draw := fount.ExpFloat64
	if seed != 0 {
		draw = rand.New(rand.NewPCG(seed, 0)).ExpFloat64
	}
	return func(yield func(time.Duration) bool) {
		for at := 0.0; ; {
			at += draw() / rate
			if at >= until.Seconds() || !yield(time.Duration(at*float64(time.Second))) {
				return
			}
		}
	}
}
