// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Hashes that package password computes, inside other strings.

import (
	"crypto"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

// native is the method of a hash that package password reads.
var native = nativeWith("", nil)

// nativeWith returns the method of a hash that package password reads once prefix is before it.
// change may be nil.
func nativeWith(prefix string, change prepare) method {
	return method{hashOf: func(v *values) (password.Parsed, error) {
		return nativeHash(prefix+string(v.hash), change)
	}}
}

func nativeHash(hash string, change prepare) (password.Parsed, error) {
	if !strings.HasPrefix(hash, "$") {
		return nil, errHash
	}

	parsed := &password.Translated{Hash: hash, Prepare: change}
	if strings.HasPrefix(hash, "$2") {
		parsed.Blank = blankBcrypt
	}
	return parsed, nil
}

// glauth is the method of a bcrypt in hexadecimal.
var glauth = parseHash(func(hash string) (password.Parsed, error) {
	return &password.Translated{Hash: "$2" + hash, Blank: hex.EncodeToString([]byte(blankBcrypt))}, nil
})

// blankBcrypt is a bcrypt's sum of zeros, as text.
var blankBcrypt = strings.Repeat(".", 31)

// bcrypt2x reads what follows $2x$. crypt_blowfish before 1.1 took bytes above 127 for negative
// numbers, so several passwords may match.
func bcrypt2x(hash string) (password.Parsed, error) {
	return &password.Translated{Hash: "$2b$" + hash, Prepare: signExtended, Blank: blankBcrypt}, nil
}

// bcryptSHA256 returns the method of passlib's bcrypt-sha256: bcrypt of the base64 of the
// password's SHA-256 or, in version 2, of its HMAC under the salt's text.
func bcryptSHA256(minor string, isHMAC bool) method {
	return method{hashOf: func(v *values) (password.Parsed, error) {
		change := textOf(crypto.SHA256, base64.StdEncoding.AppendEncode)
		if isHMAC {
			change = func(password []byte) ([]byte, bool) {
				sum := mac.HMAC(sha256.New, v.salt, password)
				defer clear(sum)
				return base64.StdEncoding.AppendEncode(nil, sum), true
			}
		}
		return nativeHash(fmt.Sprintf("$%s$%02d$%s%s", minor, v.log2N, v.salt, v.hash), change)
	}}
}

// signExtended returns a 72-byte password with which a correct bcrypt makes the same key schedule
// as crypt_blowfish with a signed char does from password: there a byte above 127 sets all bits
// before it in its word. If password has more than 72 bytes, the result has a 73rd, so that the
// match counts as truncated. Without such a byte the password stays, and no other gives it.
func signExtended(password []byte) ([]byte, bool) {
	if !slices.ContainsFunc(password, func(c byte) bool { return c > 127 }) {
		return password, true
	}

	key := append(append(make([]byte, 0, len(password)+1), password...), 0)
	defer clear(key)

	words := make([]byte, 0, 73)
	at := 0
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
	return words, false
}

// paddedArgon2 reads what follows "$argon2" if salt or sum has padding, which it removes.
func paddedArgon2(hash string) (password.Parsed, error) {
	parts := strings.Split("$argon2"+hash, "$")
	if len(parts) < 5 || !strings.Contains(hash, "=$") && !strings.HasSuffix(hash, "=") {
		return nil, nil
	}

	sums := parts[len(parts)-2:]
	for i, part := range sums {
		b, err := decodeBase64(std64, part)
		if err != nil {
			return nil, nil
		}
		sums[i] = format.B64.EncodeToString(b)
	}
	return nativeHash(strings.Join(parts, "$"), nil)
}
