// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"

	"fount/password"
)

// Bcrypt is two bcrypts that package password does not read: $2x$, whose maker, crypt_blowfish before 1.1, took bytes above 127 for negative
// numbers, so that several passwords may match; and passlib's bcrypt-sha256 of version 1, of base64(SHA-256(password)).
func Bcrypt() password.Format {
	return prefixed("bcrypt-old", func(prefix, rest string) (*password.Parsed, error) {
		if prefix == "$2x$" {
			return &password.Parsed{Hash: "$2b$" + rest, Prepare: signExtended, Blank: blankBcrypt, Replace: true}, nil
		}
		if !strings.HasPrefix(rest, "2") {
			return nil, nil // of version 2, which package password reads or says what is wrong with
		}
		head, sums, _ := strings.Cut(rest, "$")
		salt, sum, ok := strings.Cut(sums, "$")
		minor, cost, _ := strings.Cut(head, ",")
		if !ok || minor != "2a" && minor != "2b" {
			return nil, errParts
		}
		n, err := number(cost)
		if err != nil {
			return nil, err
		}
		return &password.Parsed{Hash: "$" + minor + "$" + twoDigits(n) + "$" + salt + sum, Prepare: base64SHA256, Blank: blankBcrypt}, nil
	}, "$2x$", "$bcrypt-sha256$")
}

// twoDigits writes a cost as bcrypt does.
func twoDigits(n uint32) string {
	if n < 10 {
		return "0" + digits(n)
	}
	return digits(n)
}

func base64SHA256(password []byte) []byte {
	d := newDigest(sha256.New)
	defer d.wipe()
	sum := d.of(nil, password)
	defer clear(sum)
	return base64.StdEncoding.AppendEncode(nil, sum)
}

// signExtended returns the 72 bytes that make Blowfish's key schedule from those words that a compiler with a signed char
// made of the password and its NUL: a byte above 127 set all bits before it in its word. A byte more, which bcrypt drops, says
// that it dropped some of the password.
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
