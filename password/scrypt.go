// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/sha256"

	"fount/internal/erase"
	"fount/password/internal/scrypt"
)

// scryptSum computes scrypt (RFC 7914, section 6). The p parts run one after the
// other, in the memory of one.
func (w *work) scryptSum() []byte {
	cost, r, p := int(w.hash.Cost), int(w.hash.BlockSize), int(w.hash.Parallelism)
	m := newMAC(sha256.New, w.key)
	defer m.wipe()
	part := 128 * r // bytes
	b := m.pbkdf2(w.hash.Salt, 1, p*part)
	defer erase.Wipe(b)
	s := w.scratch
	if s == nil {
		s = new(scratch)
		defer s.drop()
	}
	memory := s.forScrypt(scrypt.Words(cost, r))
	for i := range p {
		scrypt.Mix(b[i*part:][:part], cost, r, memory)
	}
	return m.pbkdf2(b, 1, w.sumLen())
}
