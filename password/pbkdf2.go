// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
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
	m := newMAC(digest, w.key)
	defer m.wipe()
	return m.pbkdf2(w.hash.Salt, w.hash.Iterations, w.sumLen())
}

// pbkdf2 returns n bytes of PBKDF2 (RFC 8018, section 5.2) under the password
// that m has as its key.
func (m *mac) pbkdf2(salt []byte, iterations uint32, n int) []byte {
	size := m.size()
	blocks := (n + size - 1) / size
	sum := make([]byte, blocks*size)
	for i := range blocks {
		m.pbkdf2Block(sum[i*size:][:size], salt, iterations, uint32(i+1))
	}
	erase.Wipe(sum[n:])
	return sum[:n]
}

func (m *mac) pbkdf2Block(t, salt []byte, iterations, block uint32) {
	m.Write(salt)
	m.Write(binary.BigEndian.AppendUint32(nil, block))
	u := m.sum(make([]byte, 0, len(t)))
	copy(t, u)
	for i := uint32(1); i < iterations; i++ {
		m.Write(u)
		u = m.sum(u[:0])
		subtle.XORBytes(t, t, u)
		if i%1024 == 0 { // 0.4 ms of SHA-256
			runtime.Gosched()
		}
	}
	erase.Wipe(u)
}
