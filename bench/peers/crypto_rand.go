// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

import (
	"crypto/rand"
	"encoding/binary"
	"math/big"
)

func cryptoRand() Peer {
	return Peer{
		Name: "crypto/rand",
		Open: openCryptoRand,
	}
}

func cryptoRandFIPS() Peer {
	return Peer{
		Name:  "crypto/rand" + inFIPSMode,
		Needs: "GODEBUG=fips140=on",
		FIPS:  true,
		Open:  openCryptoRand,
	}
}

const inFIPSMode = " FIPS"

func openCryptoRand() Worker {
	bound := big.NewInt(Bound)
	return Worker{
		Read: func(dst []byte, size int) {
			for ; len(dst) > 0; dst = dst[size:] {
				rand.Read(dst[:size])
			}
		},
		Uint64: func(dst []uint64) {
			var b [8]byte
			for i := range dst {
				rand.Read(b[:])
				dst[i] = binary.NativeEndian.Uint64(b[:])
			}
		},
		// The package's own way, which allocates: it has integers of any size.
		IntN: func(dst []int) {
			for i := range dst {
				v, err := rand.Int(rand.Reader, bound)
				if err != nil {
					panic(err)
				}
				dst[i] = int(v.Int64())
			}
		},
		Text: func(dst []string) {
			for i := range dst {
				dst[i] = rand.Text()
			}
		},
	}
}
