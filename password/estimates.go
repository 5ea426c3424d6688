// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "time"

// Estimates are what a Pool believes of the hashes to come.
type Estimates struct {
	Wait  time.Duration // until all that waits and runs now is done
	Kinds []Estimate    // at most 71, in the order in which they were first seen
}

// An Estimate is how long hashes of one kind take.
type Estimate struct {
	Policy Policy        // its Algorithm and the costs that this uses; without costs: several kinds together
	Alone  time.Duration // one by itself
	Drain  time.Duration // by how much one more makes Wait longer, while others wait
}

// Estimates returns what is believed now. Stats has the same with all that was counted, and takes ten times as long. What Formats
// compute is only there: no Policy says what that is.
func (p *Pool) Estimates() Estimates {
	kinds, wait := p.sched.Estimates()
	e := Estimates{Wait: wait, Kinds: make([]Estimate, 0, len(kinds))}
	for _, k := range kinds {
		own := Policy{Algorithm: Algorithm(k.Algorithm)}
		switch own.Algorithm {
		case Foreign:
			continue
		case Bcrypt:
			own.Cost = int(k.Cost[0])
		case Argon2id, Argon2i, Argon2d:
			own.Memory, own.Iterations, own.Parallelism = int(k.Cost[0]), int(k.Cost[1]), int(k.Cost[2])
		case Scrypt:
			own.Cost, own.BlockSize, own.Parallelism = int(k.Cost[0]), int(k.Cost[1]), int(k.Cost[2])
		default:
			own.Iterations = int(k.Cost[0])
		}
		e.Kinds = append(e.Kinds, Estimate{own, k.Alone, k.Drain})
	}
	return e
}
