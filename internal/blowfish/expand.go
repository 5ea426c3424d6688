// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

// MaxLanes is the most lanes that run side by side. Six took more time for each
// hash than five on both machines measured.
const MaxLanes = 5

// expand is Blowfish's key schedule in all lanes in work: the words of w into
// the subkeys, then each word of a state, from the first, replaced by
// encrypting, two by two, the two before, beginning with zeros.
func (e *Engine) expand(w *schedules) {
	for i := range e.n {
		for j := range w[i] {
			e.states[i][j] ^= w[i][j]
		}
	}
	kernels[e.n](&e.states)
}

// A kernel replaces the words of the first k states: 26 µs for one, 43 µs for
// five, in which assembly can't be preempted.
type kernel func(s *states)

// inGo are the kernels for any processor, by k.
var inGo = [MaxLanes + 1]kernel{1: expand1, 2: expand2, 3: expand3, 4: expand4, 5: expand5}

// kernels are those for this processor.
var kernels, _ = forThisCPU()
