// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package chacha makes ChaCha20 keystream: the block function of RFC 8439, section 2.3, under a
// zero nonce and a 32-bit block counter. It is not a cipher: it takes no message and no nonce, and
// golang.org/x/crypto/chacha20poly1305 is the package that encrypts.
//
// Anyone who holds a key can make every byte it ever made, so one key serves one generator, and
// that generator replaces it.
package chacha

// blockSize is the length in bytes of one ChaCha20 block (RFC 8439, section 2.3).
const blockSize = 64

// inUse is what Keystream runs and inRefills what the refills run, as indices into ladder: the best
// for this processor. All make the same bytes. Only tests change them.
var inUse, inRefills = fastest()

// Name names the implementation in use: "AVX-512", "AVX2", "NEON" or "portable".
func Name() string { return ladder[inUse] }

// maxCall is the most that one call of assembly makes. The scheduler can't preempt assembly, and
// who stops the world waits for it: 64 KiB take 14 µs in AVX-512, 25 µs in AVX2 (Cascade Lake).
const maxCall = 64 << 10

// Keystream fills dst with the ChaCha20 keystream for key from block counter on, under a zero nonce
// (RFC 8439, section 2.4). What dst held before has no influence. dst may have any length and any
// alignment; of a last block that is needed in part, the rest is wiped. dst and key must not
// overlap.
//
// The counter is 32 bits and must not wrap, for a wrap would repeat keystream: Keystream panics,
// and leaves dst as it was, if dst needs a block after number 1<<32 - 1.
//
// Keystream keeps nothing between calls and allocates nothing. It may be called by several
// goroutines at once. Its time depends on len(dst) only.
//
// The caller bounds dst to 64 KiB, so that the key it holds for one call serves no more. A longer
// dst works: it takes several calls of the assembly, between which the goroutine can be preempted.
//
// It wipes the memory it keeps key words in, and the assembly the registers too. Out of its reach
// are the compiler's spills of the portable code's registers to the stack, which stay until the
// stack is used again, and the registers that the kernel saves where a signal or a switch comes in
// between.
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

// Refill makes block its own successor: 16 blocks of keystream from counter 0 on, under the key
// that its first 32 bytes are. These 32 are the next key then, and nobody can compute the old one
// from block: the other 992 are there to be served. (This is "fast key erasure".)
func Refill(block *[1024]byte) { refill(block) }

// RefillWindow is Refill for 4 blocks, where buffers are kept small.
func RefillWindow(block *[256]byte) { refillWindow(block) }
