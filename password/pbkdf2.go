// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/sha256"
	"crypto/sha512"

	"fount/internal/turn"
	"fount/password/internal/mac"
)

// pbkdf2Sum computes PBKDF2, and returns nil if nobody waits any more.
// crypto/pbkdf2 is as fast, takes the password as a string, which can't be wiped,
// and holds its core to the end.
func (w *work) pbkdf2Sum() []byte {
	digest := sha256.New
	if w.alg == PBKDF2SHA512 {
		digest = sha512.New
	}
	m := mac.New(digest, w.key)
	defer m.Wipe()
	var turn turn.Turn
	turn.Start(mac.LookEvery, w.gone)
	return m.PBKDF2(w.hash.Salt, w.hash.Iterations, w.sumLen(), &turn)
}
