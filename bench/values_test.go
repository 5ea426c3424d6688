// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Random values: integers, identifiers and text.

package bench

import (
	cryptorand "crypto/rand"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"fount"

	gofrs "github.com/gofrs/uuid/v5"
	google "github.com/google/uuid"
	"lukechampine.com/frand"
)

// BenchmarkUint64 makes 64-bit integers. The methods of math/rand/v2 are not for secrets. frand's
// never returns the largest value.
func BenchmarkUint64(b *testing.B) {
	compare(b,
		method{"fount.Uint64", func(n int) {
			var v uint64
			for range n {
				v ^= fount.Uint64()
			}
			runtime.KeepAlive(v)
		}},
		method{"fount.Generator.Uint64", func(n int) {
			var v uint64
			g := fount.NewGenerator()
			defer g.Close()
			for range n {
				v ^= g.Uint64()
			}
			runtime.KeepAlive(v)
		}},
		method{"frand.Uint64n", func(n int) {
			var v uint64
			for range n {
				v ^= frand.Uint64n(math.MaxUint64)
			}
			runtime.KeepAlive(v)
		}},
		method{"math_rand_v2.Uint64", func(n int) {
			var v uint64
			for range n {
				v ^= rand.Uint64()
			}
			runtime.KeepAlive(v)
		}},
		method{"math_rand_v2.ChaCha8.Uint64", func(n int) {
			var v uint64
			r := rand.NewChaCha8(fount.Key())
			for range n {
				v ^= r.Uint64()
			}
			runtime.KeepAlive(v)
		}},
		method{"math_rand_v2.PCG.Uint64", func(n int) {
			var v uint64
			r := rand.NewPCG(fount.Uint64(), fount.Uint64())
			for range n {
				v ^= r.Uint64()
			}
			runtime.KeepAlive(v)
		}},
	)
}

// BenchmarkIntN7919 makes integers below a prime. The method of math/rand/v2 is not for secrets.
func BenchmarkIntN7919(b *testing.B) {
	compare(b,
		method{"fount.IntN", func(n int) {
			var v int
			for range n {
				v ^= fount.IntN(7919)
			}
			runtime.KeepAlive(v)
		}},
		method{"fount.Generator.IntN", func(n int) {
			var v int
			g := fount.NewGenerator()
			defer g.Close()
			for range n {
				v ^= g.IntN(7919)
			}
			runtime.KeepAlive(v)
		}},
		method{"frand.Intn", func(n int) {
			var v int
			for range n {
				v ^= frand.Intn(7919)
			}
			runtime.KeepAlive(v)
		}},
		method{"math_rand_v2.IntN", func(n int) {
			var v int
			for range n {
				v ^= rand.IntN(7919)
			}
			runtime.KeepAlive(v)
		}},
	)
}

// BenchmarkUUID makes version 4 values. google/uuid's pool is off, as by default: it is not safe
// to switch while others draw.
func BenchmarkUUID(b *testing.B) {
	compare(b,
		method{"fount.NewUUID", func(n int) {
			var v fount.UUID
			for range n {
				v = fount.NewUUID()
			}
			runtime.KeepAlive(&v)
		}},
		method{"google.New", func(n int) {
			var v google.UUID
			for range n {
				v = google.New()
			}
			runtime.KeepAlive(&v)
		}},
		method{"gofrs.NewV4", func(n int) {
			var v gofrs.UUID
			for range n {
				v, _ = gofrs.NewV4()
			}
			runtime.KeepAlive(&v)
		}},
	)
}

// BenchmarkUUIDv7 makes version 7 values, in order over all goroutines.
func BenchmarkUUIDv7(b *testing.B) {
	compare(b,
		method{"fount.NewUUIDv7", func(n int) {
			var v fount.UUID
			for range n {
				v = fount.NewUUIDv7()
			}
			runtime.KeepAlive(&v)
		}},
		method{"google.NewV7", func(n int) {
			var v google.UUID
			for range n {
				v, _ = google.NewV7()
			}
			runtime.KeepAlive(&v)
		}},
		method{"gofrs.NewV7", func(n int) {
			var v gofrs.UUID
			for range n {
				v, _ = gofrs.NewV7()
			}
			runtime.KeepAlive(&v)
		}},
	)
}

// BenchmarkUUIDString makes a version 4 value and its text.
func BenchmarkUUIDString(b *testing.B) {
	compare(b,
		method{"fount.UUID.String", func(n int) {
			var v string
			for range n {
				v = fount.NewUUID().String()
			}
			runtime.KeepAlive(v)
		}},
		method{"google.NewString", func(n int) {
			var v string
			for range n {
				v = google.NewString()
			}
			runtime.KeepAlive(v)
		}},
		method{"gofrs.UUID.String", func(n int) {
			var v string
			for range n {
				u, _ := gofrs.NewV4()
				v = u.String()
			}
			runtime.KeepAlive(v)
		}},
	)
}

// BenchmarkText makes 26 characters of base32.
func BenchmarkText(b *testing.B) {
	compare(b,
		method{"crypto_rand.Text", func(n int) {
			var v string
			for range n {
				v = cryptorand.Text()
			}
			runtime.KeepAlive(v)
		}},
		method{"fount.Text", func(n int) {
			var v string
			for range n {
				v = fount.Text()
			}
			runtime.KeepAlive(v)
		}},
	)
}
