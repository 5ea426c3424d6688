// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"slices"

	"fount/internal/erase"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

// A Key is a pepper: a secret kept apart from the stored hashes, which are of no use without it.
type Key struct {
	ID     string // names the key in stored hashes: 1 to 8 characters from '!' to '~'; never reuse one
	Secret []byte // 16 to 128 random bytes; [fount.Key] returns 32
}

// A KeyRing holds the keys of a policy: the current one, for new hashes, and former ones, which
// stored hashes still name. A hash with a former key, or with none, verifies and needs a rehash,
// unless it costs more than the policy's would: see [NeedsRehash]. Leave a key out when no stored
// hash names it any more.
//
// A KeyRing is immutable, and any goroutine may use it. Where the system allows it, its copy of the
// secrets is outside the Go heap, locked and left out of core dumps. The copy stays until the
// process ends: make a new ring only when the keys have changed, as EqualKeys reports.
type KeyRing struct {
	keys []Key // the current first
}

const minSecret, maxSecret = 16, 128 // bytes; 128 is the block of HMAC-SHA-384

// NewKeyRing returns a ring. It copies the secrets: the caller may wipe its own.
func NewKeyRing(current Key, former ...Key) (*KeyRing, error) {
	ring := &KeyRing{append([]Key{current}, former...)}
	for i, k := range ring.keys {
		same := func(other Key) bool { return other.ID == k.ID }
		switch n := len(k.Secret); {
		case !format.ValidKeyID(k.ID):
			return nil, errors.New("password: Key.ID is not of 1 to 8 characters from '!' to '~'")
		case n < minSecret || n > maxSecret:
			return nil, fmt.Errorf("password: Key %q has a secret of %d bytes; want %d to %d", k.ID, n, minSecret, maxSecret)
		case slices.ContainsFunc(ring.keys[:i], same):
			return nil, fmt.Errorf("password: two keys with ID %q; want each once", k.ID)
		}
	}

	places := erase.New[[maxSecret]byte](len(ring.keys))
	for i := range ring.keys {
		k := &ring.keys[i]
		k.Secret = places[i][:copy(places[i][:], k.Secret)]
	}
	return ring, nil
}

// EqualKeys reports whether r has exactly these keys, in the order of NewKeyRing, the current one
// first. It compares secrets in constant time. A nil ring has no keys.
func (r *KeyRing) EqualKeys(keys ...Key) bool {
	return slices.EqualFunc(r.all(), keys, func(a, b Key) bool {
		return a.ID == b.ID && subtle.ConstantTimeCompare(a.Secret, b.Secret) == 1
	})
}

func (r *KeyRing) all() []Key {
	if r == nil {
		return nil
	}
	return r.keys
}

// current returns the ID of the key for new hashes, or "".
func (r *KeyRing) current() string {
	if keys := r.all(); len(keys) > 0 {
		return keys[0].ID
	}
	return ""
}

func (r *KeyRing) lookup(id string) ([]byte, bool) {
	for _, k := range r.all() {
		if k.ID == id {
			return k.Secret, true
		}
	}
	return nil, false
}

// preHash returns base64(HMAC(key, password)), with room for bcrypt's NUL. With it bcrypt takes
// long passwords and NULs, and under a secret key the store alone is useless to an attacker. With a
// plain digest an attacker could try digests leaked elsewhere as passwords ("password shucking").
//
// Under a KeyRing's key it is HMAC-SHA-384, whose 64 characters bcrypt takes whole. Passlib's
// bcrypt-sha256, version 2, is HMAC-SHA-256 under the text of the salt.
// https://passlib.readthedocs.io/en/stable/lib/passlib.hash.bcrypt_sha256.html
func preHash(digest func() hash.Hash, key, password []byte) []byte {
	sum := mac.HMAC(digest, key, password)
	defer erase.Wipe(sum)

	return base64.StdEncoding.AppendEncode(make([]byte, 0, 64+1), sum)
}
