// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

import (
	"math"

	"lukechampine.com/frand"
)

func fastRand() Peer {
	return Peer{
		Name:   "frand",
		Module: "lukechampine.com/frand",
		Open: func() Worker {
			return Worker{
				Read: func(dst []byte, size int) {
					for ; len(dst) > 0; dst = dst[size:] {
						frand.Read(dst[:size])
					}
				},
				Nonce: func(dst [][16]byte) {
					for i := range dst {
						dst[i] = frand.Entropy128()
					}
				},
				// The package has no Uint64; the largest value is the one that this never returns.
				Uint64: func(dst []uint64) {
					for i := range dst {
						dst[i] = frand.Uint64n(math.MaxUint64)
					}
				},
				IntN: func(dst []int) {
					for i := range dst {
						dst[i] = frand.Intn(Bound)
					}
				},
			}
		},
	}
}
