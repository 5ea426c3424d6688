// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package peers

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
)

func aesCTR() Peer {
	return Peer{
		Name: "AES-256-CTR",
		Open: func() Worker {
			var seed [32 + aes.BlockSize]byte
			rand.Read(seed[:])
			block, err := aes.NewCipher(seed[:32])
			if err != nil {
				panic(err)
			}
			stream := cipher.NewCTR(block, seed[32:])
			return Worker{
				Read: func(dst []byte, size int) {
					for ; len(dst) > 0; dst = dst[size:] {
						clear(dst[:size])
						stream.XORKeyStream(dst[:size], dst[:size])
					}
				},
			}
		},
	}
}
