// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"runtime"

	"fount/internal/erase"
)

// pbkdf2Sum computes PBKDF2. crypto/pbkdf2 is as fast, takes the password as a
// string, which can't be wiped, and holds its core to the end.
func (w *work) pbkdf2Sum() []byte {
	digest := sha256.New
	if w.alg == PBKDF2SHA512 {
		digest = sha512.New
	}
	return appendPBKDF2(nil, hmac.New(digest, w.key), w.hash.Salt, w.hash.Iterations, w.sumLen())
}

// appendPBKDF2 appends n bytes of PBKDF2 (RFC 8018, section 5.2) under the
// password that mac has as its key.
func appendPBKDF2(sum []byte, mac hash.Hash, salt []byte, iterations uint32, n int) []byte {
	end := len(sum) + n
	for block := uint32(1); len(sum) < end; block++ {
		sum = appendPBKDF2Block(sum, mac, salt, iterations, block)
	}
	mac.Reset()
	return sum[:end]
}

func appendPBKDF2Block(sum []byte, mac hash.Hash, salt []byte, iterations, block uint32) []byte {
	mac.Reset()
	mac.Write(salt)
	mac.Write(binary.BigEndian.AppendUint32(nil, block))
	u := mac.Sum(nil)
	sum = append(sum, u...)
	t := sum[len(sum)-len(u):]
	for i := uint32(1); i < iterations; i++ {
		mac.Reset()
		mac.Write(u)
		u = mac.Sum(u[:0])
		subtle.XORBytes(t, t, u)
		if i%1024 == 0 { // 0.4 ms of SHA-256
			runtime.Gosched()
		}
	}
	erase.Wipe(u)
	return sum
}
