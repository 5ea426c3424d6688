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
		Promise: "As secret as its key, which is drawn once and never changes: who reads the memory knows every " +
			"byte before and after, and a clone of the machine repeats it without end. The goroutine's own.",
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
