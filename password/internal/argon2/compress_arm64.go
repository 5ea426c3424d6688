// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// NEON for arm64. It ran under qemu-user only: no arm64 machine was at hand, and its speed is unmeasured.

//go:build arm64 && gc && !purego

package argon2

// ladder names the implementations, each meant to be faster than the one before it.
var ladder = []string{"portable", "NEON"}

const neon = 1

// fastest is NEON, as Go runs on no arm64 processor without it.
func fastest() int { return neon }

func compressAt(level int, out, x, y *Block, xor bool, z *Block, next *window) {
	if level == neon {
		compressNEON((*[words]uint64)(out), (*[words]uint64)(x), (*[words]uint64)(y), xor, (*[words]uint64)(z), next)
		return
	}
	compressGeneric(out, x, y, xor, z)
	next.follow(out)
}

//go:noescape
func compressNEON(out, x, y *[words]uint64, xor bool, z *[words]uint64, next *window)

// fetch has the processor load b, which is read soon.
func fetch(b *Block) { fetchBlock((*[words]uint64)(b)) }

//go:noescape
func fetchBlock(b *[words]uint64)
