// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"crypto/subtle"

	"fount/internal/chacha"
	"fount/internal/erase"
)

// chunk is the most that is made under one subkey and checked as one draw. So a read in
// flight shares at most one chunk with a clone if the word does not move; if it does,
// the chunks that were finished before. 64 KiB is also as much as the assembly makes in
// one call, during which it can't be preempted: 13 to 25 µs.
const chunk = 64 << 10

// large reports whether a read of n bytes, more than Window, bypasses the buffer:
// one larger than a full refill does, and where buffers are small, every one.
func large(n int) bool { return n > fullRefill || small() }

// bulk fills b without passing through a buffer. Each chunk has a subkey of
// its own: 32 bytes of own's output (of this P's, if own is nil). Where fount would
// not notice a clone, a small seed is mixed in, as into a refill's key.
func bulk(b []byte, own *State) {
	for tries := 0; len(b) > 0; {
		gen := generation()
		n := min(len(b), chunk)
		var key [keySize]byte
		if own != nil {
			own.read(key[:])
		} else {
			read(key[:])
		}
		if small() {
			var fresh [keySize]byte
			fillSeed(fresh[:], false)
			subtle.XORBytes(key[:], key[:], fresh[:])
			erase.Wipe(fresh[:])
		}
		chacha.Keystream(b[:n], &key, 0)
		erase.Wipe(key[:])
		if generation() != gen {
			again(b[:n])
			if tries++; tries < patience {
				continue
			}
			strict(b[:n])
		}
		b, tries = b[n:], 0
	}
}
