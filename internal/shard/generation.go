// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"fount/entropy"
	"fount/internal/fresh"
	"fount/pool"
	"fount/uniqueness"
)

// generation is what a draw compares before and after it copies: a state keyed
// under another generation is not served from. It is the sum of two counters
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
	fresh.Fill(b)
}

// mixTime and mixCPU are those of package entropy.
func mixTime(b []byte) {
	if !kernelAlone {
		entropy.MixTime(b)
	}
}

func mixCPU(b []byte) {
	if !kernelAlone {
		entropy.MixCPU(b)
	}
}

// mixPools adds 32 bytes of the pools to a seed.
func mixPools(seed *[keySize]byte) {
	if !kernelAlone {
		pool.Mix(seed)
	}
}
