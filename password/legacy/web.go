// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Frameworks of the web.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"strings"
	"time"

	"fount/password"
	"fount/password/internal/mac"
)

var errDigest = errors.New("its digest is not read here: want SHA-1, SHA-256 or SHA-512")

// Django is what its hashers write: pbkdf2_sha256, pbkdf2_sha1, argon2, bcrypt, bcrypt_sha256,
// scrypt, md5 and sha1, the last two also without salt. Django itself cuts a bcrypt's password at
// 72 bytes.
func Django() password.Format {
	return form{"django", func(encoded string) (password.Parsed, error) {
		var s scan
		switch name, rest, _ := strings.Cut(encoded, "$"); name {
		case "pbkdf2_sha256", "pbkdf2_sha1":
			parts := s.split(rest, "$", 3)
			n, sum := s.number(parts[0]), s.base64(std64, parts[2])
			if s.err != nil {
				return nil, s.err
			}
			digest := strings.TrimPrefix(name, "pbkdf2_")
			return ending(blank(parts[2], "A"))(pbkdf2(digest, n, []byte(parts[1]), sum))
		case "argon2":
			return known("$"+rest, nil)
		case "bcrypt":
			return known(rest, nil)
		case "bcrypt_sha256":
			return known(rest, textOf(sha256.New, hex.AppendEncode))
		case "scrypt":
			parts := s.split(rest, "$", 5)
			sum := s.base64(std64, parts[4])
			return s.scrypt(parts[0], parts[2], parts[3], []byte(parts[1]), sum)
		case "md5", "sha1":
			parts := s.split(rest, "$", 2)
			sum := s.hex(parts[1])
			if s.err != nil {
				return nil, s.err
			}
			return ending(blank(parts[1], "0"))(salted(digests[name], []byte(parts[0]), nil, sum))
		}
		return nil, nil
	}}
}

// scrypt is a hash of the numbers that the texts hold.
func (s *scan) scrypt(n, r, p string, salt, sum []byte) (password.Parsed, error) {
	numbers := [3]uint32{s.number(n), s.number(r), s.number(p)}
	if s.err != nil {
		return nil, s.err
	}
	return scrypt(numbers[0], numbers[1], numbers[2], salt, sum)
}

// Werkzeug is Flask's: scrypt:N:r:p$salt$sum and pbkdf2:digest:iterations$salt$sum, and of versions
// before 3 digest$salt$sum, which is an HMAC under the salt. Of md5$ and sha1$ only the sum tells
// it from Django's: where both are read, either is right. Django's subclasses and web2py write the
// same texts with other sums, which match no password here, so password.Wrap refuses them all.
func Werkzeug() password.Format {
	return prefixed("werkzeug", func(prefix, rest string) (password.Parsed, error) {
		if newHash := digests[strings.TrimSuffix(prefix, "$")]; newHash != nil {
			return werkzeugHMAC(newHash, rest)
		}
		var s scan
		parts := s.split(rest, "$", 3)
		salt, sum := []byte(parts[1]), s.hex(parts[2])
		if prefix == "scrypt:" {
			numbers := s.split(parts[0], ":", 3)
			return s.scrypt(numbers[0], numbers[1], numbers[2], salt, sum)
		}
		digest, iterations, _ := strings.Cut(parts[0], ":")
		n := s.number(iterations)
		if s.err != nil {
			return nil, s.err
		}
		return ending(blank(parts[2], "0"))(pbkdf2(digest, n, salt, sum))
	}, "scrypt:", "pbkdf2:", "md5$", "sha1$", "sha224$", "sha256$", "sha384$", "sha512$")
}

// werkzeugHMAC reads salt$sum. It always had a salt, and what else begins so is another's. There is
// no Blank, as others write the same with another sum.
func werkzeugHMAC(newHash func() hash.Hash, rest string) (password.Parsed, error) {
	var s scan
	salt, text, _ := strings.Cut(rest, "$")
	sum := s.hex(text)
	if salt == "" || s.err != nil || len(sum) != newHash().Size() {
		return nil, nil
	}
	compute := func(password []byte) []byte { return mac.HMAC(newHash, []byte(salt), password) }
	return quick(newHash, len(sum), 2*time.Microsecond, sum, compute)
}
