// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

import (
	cryptorand "crypto/rand"
	"math/rand/v2"
	"testing"

	"fount"
)

// BenchmarkDraw draws single values in the plainest loop, beside the standard
// library's ways. The peers of module bench are measured in loops over a slice.
func BenchmarkDraw(b *testing.B) {
	var (
		nonce  [16]byte
		word   uint64
		number int
		text   string
		buf    = make([]byte, 1<<20)
	)
	for _, bench := range []struct {
		name string
		loop func(n int)
	}{
		{"Nonce/crypto_rand", func(n int) {
			for range n {
				cryptorand.Read(nonce[:])
			}
		}},
		{"Nonce/fount", func(n int) {
			for range n {
				nonce = fount.Nonce()
			}
		}},
		{"Uint64/math_rand_v2", func(n int) {
			for range n {
				word += rand.Uint64()
			}
		}},
		{"Uint64/fount", func(n int) {
			for range n {
				word += fount.Uint64()
			}
		}},
		{"Read16/fount", func(n int) {
			for range n {
				fount.Read(buf[:16])
			}
		}},
		{"Read32/fount", func(n int) {
			for range n {
				fount.Read(buf[:32])
			}
		}},
		{"Read256/fount", func(n int) {
			for range n {
				fount.Read(buf[:256])
			}
		}},
		{"Read4096/fount", func(n int) {
			for range n {
				fount.Read(buf[:4096])
			}
		}},
		{"Read1MiB/fount", func(n int) {
			for range n {
				fount.Read(buf)
			}
		}},
		{"IntN/math_rand_v2", func(n int) {
			for range n {
				number += rand.IntN(7919)
			}
		}},
		{"IntN/fount", func(n int) {
			for range n {
				number += fount.IntN(7919)
			}
		}},
		{"UUIDAppend/fount", func(n int) {
			for range n {
				fount.NewUUID().AppendText(buf[:0])
			}
		}},
		{"UUIDString/fount", func(n int) {
			for range n {
				text = fount.NewUUID().String()
			}
		}},
		{"Token/fount", func(n int) {
			for range n {
				text = fount.Token(32)
			}
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			bench.loop(b.N)
		})
	}
	_, _, _, _ = nonce, word, number, text
}

// BenchmarkDrawParallel draws on all cores at once.
func BenchmarkDrawParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			fount.Nonce()
		}
	})
}
