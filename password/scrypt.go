// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/sha256"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password/internal/mac"
	"fount/password/internal/scrypt"
)

// scryptSum computes scrypt (RFC 7914, section 6). The p parts run one after the
// other, in the memory of one. It returns nil if nobody waits any more.
func (w *work) scryptSum() []byte {
	cost, r, p := int(w.hash.Cost), int(w.hash.BlockSize), int(w.hash.Parallelism)
	m := mac.New(sha256.New, w.key)
	defer m.Wipe()
	part := 128 * r // bytes
	var turn turn.Turn
	turn.Start(mac.LookEvery, w.gone)
	b := m.PBKDF2(w.hash.Salt, 1, p*part, &turn)
	if b == nil {
		return nil
	}
	defer erase.Wipe(b)
	memory := w.scratch.forScrypt(scrypt.Words(cost, r))
	turn.Start(scrypt.LookEvery, w.gone)
	for i := range p {
		if !scrypt.Mix(b[i*part:][:part], cost, r, memory, &turn) {
			return nil
		}
	}
	turn.Start(mac.LookEvery, w.gone)
	return m.PBKDF2(b, 1, w.sumLen(), &turn)
}
