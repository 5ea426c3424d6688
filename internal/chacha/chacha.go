// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package chacha makes ChaCha20 keystream: the block function of RFC 8439, section 2.3, under a
// zero nonce and a 32-bit block counter. It is not a cipher: it takes no message and no nonce. To
// encrypt, use golang.org/x/crypto/chacha20poly1305.
//
// Anyone who has a key can compute every byte that it ever made. So each generator has its own key,
// and replaces it.
package chacha

// blockSize is the length in bytes of one ChaCha20 block (RFC 8439, section 2.3).
const blockSize = 64

// inUse and inRefills are the implementations that Keystream and the refills run, as indices into
// implementations: the best for this processor. All make the same bytes. Only tests change them.
var inUse, inRefills = fastest()

// Name returns the name of the implementation in use, such as "AVX-512", "AVX2", "NEON" or
// "portable".
func Name() string { return implementations[inUse] }

// maxCall is how many bytes one call of assembly makes at most. The scheduler can't preempt
// assembly, and a garbage collection waits for it: 64 KiB take 14 µs in AVX-512, 25 µs in AVX2
// (Cascade Lake).
const maxCall = 64 << 10

// Keystream fills dst with the ChaCha20 keystream for key from block counter on, under a zero nonce
// (RFC 8439, section 2.4), whatever dst held before. dst may have any length and alignment. dst and
// key must not overlap.
//
// If dst needs a block after number 1<<32 - 1, Keystream panics and leaves dst unchanged: the
// counter would wrap, and keystream repeat.
//
// Keystream keeps nothing between calls and allocates nothing. It may be called by several
// goroutines at once. Its time depends only on len(dst).
//
// Callers pass at most 64 KiB, so that no key serves more. A longer dst takes several calls of the
// assembly, between which the goroutine can be preempted.
//
// Keystream wipes the memory that held key words and the rest of a last block; the assembly wipes
// its registers too. It can't wipe what the compiler spills to the stack in the portable code, nor
// the registers that the kernel saves at a signal or a thread switch.
func Keystream(dst []byte, key *[32]byte, counter uint32) {
	blocks := (uint64(len(dst)) + blockSize - 1) / blockSize
	if uint64(counter)+blocks > 1<<32 {
		panic("chacha: block counter overflow")
	}

	for len(dst) > maxCall {
		keystream(dst[:maxCall], key, counter)
		dst = dst[maxCall:]
		counter += maxCall / blockSize
	}
	keystream(dst, key, counter)
}

// Refill fills block with keystream from counter 0 on, under the key in its first 32 bytes. The new
// first 32 bytes are the next key, and the other 992 are to be served. The old key can't be
// computed from block. (This is called fast key erasure.)
func Refill(block *[1024]byte) { refill(block) }

// RefillWindow is Refill for a small buffer of 4 blocks.
func RefillWindow(block *[256]byte) { refillWindow(block) }
