// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"sync/atomic"

	"fount/internal/clone"
)

// generation is what a draw compares after it copies: a state keyed under another generation is not
// served from. It is the sum of two counters that only grow, so it changes exactly when one of them
// does: the process's epoch, and the word, which a clone of the machine moves.
func generation() uint64 { return epoch.Load() + word() }

// word is the part of a generation that Reseed does not move.
func word() uint64 { return clone.Load() }

// epoch is the process's reseed epoch. It starts at 1, because a state whose memory is all zero
// carries 0 and must not match.
var epoch atomic.Uint64

func init() { epoch.Store(1) }

// epochStep is what one Reseed adds. It is more than a word moves in a process's life: should the
// word fall back (a checkpoint restored under another kernel, which is when Reseed is called), the
// sum still grows.
const epochStep = 1 << 32

// Reseed makes every state stale: a draw that begins after Reseed returns uses only bytes keyed
// after it, and a draw under way that has not passed its last look is made again (see patience).
func Reseed() { epoch.Add(epochStep) }

// A Watch is for a value of several draws: it compares the generation before and after them, as
// each draw does for itself.
type Watch struct {
	gen, word uint64
	tries     int
}

// NewWatch begins to watch.
func NewWatch() Watch { return Watch{gen: generation()} }

// Moved reports whether the generation has moved since the last call of Moved, or since w was made,
// so that the whole value is to be drawn again. It reports only a few calls of Reseed, so that a
// value ends however often Reseed is called.
func (w *Watch) Moved() bool {
	gen := generation()
	if gen == w.gen {
		return false
	}
	w.gen = gen
	before := w.word
	w.word = word()
	w.tries++
	return w.tries <= patience || w.word != before
}
