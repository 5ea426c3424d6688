// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package seeds

// How likely it is that two of some clients draw the same state, each evenly and on its own: the birthday problem.

import "math"

const (
	// states31 is how many sequences math/rand.NewSource has: it takes a seed modulo 2^31 - 1, and 0 for 89482311.
	states31 = 1<<31 - 2
	// states128 is how many package seeded has.
	states128 = 1 << 128
)

// Collide is the probability that two of the clients have the same of so many states, exact but for rounding: one less the
// product of 1 - i/states for all i below clients.
func Collide(clients int, states float64) float64 {
	all := 0.0
	for i := 1; i < clients; i++ {
		all += math.Log1p(-float64(i) / states)
	}
	return -math.Expm1(all)
}

// Half is how many clients collide with probability 1/2, to one part in the square root of states.
func Half(states float64) float64 { return math.Ceil(0.5 + math.Sqrt(0.25+2*math.Ln2*states)) }
