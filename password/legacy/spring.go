// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"hash"
	"strconv"
	"strings"
	"time"

	"fount/password"
)

var errPlain = errors.New("{noop} holds the password itself: " +
	"hash it with password.Hash, and store that")

// Spring is Spring Security's DelegatingPasswordEncoder with the encoders that its factory names:
// {bcrypt}, {scrypt}, {argon2} and {pbkdf2}, also with @SpringSecurity_v5_8, {ldap}, {MD5},
// {SHA-1}, {SHA-256} and {sha256}; with their defaults, so without a secret. {noop} is refused.
func Spring() password.Format {
	return form{"spring", func(encoded string) (password.Parsed, error) {
		id, rest, ok := strings.Cut(strings.TrimPrefix(encoded, "{"), "}")
		if !ok || encoded[0] != '{' {
			return nil, nil
		}
		switch id {
		case "bcrypt", "argon2", "argon2@SpringSecurity_v5_8":
			return known(rest, nil)
		case "scrypt", "scrypt@SpringSecurity_v5_8":
			return springScrypt(rest)
		case "pbkdf2":
			return springPBKDF2("sha1", 185_000, 8, rest)
		case "pbkdf2@SpringSecurity_v5_8":
			return springPBKDF2("sha256", 310_000, 16, rest)
		case "ldap":
			return ldap(rest)
		case "MD5":
			return springDigest(md5.New, rest)
		case "SHA-1":
			return springDigest(sha1.New, rest)
		case "SHA-256":
			return springDigest(sha256.New, rest)
		case "sha256":
			return springStandard(rest)
		case "noop":
			return nil, errPlain
		}
		return nil, nil
	}}
}

// springScrypt reads $e0801$salt$sum: log2 of N, r and p as hexadecimal digits.
func springScrypt(rest string) (password.Parsed, error) {
	var s scan
	parts := s.split(rest, "$", 4)
	n, err := strconv.ParseUint(parts[1], 16, 32)
	s.want(err == nil && parts[0] == "" && n>>16 > 0 && n>>16 < 32, errNumber)
	salt, sum := s.base64(std64, parts[2]), s.base64(std64, parts[3])
	if s.err != nil {
		return nil, s.err
	}
	return scrypt(1<<(n>>16), uint32(n>>8&0xff), uint32(n&0xff), salt, sum)
}

// springPBKDF2 reads salt and sum of 32 bytes in hexadecimal.
func springPBKDF2(digest string, iterations uint32, salt int, rest string) (password.Parsed, error) {
	var s scan
	b := s.hex(rest)
	if s.want(len(b) == salt+32, errSizes); s.err != nil {
		return nil, s.err
	}
	return ending(strings.Repeat("0", 64))(pbkdf2(digest, iterations, b[:salt], b[salt:]))
}

// springDigest reads MessageDigestPasswordEncoder's: the salt, which has braces of its own that are
// hashed too, and the sum.
func springDigest(newHash func() hash.Hash, rest string) (password.Parsed, error) {
	salt := rest[:strings.LastIndexByte(rest, '}')+1]
	if salt != "" && salt[0] != '{' {
		return nil, errSalt
	}
	var s scan
	sum := s.hex(rest[len(salt):])
	if s.err != nil {
		return nil, nil // {MD5} of a directory has base64
	}
	return ending(strings.Repeat("0", 2*len(sum)))(salted(newHash, nil, []byte(salt), sum))
}

// springStandard reads StandardPasswordEncoder's: 1024 times SHA-256, of a salt of 8 bytes and the
// password first.
func springStandard(rest string) (password.Parsed, error) {
	const rounds = 1024
	var s scan
	b := s.hex(rest)
	switch {
	case s.err != nil:
		return nil, nil // {sha256} of a directory has base64
	case len(b) != 8+sha256.Size:
		return nil, errSizes
	}
	return &password.Computed{
		Cost: rounds,
		Time: func(int) time.Duration { return rounds * (call + sha256Block) },
		Sum:  b[8:], Blank: strings.Repeat("0", 2*sha256.Size),
		Compute: func(password, _ []byte, yield func() bool) []byte {
			d, p := newDigest(sha256.New), pace{yield: yield}
			defer d.wipe()
			sum := d.of(nil, b[:8], password)
			for range rounds - 1 {
				if sum = d.of(sum, sum); !p.did(len(sum)) {
					return nil
				}
			}
			return sum
		},
	}, nil
}
