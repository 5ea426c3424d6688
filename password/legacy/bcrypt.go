// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"fount/password"
	"fount/password/internal/mac"
)

// bcrypt2x is what follows $2x$, of crypt_blowfish before 1.1, which took bytes above 127 for
// negative numbers, so that several passwords may match.
func bcrypt2x(hash string) (password.Parsed, error) {
	return &password.Translated{Hash: "$2b$" + hash, Prepare: signExtended, Blank: blankBcrypt, Replace: true}, nil
}

// bcryptSHA256 is passlib's: bcrypt of the base64 of a SHA-256 of the password, or by version 2 of
// an HMAC under the salt's text.
func bcryptSHA256(minor string, isHMAC bool) method {
	return method{parsed: func(v *values) (password.Parsed, error) {
		prepare := textOf(crypto.SHA256, base64.StdEncoding.AppendEncode)
		if isHMAC {
			prepare = func(password []byte) []byte {
				sum := mac.HMAC(sha256.New, v.salt, password)
				defer clear(sum)
				return base64.StdEncoding.AppendEncode(nil, sum)
			}
		}
		return known(fmt.Sprintf("$%s$%02d$%s%s", minor, v.log2N, v.salt, v.hash), prepare)
	}}
}

// signExtended returns the 72 bytes that make Blowfish's key schedule from those words that a
// compiler with a signed char made of the password and its NUL: a byte above 127 set all bits
// before it in its word. A 73rd byte, which bcrypt drops, says that some of the password was.
func signExtended(password []byte) []byte {
	key := append(append(make([]byte, 0, len(password)+1), password...), 0)
	defer clear(key)
	words, at := make([]byte, 0, 73), 0
	for range 18 {
		var word uint32
		for range 4 {
			word = word<<8 | uint32(int32(int8(key[at])))
			at = (at + 1) % len(key)
		}
		words = binary.BigEndian.AppendUint32(words, word)
	}
	if len(password) > 72 {
		words = append(words, 0)
	}
	return words
}
