// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// NEON for arm64. It ran under qemu-user only: its speed is unmeasured.

//go:build arm64 && gc && !purego

package argon2

// fastest returns the level of NEON: Go runs on no arm64 processor without it.
func fastest() int { return 1 }

func assembly(level int, out, x, y *Block, xor bool, z *Block, next *window) {
	compressNEON(out, x, y, xor, z, next)
}

//go:noescape
func compressNEON(out, x, y *Block, xor bool, z *Block, next *window)

// fetchBlock prefetches b.
//
//go:noescape
func fetchBlock(b *Block)
