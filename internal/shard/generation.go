// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"fount/entropy"
	"fount/internal/pools"
	"fount/uniqueness"
)

// generation is what a draw compares after it copies: a state keyed under another
// generation is not served from. It is the sum of two counters
// that only grow, so it changes exactly when one of them does: the process's
// epoch, and the uniqueness word, which a clone of the machine moves.
func generation() uint64 {
	look()
	return epoch.Load() + uniqueness.Load()
}

// word is the part of a generation that Reseed does not move.
func word() uint64 {
	look()
	return uniqueness.Load()
}

// fill fills b with bytes that nobody has seen.
func fill(b []byte) {
	if kernelAlone {
		entropy.Kernel(b)
		return
	}
	pools.Fill(b)
}

// fillSeed fills b for a key; a large seed has more in it.
func fillSeed(b []byte, large bool) {
	if kernelAlone {
		entropy.Kernel(b)
		return
	}
	pools.Seed(b, large)
}
