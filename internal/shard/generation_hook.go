// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The twin of generation.go for the tests that move the generation in the middle
// of a draw: its loads are the only places where a draw can see it moved.

//go:build fount_hook

package shard

import (
	"fount/entropy"
	"fount/internal/fresh"
	"fount/pool"
	"fount/uniqueness"
)

// onGeneration, if it is not nil, runs before each generation is loaded. It must
// not block or allocate: a P may be pinned.
var onGeneration func()

func generation() uint64 {
	look()
	return epoch.Load() + uniqueness.Load()
}

func word() uint64 {
	look()
	return uniqueness.Load()
}

func look() {
	if onGeneration != nil {
		onGeneration()
	}
}

// withoutPools leaves out of seeds what is not the kernel's: two clones have the same
// pools, and what time and processor add would hide that they have the rest in common.
var withoutPools bool

func fill(b []byte) {
	if withoutPools {
		entropy.Kernel(b)
	} else {
		fresh.Fill(b)
	}
}

func mixTime(b []byte) {
	if !withoutPools {
		entropy.MixTime(b)
	}
}

func mixCPU(b []byte) {
	if !withoutPools {
		entropy.MixCPU(b)
	}
}

func mixPools(seed *[keySize]byte) {
	if !withoutPools {
		pool.Mix(seed)
	}
}
