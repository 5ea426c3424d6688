// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"

	"fount/password"
)

// Bcrypt is two bcrypts that package password does not read: $2x$, whose maker, crypt_blowfish
// before 1.1, took bytes above 127 for negative numbers, so that several passwords may match; and
// passlib's bcrypt-sha256 of version 1, of base64(SHA-256(password)).
func Bcrypt() password.Format {
	return prefixed("bcrypt-old", func(prefix, rest string) (password.Parsed, error) {
		if prefix == "$2x$" {
			return &password.Translated{
				Hash: "$2b$" + rest, Prepare: signExtended, Blank: blankBcrypt, Replace: true}, nil
		}
		if !strings.HasPrefix(rest, "2") {
			return nil, nil // of version 2, which package password reads or says what is wrong with
		}
		var s scan
		parts := s.split(rest, "$", 3)
		minor, cost, _ := strings.Cut(parts[0], ",")
		s.want(minor == "2a" || minor == "2b", errParts)
		hash := fmt.Sprintf("$%s$%02d$%s%s", minor, s.number(cost), parts[1], parts[2])
		if s.err != nil {
			return nil, s.err
		}
		return known(hash, textOf(sha256.New, base64.StdEncoding.AppendEncode))
	}, "$2x$", "$bcrypt-sha256$")
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
