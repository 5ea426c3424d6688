// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"crypto/subtle"

	"fount/entropy"
	"fount/internal/chacha"
	"fount/internal/erase"
)

// chunk is the most that is made under one subkey, and at one go: bytes of a
// read in flight that a clone could have in common, and the time in which a
// future assembly keystream can't be preempted.
const chunk = 64 << 10

// bulk fills b, which is larger than a buffer, without passing through one.
// Each chunk has a key of its own: 32 bytes of own's output (of this P's, if
// own is nil) XOR 32 fresh bytes of the kernel, like a refill's.
func bulk(b []byte, own *State) {
	for len(b) > 0 {
		gen := generation()
		n := min(len(b), chunk)
		var key, fresh [keySize]byte
		if own != nil {
			own.read(key[:])
		} else {
			read(key[:])
		}
		entropy.Kernel(fresh[:])
		subtle.XORBytes(key[:], key[:], fresh[:])
		chacha.Keystream(b[:n], &key, 0)
		erase.Wipe(key[:])
		erase.Wipe(fresh[:])
		b = accept(b, n, gen)
	}
}
