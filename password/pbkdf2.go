// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"

	"fount/internal/erase"
	"fount/internal/turn"
)

// pbkdf2LookEvery is how many HMACs a turn has from one look at the clock to the
// next: 0.05 ms of SHA-256.
const pbkdf2LookEvery = 128

// pbkdf2Sum computes PBKDF2, and returns nil if nobody waits any more.
// crypto/pbkdf2 is as fast, takes the password as a string, which can't be wiped,
// and holds its core to the end.
func (w *work) pbkdf2Sum() []byte {
	digest := sha256.New
	if w.alg == PBKDF2SHA512 {
		digest = sha512.New
	}
	m := newMAC(digest, w.key)
	defer m.wipe()
	var turn turn.Turn
	turn.Start(pbkdf2LookEvery, w.gone)
	return m.pbkdf2(w.hash.Salt, w.hash.Iterations, w.sumLen(), &turn)
}

// pbkdf2 returns n bytes of PBKDF2 (RFC 8018, section 5.2) under the password
// that m has as its key. The turn's unit is an HMAC; nil: it is given up.
func (m *mac) pbkdf2(salt []byte, iterations uint32, n int, turn *turn.Turn) []byte {
	size := m.size()
	blocks := (n + size - 1) / size
	sum := make([]byte, blocks*size)
	u, number := make([]byte, 0, size), make([]byte, 4)
	defer erase.Wipe(u[:size])
	for i := range blocks {
		m.Write(salt)
		binary.BigEndian.PutUint32(number, uint32(i+1))
		m.Write(number)
		if !m.pbkdf2Block(sum[i*size:][:size], u, iterations, turn) {
			erase.Wipe(sum)
			return nil
		}
	}
	erase.Wipe(sum[n:])
	return sum[:n]
}

// pbkdf2Block sets t to the block whose salt and number m has. u is room for a sum.
func (m *mac) pbkdf2Block(t, u []byte, iterations uint32, turn *turn.Turn) bool {
	u = m.sum(u)
	copy(t, u)
	for range iterations - 1 {
		if !turn.Did(1) {
			return false
		}
		m.Write(u)
		u = m.sum(u[:0])
		subtle.XORBytes(t, t, u)
	}
	return turn.Did(1)
}
