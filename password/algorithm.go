// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "fount/password/internal/format"

// An Algorithm turns a password into a sum, slowly.
type Algorithm uint8

// The algorithms. New hashes should use Argon2id or Bcrypt; Argon2i and Argon2d are
// for hashes that are stored already.
const (
	Bcrypt       = Algorithm(format.Bcrypt)
	Argon2id     = Algorithm(format.Argon2id)
	Argon2i      = Algorithm(format.Argon2i)
	Argon2d      = Algorithm(format.Argon2d)
	Scrypt       = Algorithm(format.Scrypt)
	PBKDF2SHA256 = Algorithm(format.PBKDF2SHA256)
	PBKDF2SHA512 = Algorithm(format.PBKDF2SHA512)

	// Foreign is what a [Format] computes, whatever that is. No policy has it: it is only verified.
	Foreign = PBKDF2SHA512 + 1
)

var algorithmNames = [...]string{
	Bcrypt:       "bcrypt",
	Argon2id:     "argon2id",
	Argon2i:      "argon2i",
	Argon2d:      "argon2d",
	Scrypt:       "scrypt",
	PBKDF2SHA256: "pbkdf2-sha256",
	PBKDF2SHA512: "pbkdf2-sha512",
	Foreign:      "foreign",
}

// String returns the name as it stands in stored hashes: "argon2id".
func (a Algorithm) String() string {
	if a == 0 || int(a) >= len(algorithmNames) {
		return "unknown algorithm"
	}
	return algorithmNames[a]
}

// makes reports whether new hashes can be made with a.
func (a Algorithm) makes() bool { return a > 0 && a < Foreign }

func (a Algorithm) argon2() bool { return a == Argon2id || a == Argon2i || a == Argon2d }
func (a Algorithm) pbkdf2() bool { return a == PBKDF2SHA256 || a == PBKDF2SHA512 }
