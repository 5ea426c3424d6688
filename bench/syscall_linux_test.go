// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

// A kernel before 6.11, where each draw from it is a system call. The tag fount_test lets fount be
// seeded that way on a newer one.

package bench

import (
	"slices"
	"testing"

	"fount/bench/peers"
	"fount/internal/seam"
)

// BenchmarkSyscall16 is in both modes the 16-byte nonce over that kernel.
func BenchmarkSyscall16(b *testing.B) {
	b.Run("mode=word", benchmarkSyscall16)
	b.Run("mode=window", func(b *testing.B) {
		withoutWord(b)
		benchmarkSyscall16(b)
	})
}

func benchmarkSyscall16(b *testing.B) {
	seam.SetRoute(seam.RouteSyscall)
	defer seam.SetRoute(seam.RouteKernel)
	list := slices.DeleteFunc(peers.All(), func(p peers.Peer) bool {
		return p.Name != "fount" && p.Name != "fount.Generator"
	})
	systemCall := peers.Peer{Name: "getrandom(2)", Open: func() peers.Worker { return peers.Worker{} }} // a method of the lab
	compare(b, peers.Nonce, append([]peers.Peer{systemCall}, list...))
}
