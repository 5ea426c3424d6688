// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

// math/rand/v2: the functions of the package, and two generators of a goroutine's own.

import (
	crypto "crypto/rand"
	"encoding/binary"
	"math/rand/v2"
)

func mathRand() Peer {
	return Peer{
		Name:   "math/rand/v2",
		Unsafe: true,
		Open: func() Worker {
			return Worker{
				Uint64: func(dst []uint64) {
					for i := range dst {
						dst[i] = rand.Uint64()
					}
				},
			}
		},
	}
}

func chaCha8() Peer {
	return Peer{
		Name:   "math/rand/v2 ChaCha8",
		Unsafe: true,
		Open: func() Worker {
			var seed [32]byte
			crypto.Read(seed[:])
			src := rand.NewChaCha8(seed)
			r := rand.New(src)
			return Worker{
				Read: func(dst []byte, size int) {
					for ; len(dst) > 0; dst = dst[size:] {
						src.Read(dst[:size])
					}
				},
				Uint64: func(dst []uint64) {
					for i := range dst {
						dst[i] = src.Uint64()
					}
				},
				IntN: func(dst []int) {
					for i := range dst {
						dst[i] = r.IntN(Bound)
					}
				},
			}
		},
	}
}

func pcg() Peer {
	return Peer{
		Name:   "math/rand/v2 PCG",
		Unsafe: true,
		Open: func() Worker {
			var seed [16]byte
			crypto.Read(seed[:])
			src := rand.NewPCG(binary.NativeEndian.Uint64(seed[:8]), binary.NativeEndian.Uint64(seed[8:]))
			r := rand.New(src)
			return Worker{
				Uint64: func(dst []uint64) {
					for i := range dst {
						dst[i] = src.Uint64()
					}
				},
				IntN: func(dst []int) {
					for i := range dst {
						dst[i] = r.IntN(Bound)
					}
				},
			}
		},
	}
}
