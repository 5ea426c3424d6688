// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Random bytes: 16 at a time, as for a nonce, and longer reads.

package bench

import (
	"bufio"
	cryptorand "crypto/rand"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"fount"

	"lukechampine.com/frand"
)

// BenchmarkBytes16 makes 16-byte nonces. ChaCha8 is not for secrets: it shows what an own,
// deterministic generator costs.
func BenchmarkBytes16(b *testing.B) {
	compare(b,
		method{"crypto_rand.Read", func(n int) {
			var v [16]byte
			for range n {
				cryptorand.Read(v[:])
			}
		}},
		method{"crypto_rand.buffer256", func(n int) {
			var v [16]byte
			r := bufio.NewReaderSize(cryptorand.Reader, 256)
			for range n {
				io.ReadFull(r, v[:])
			}
		}},
		method{"fount.Read", func(n int) {
			var v [16]byte
			for range n {
				fount.Read(v[:])
			}
		}},
		method{"fount.Nonce", func(n int) {
			var v [16]byte
			for range n {
				v = fount.Nonce()
			}
			runtime.KeepAlive(&v)
		}},
		method{"fount.Generator.Nonce", func(n int) {
			var v [16]byte
			g := fount.NewGenerator()
			defer g.Close()
			for range n {
				v = g.Nonce()
			}
			runtime.KeepAlive(&v)
		}},
		method{"fount.Strict.Nonce", func(n int) {
			var v [16]byte
			var s fount.Strict
			for range n {
				v = s.Nonce()
			}
			runtime.KeepAlive(&v)
		}},
		method{"frand.Read", func(n int) {
			var v [16]byte
			for range n {
				frand.Read(v[:])
			}
		}},
		method{"frand.Entropy128", func(n int) {
			var v [16]byte
			for range n {
				v = frand.Entropy128()
			}
			runtime.KeepAlive(&v)
		}},
		method{"math_rand_v2.ChaCha8.Read", func(n int) {
			var v [16]byte
			r := rand.NewChaCha8(fount.Key())
			for range n {
				r.Read(v[:])
			}
		}},
	)
}

// BenchmarkRead reads size bytes at once.
func BenchmarkRead(b *testing.B) {
	for _, size := range []int{32, 256, 4 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			compare(b,
				reader("crypto_rand.Read", size, cryptorand.Read),
				reader("fount.Read", size, fount.Read),
				reader("frand.Read", size, frand.Read),
			)
		})
	}
}

func reader(name string, size int, read func([]byte) (int, error)) method {
	return method{name, func(n int) {
		v := make([]byte, size)
		for range n {
			read(v)
		}
	}}
}
