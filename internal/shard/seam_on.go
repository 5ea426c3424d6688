// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test && fount_look

// This seam alone needs a second tag. With it generation is too large to inline, and a draw costs 1.5 ns
// more; the benchmarks that need fount_test measure draws.

package shard

// onLook, if it is not nil, runs before each load of the generation: only there can a draw see that it has
// moved. It must not block or allocate: a P may be pinned.
var onLook func()

func look() {
	if onLook != nil {
		onLook()
	}
}

// kernelAlone leaves out of seeds all but the kernel's bytes. Two clones have the same pools, and what time
// and processor add would hide that they have the rest in common.
var kernelAlone bool
