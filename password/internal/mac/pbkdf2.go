// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package mac

import (
	"crypto/subtle"
	"encoding/binary"

	"fount/internal/erase"
	"fount/internal/turn"
)

// LookEvery is how many HMACs a turn has from one look at the clock to the
// next: 0.05 ms of SHA-256.
const LookEvery = 128

// PBKDF2 returns n bytes of PBKDF2 (RFC 8018, section 5.2) under the password
// that m has as its key. The turn's unit is an HMAC; nil: it is given up.
func (m *MAC) PBKDF2(salt []byte, iterations uint32, n int, turn *turn.Turn) []byte {
	size := m.Size()
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
func (m *MAC) pbkdf2Block(t, u []byte, iterations uint32, turn *turn.Turn) bool {
	u = m.Sum(u)
	copy(t, u)
	for range iterations - 1 {
		if !turn.Did(1) {
			return false
		}
		m.Write(u)
		u = m.Sum(u[:0])
		subtle.XORBytes(t, t, u)
	}
	return turn.Did(1)
}
