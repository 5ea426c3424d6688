// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha3"
	"encoding/hex"
	"errors"
	"hash"
	"strings"
	"time"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

var (
	errMD4    = errors.New("HMAC with MD4 is not read here: let its users set a new password")
	errFormat = errors.New("want {PASSWORD} once in pf, the format of what was hashed")
	errLength = errors.New("l is not the length of the sum")
)

// Kratos is what Ory's Kratos keeps in the forms that it alone writes: $md5$, $sha1$, $sha256$ and
// $sha512$ with the format of what was hashed (pf), $hmac-...$ but for MD4, $pbkdf2-sha1$,
// $pbkdf2-sha224$ and $pbkdf2-sha384$, the last two of which are SHA-3, $scrypt$ with N in ln, and
// crypt(3)'s as $md5-crypt$, $sha256-crypt$ and $sha512-crypt$. Firebase and LDAP read its others.
// (hash/hash_comparator.go of ory/kratos)
func Kratos() password.Format {
	return form{"kratos", func(encoded string) (password.Parsed, error) {
		name, rest, ok := strings.Cut(strings.TrimPrefix(encoded, "$"), "$")
		if !ok || encoded[0] != '$' {
			return nil, nil
		}
		digest, isHMAC := strings.CutPrefix(name, "hmac-")
		switch {
		case name == "md5-crypt":
			return MD5Crypt().Parse("$1$" + rest)
		case name == "sha256-crypt":
			return SHA256Crypt().Parse("$5$" + rest)
		case name == "sha512-crypt":
			return SHA512Crypt().Parse("$6$" + rest)
		case name == "pbkdf2-sha1":
			return kratosPBKDF2(sha1.New, sha1Block, rest)
		case name == "pbkdf2-sha224":
			return kratosPBKDF2(func() hash.Hash { return sha3.New224() }, sha3Block, rest)
		case name == "pbkdf2-sha384":
			return kratosPBKDF2(func() hash.Hash { return sha3.New384() }, sha3Block, rest)
		case name == "scrypt":
			return kratosScrypt(rest)
		case isHMAC:
			return kratosHMAC(digest, rest)
		case name == "md5" && strings.Count(rest, "$") == 0 && strings.HasSuffix(rest, "=="):
			sum, err := format.Decode(std64, rest)
			if err != nil {
				return nil, err
			}
			return ending(blank(rest, "A"))(salted(md5.New, nil, nil, sum))
		case strings.HasPrefix(rest, "pf=") && digests[name] != nil:
			return kratosDigest(digests[name], rest)
		}
		return nil, nil
	}}
}

// kratosDigest reads pf=format$salt$sum, all in base64.
func kratosDigest(newHash func() hash.Hash, rest string) (password.Parsed, error) {
	var s scan
	parts := s.split(rest, "$", 3)
	format := s.base64(std64, strings.TrimPrefix(parts[0], "pf="))
	salt, sum := s.base64(std64, parts[1]), s.base64(std64, parts[2])
	before, after, ok := strings.Cut(string(format), "{PASSWORD}")
	s.want(ok && !strings.Contains(after, "{PASSWORD}"), errFormat)
	if s.err != nil {
		return nil, s.err
	}
	return ending(blank(parts[2], "A"))(saltedAround(newHash, before, after, "{SALT}", salt, sum))
}

// kratosHMAC reads sum$key. The sum is base64 of hexadecimal.
func kratosHMAC(digest, rest string) (password.Parsed, error) {
	if digest == "md4" {
		return nil, errMD4
	}
	newHash := digests[digest]
	if newHash == nil {
		return nil, nil
	}
	var s scan
	parts := s.split(rest, "$", 2)
	text, key := s.base64(std64, parts[0]), s.base64(std64, parts[1])
	if s.want(len(key) <= 128, errSizes); s.err != nil {
		return nil, s.err
	}
	blank := std64.EncodeToString(bytes.Repeat([]byte("0"), len(text))) + "$" + parts[1]
	compute := func(password []byte) []byte {
		return hex.AppendEncode(nil, mac.HMAC(newHash, key, password))
	}
	return ending(blank)(quick(newHash, 2*newHash().Size(), 2*time.Microsecond, text, compute))
}

// kratosPBKDF2 reads i=iterations,l=length$salt$sum.
func kratosPBKDF2(newHash func() hash.Hash, blockTime int, rest string) (password.Parsed, error) {
	var s scan
	parts := s.split(rest, "$", 3)
	n := s.named(parts[0], "i=", "l=")
	salt, sum := s.base64(format.B64, parts[1]), s.base64(format.B64, parts[2])
	if s.want(int64(n[1]) == int64(len(sum)), errLength); s.err != nil {
		return nil, s.err
	}
	return ending(blank(parts[2], "A"))(pbkdf2Of(newHash, blockTime, n[0], salt, sum))
}

// kratosScrypt reads ln=N,r=8,p=1$salt$sum, whose base64 is padded. What it can't read may be
// another maker's.
func kratosScrypt(rest string) (password.Parsed, error) {
	var s scan
	parts := s.split(rest, "$", 3)
	n := s.named(parts[0], "ln=", "r=", "p=")
	if s.err != nil || n[0] < 64 {
		return nil, nil
	}
	salt, sum := s.base64(std64, parts[1]), s.base64(std64, parts[2])
	if s.err != nil {
		return nil, s.err
	}
	return scrypt(n[0], n[1], n[2], salt, sum)
}
