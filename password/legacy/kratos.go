// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"hash"
	"strings"
	"time"

	"fount/password"
)

var (
	errMD4    = errors.New("HMAC with MD4 is not read here: let its users set a new password")
	errFormat = errors.New("want {PASSWORD} once in pf, the format of what was hashed")
	errLength = errors.New("l is not the length of the sum")
)

// Kratos is what Ory's Kratos keeps, its own and what was imported, in the forms that it alone writes: $md5$, $sha1$, $sha256$ and $sha512$ with the format of what was hashed
// (pf), $hmac-...$ but for MD4, $pbkdf2-sha1$, $pbkdf2-sha224$ and $pbkdf2-sha384$, the last two of which are SHA-3, $scrypt$ with N in ln, and
// crypt(3)'s as $md5-crypt$, $sha256-crypt$ and $sha512-crypt$. Firebase and LDAP read its others. (hash/hash_comparator.go of ory/kratos)
func Kratos() password.Format {
	return form{"kratos", func(encoded string) (*password.Parsed, error) {
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
			sum, err := base64Of(base64.StdEncoding, rest)
			if err != nil {
				return nil, err
			}
			return ending(blank(rest, "A"))(salted(md5.New, nil, nil, sum))
		case strings.HasPrefix(rest, "pf=") && kratosDigests[name] != nil:
			return kratosDigest(kratosDigests[name], rest)
		}
		return nil, nil
	}}
}

// kratosDigests are those that may have a format.
var kratosDigests = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New}

// kratosDigest reads pf=format$salt$sum, all in base64.
func kratosDigest(newHash func() hash.Hash, rest string) (*password.Parsed, error) {
	parts, err := split(rest, "$", 3)
	if err != nil {
		return nil, err
	}
	format, err := base64Of(base64.StdEncoding, strings.TrimPrefix(parts[0], "pf="))
	if err != nil {
		return nil, err
	}
	salt, sum, err := both(base64.StdEncoding, parts[1], parts[2])
	if err != nil {
		return nil, err
	}
	before, after, ok := strings.Cut(string(format), "{PASSWORD}")
	if !ok || strings.Contains(after, "{PASSWORD}") {
		return nil, errFormat
	}
	return ending(blank(parts[2], "A"))(saltedAround(newHash, before, after, "{SALT}", salt, sum))
}

// kratosHMAC reads sum$key. The sum is base64 of hexadecimal.
func kratosHMAC(digest, rest string) (*password.Parsed, error) {
	if digest == "md4" {
		return nil, errMD4
	}
	newHash := hmacDigests[digest]
	if newHash == nil {
		return nil, nil
	}
	parts, err := split(rest, "$", 2)
	if err != nil {
		return nil, err
	}
	text, key, err := both(base64.StdEncoding, parts[0], parts[1])
	if err != nil {
		return nil, err
	}
	if len(key) > 128 {
		return nil, errSizes
	}
	zeros := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("0"), len(text)))
	return ending(zeros + "$" + parts[1])(quick(newHash, 2*newHash().Size(), 2*time.Microsecond, text, func(password []byte) []byte {
		return hex.AppendEncode(nil, hmacOf(newHash, key, password))
	}))
}

// kratosPBKDF2 reads i=iterations,l=length$salt$sum.
func kratosPBKDF2(newHash func() hash.Hash, blockTime int, rest string) (*password.Parsed, error) {
	parts, err := split(rest, "$", 3)
	if err != nil {
		return nil, err
	}
	n, err := named(strings.SplitN(parts[0], ",", 3), "i=", "l=")
	if err != nil {
		return nil, err
	}
	salt, sum, err := both(base64.RawStdEncoding, parts[1], parts[2])
	if err != nil {
		return nil, err
	}
	if int64(n[1]) != int64(len(sum)) {
		return nil, errLength
	}
	return ending(blank(parts[2], "A"))(pbkdf2Of(newHash, blockTime, n[0], salt, sum))
}

// kratosScrypt reads ln=N,r=8,p=1$salt$sum, whose base64 is padded. What it can't read may be another maker's.
func kratosScrypt(rest string) (*password.Parsed, error) {
	parts, err := split(rest, "$", 3)
	if err != nil {
		return nil, nil
	}
	n, err := named(strings.SplitN(parts[0], ",", 4), "ln=", "r=", "p=")
	if err != nil || n[0] < 64 {
		return nil, nil
	}
	salt, sum, err := both(base64.StdEncoding, parts[1], parts[2])
	if err != nil {
		return nil, err
	}
	return scrypt(n[0], n[1], n[2], salt, sum)
}
