// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Hashing before the hash, so that bcrypt takes long passwords and NULs, and under a
// key, so that the store alone can't be attacked. A plain hash would let an attacker
// try sums leaked elsewhere as passwords here ("password shucking").

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"

	"fount/internal/erase"
	"fount/password/internal/mac"
)

// preHash returns base64(HMAC-SHA-384(secret, password)): 64 characters, which
// bcrypt takes whole and which hold no NUL.
func preHash(secret, password []byte) []byte {
	return macBase64(mac.New(sha512.New384, secret), password)
}

// passlibPreHash is what passlib's bcrypt-sha256 does in version 2: the text of
// the salt is the key. 44 characters, the last of which is padding.
// https://passlib.readthedocs.io/en/stable/lib/passlib.hash.bcrypt_sha256.html
func passlibPreHash(salt string, password []byte) []byte {
	return macBase64(mac.New(sha256.New, []byte(salt)), password)
}

func macBase64(m *mac.MAC, password []byte) []byte {
	defer m.Wipe()
	m.Write(password)
	sum := m.Sum(nil)
	defer erase.Wipe(sum)
	return base64.StdEncoding.AppendEncode(nil, sum)
}
