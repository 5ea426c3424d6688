// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"sync/atomic"

	"fount/internal/clone"
)

// generation returns the present generation. States keyed under another one are stale and serve
// nothing. It is the sum of two counters, Reseed's and the clone counter, which only grow (epochStep
// has the one exception), so it changes whenever one of them does.
func generation() uint64 { return epoch.Load() + cloneCounter() }

// cloneCounter returns the part of a generation that Reseed does not change.
func cloneCounter() uint64 { return clone.Load() }

// epoch counts calls of Reseed, in steps of epochStep. It starts at 1, because a state whose memory
// is all zero has generation 0 and must not match.
var epoch atomic.Uint64

func init() { epoch.Store(1) }

// epochStep is more than a kernel's counter grows in a process's life. A checkpoint restored under
// another kernel may find a smaller counter; after the call of Reseed the sum is greater all the
// same. (A dropped counter's value is the process's own, and does not shrink.)
const epochStep = 1 << 32

// Reseed makes every state stale. A draw that begins after Reseed returns uses only bytes keyed
// after it. A draw in progress that has not made its last comparison is made again (see
// maxRedraws).
func Reseed() { epoch.Add(epochStep) }

// A Watch tells whether the generation changed during a value of several draws, as each draw checks
// for itself.
type Watch struct {
	gen     uint64
	counter uint64 // at the last change; not used before maxRedraws of them, so it may begin at 0
	tries   int
}

// NewWatch returns a Watch that starts at the present generation.
func NewWatch() Watch { return Watch{gen: generation()} }

// Moved reports whether the generation has changed since the last call of Moved, or since w was
// made. The caller then draws the value again. After maxRedraws changes Moved ignores Reseed and
// reports only changes of the clone counter, so that the value ends however often Reseed is called.
func (w *Watch) Moved() bool {
	gen := generation()
	if gen == w.gen {
		return false
	}

	w.gen = gen
	before := w.counter
	w.counter = cloneCounter()
	w.tries++
	return w.tries <= maxRedraws || w.counter != before
}
