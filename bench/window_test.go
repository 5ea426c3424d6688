// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package bench

import (
	"slices"
	"testing"

	"fount"
	"fount/bench/peers"
	"fount/internal/seam"
)

// BenchmarkWindow16 is BenchmarkNonce where no clone of the machine would be
// noticed: each refill is small and takes 32 bytes of the kernel.
func BenchmarkWindow16(b *testing.B) {
	withoutWord(b)
	compare(b, peers.Nonce, ofFount())
}

// BenchmarkWord16 is BenchmarkNonce where a word is held, whatever this machine
// has: with a word of this process's own, which costs the same two loads.
func BenchmarkWord16(b *testing.B) {
	seam.SetWord(new(uint64))
	fount.Reseed()
	b.Cleanup(func() {
		seam.Forget()
		fount.Reseed()
	})
	compare(b, peers.Nonce, ofFount())
}

// ofFount are crypto/rand and what depends on the mode.
func ofFount() []peers.Peer {
	return slices.DeleteFunc(peers.All(), func(p peers.Peer) bool {
		return p.Name != "crypto/rand" && p.Name != "fount" && p.Name != "fount.Generator"
	})
}

func withoutWord(b *testing.B) {
	seam.SetOff(true)
	fount.Reseed()
	b.Cleanup(func() {
		seam.Forget()
		fount.Reseed()
	})
}
