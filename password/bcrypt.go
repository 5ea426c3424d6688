// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"sync"

	"fount/internal/blowfish"
	"fount/internal/erase"
)

const bcryptSumLen = 23 // bytes: all implementations drop the last of 24

// setBcryptKey sets key for plain bcrypt, which looks at 72 bytes. What its
// makers do with a longer password, and with a NUL, differs:
//
//   - All take the first 72 bytes, or used to, when the stored hashes were made
//     (Python's since 5.0 and x/crypto's refuse more; OpenBSD's $2a$ before 5.5
//     took 255 and more as their remainder by 256).
//   - Only x/crypto and Python's hash a NUL like any byte; they write $2a$ and
//     $2b$. OpenBSD, crypt_blowfish, PHP and Apache end the password there, or
//     refuse it, and only the last three write $2y$: with a NUL it matches
//     nothing, after the same work.
func (w *work) setBcryptKey(password []byte) {
	w.never = w.hash.Minor == 'y' && bytes.IndexByte(password, 0) >= 0
	if len(password) > bcryptMax {
		w.result.Truncated = true
		password = password[:bcryptMax]
	}
	w.key = append(append(make([]byte, 0, bcryptMax+1), password...), 0)
}

// bcryptKey appends the NUL to a hash of the password, and wipes that.
func bcryptKey(hashed []byte) []byte {
	defer erase.Wipe(hashed)
	return append(append(make([]byte, 0, bcryptMax+1), hashed...), 0)
}

// engines are for bcrypts that are not the pool's, which has its own. They are
// empty between two of them.
var engines = sync.Pool{New: func() any { return blowfish.New() }}

// bcryptSum computes one bcrypt (Provos and Mazières, "A Future-Adaptable Password
// Scheme", 1999, section 4). It returns nil if nobody waits any more.
func (w *work) bcryptSum() []byte {
	e := engines.Get().(*blowfish.Engine)
	defer engines.Put(e)
	lane := blowfish.Lane{Key: w.key, Salt: [16]byte(w.hash.Salt), Gone: w.gone}
	e.Run(int(w.cost), []*blowfish.Lane{&lane})
	if !lane.Done {
		return nil
	}
	return lane.Sum[:]
}
