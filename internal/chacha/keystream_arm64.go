// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// NEON for arm64. It ran under qemu-user only: no arm64 machine was at hand, and its speed is
// unmeasured.

//go:build arm64 && gc && !purego

package chacha

// implementations has the names of the implementations, each meant to be faster than the one before
// it.
var implementations = []string{"portable", "NEON"}

const neon = 1

// fastest returns NEON, which every arm64 processor that Go runs on has.
func fastest() (all, refills int32) { return neon, neon }

func keystream(dst []byte, key *[32]byte, counter uint32) {
	if inUse == neon {
		keystreamNEON(dst, key, counter)
	} else {
		keystreamGeneric(dst, key, counter)
	}
}

// keystreamNEON makes 4 blocks at a time, and the rest in a buffer.
func keystreamNEON(dst []byte, key *[32]byte, counter uint32) {
	if n := len(dst) &^ (4*blockSize - 1); n > 0 {
		fillNEON(&dst[0], n, key, counter)
		dst = dst[n:]
		counter += uint32(n / blockSize)
	}
	if len(dst) > 0 {
		var last [4 * blockSize]byte
		fillNEON(&last[0], len(last), key, counter)
		copy(dst, last[:])
		wipe4(&last)
	}
}

func refill(block *[1024]byte) {
	key := (*[32]byte)(block[:])
	if inRefills == neon {
		fillNEON(&block[0], len(block), key, 0)
	} else {
		keystreamGeneric(block[:], key, 0)
	}
}

func refillWindow(block *[256]byte) {
	key := (*[32]byte)(block[:])
	if inRefills == neon {
		fillNEON(&block[0], len(block), key, 0)
	} else {
		keystreamGeneric(block[:], key, 0)
	}
}

// fillNEON writes n bytes of keystream to dst. n is a positive multiple of 256. key may be in dst.
//
//go:noescape
func fillNEON(dst *byte, n int, key *[32]byte, counter uint32)

// wipe4 is wipe for 4 blocks.
//
//go:noinline
func wipe4(b *[4 * blockSize]byte) { *b = [4 * blockSize]byte{} }
