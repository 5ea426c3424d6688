// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package chacha makes ChaCha20 keystream: the block function of RFC 8439, section 2.3, under a zero
// nonce and a 32-bit block counter. It is not a cipher: it takes no message and no nonce, and
// golang.org/x/crypto/chacha20poly1305 is the package that encrypts.
//
// Whoever holds a key can make every byte it ever made, so one key serves one generator, and that
// generator replaces it.
package chacha

// blockSize is the length in bytes of one ChaCha20 block (RFC 8439, section 2.3).
const blockSize = 64

// Keystream fills dst with the ChaCha20 keystream for key from block counter on, under a zero nonce
// (RFC 8439, section 2.4). What dst held before has no influence. dst may have any length and any
// alignment; of a last block that is needed in part, the rest is wiped. dst and key must not overlap.
//
// The counter is 32 bits and must not wrap, for a wrap would repeat keystream: Keystream panics, and
// leaves dst as it was, if dst needs a block after number 1<<32 - 1.
//
// Keystream keeps nothing between calls and allocates nothing. It may be called by several goroutines
// at once. Its time depends on len(dst) only.
//
// It wipes the memory it keeps key words in. The compiler's spills of working registers to the stack
// are out of its reach: they stay until the stack is used again.
func Keystream(dst []byte, key *[32]byte, counter uint32) {
	blocks := (uint64(len(dst)) + blockSize - 1) / blockSize
	if uint64(counter)+blocks > 1<<32 {
		panic("chacha: block counter overflow")
	}
	keystreamGeneric(dst, key, counter)
}

// Name names the code that Keystream runs.
func Name() string { return "chacha20 portable" }
