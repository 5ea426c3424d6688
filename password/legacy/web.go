// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Frameworks of the web.

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"hash"
	"strings"
	"time"

	"fount/password"
)

var errDigest = errors.New("its digest is not read here: want SHA-1, SHA-256 or SHA-512")

// Django is what its hashers write: pbkdf2_sha256, pbkdf2_sha1, argon2, bcrypt, bcrypt_sha256, scrypt, md5 and
// sha1, the last two also without salt. Django itself cuts a bcrypt's password at 72 bytes.
func Django() password.Format {
	return form{"django", func(encoded string) (*password.Parsed, error) {
		name, rest, _ := strings.Cut(encoded, "$")
		switch name {
		case "pbkdf2_sha256", "pbkdf2_sha1":
			parts, err := split(rest, "$", 3)
			if err != nil {
				return nil, err
			}
			sum, err := base64Of(base64.StdEncoding, parts[2])
			if err != nil {
				return nil, err
			}
			return ending(blank(parts[2], "A"))(pbkdf2(strings.TrimPrefix(name, "pbkdf2_"), parts[0], []byte(parts[1]), sum))
		case "argon2":
			return known("$"+rest, nil)
		case "bcrypt":
			return known(rest, nil)
		case "bcrypt_sha256":
			return known(rest, hexSHA256)
		case "scrypt":
			return djangoScrypt(rest)
		case "md5", "sha1":
			parts, err := split(rest, "$", 2)
			if err != nil {
				return nil, err
			}
			sum, err := hexOf(parts[1])
			if err != nil {
				return nil, err
			}
			return ending(blank(parts[1], "0"))(salted(hmacDigests[name], []byte(parts[0]), nil, sum))
		}
		return nil, nil
	}}
}

// djangoScrypt reads N$salt$r$p$sum.
func djangoScrypt(rest string) (*password.Parsed, error) {
	parts, err := split(rest, "$", 5)
	if err != nil {
		return nil, err
	}
	sum, err := base64Of(base64.StdEncoding, parts[4])
	if err != nil {
		return nil, err
	}
	return scryptText(parts[0], parts[2], parts[3], []byte(parts[1]), sum)
}

func scryptText(n, r, p string, salt, sum []byte) (*password.Parsed, error) {
	var numbers [3]uint32
	for i, text := range []string{n, r, p} {
		var err error
		if numbers[i], err = number(text); err != nil {
			return nil, err
		}
	}
	return scrypt(numbers[0], numbers[1], numbers[2], salt, sum)
}

func hexSHA256(password []byte) []byte {
	d := newDigest(sha256.New)
	defer d.wipe()
	sum := d.of(nil, password)
	defer clear(sum)
	return hex.AppendEncode(nil, sum)
}

// Werkzeug is Flask's: scrypt:N:r:p$salt$sum and pbkdf2:digest:iterations$salt$sum, and of versions before 3 digest$salt$sum,
// which is an HMAC under the salt. Of md5$ and sha1$ only the sum tells it from Django's: where both are read, either is right.
func Werkzeug() password.Format {
	return prefixed("werkzeug", func(prefix, rest string) (*password.Parsed, error) {
		if newHash := hmacDigests[strings.TrimSuffix(prefix, "$")]; newHash != nil {
			return werkzeugHMAC(newHash, rest)
		}
		parts, err := split(rest, "$", 3)
		if err != nil {
			return nil, err
		}
		sum, err := hexOf(parts[2])
		if err != nil {
			return nil, err
		}
		salt := []byte(parts[1])
		if prefix == "pbkdf2:" {
			digest, iterations, _ := strings.Cut(parts[0], ":")
			return ending(blank(parts[2], "0"))(pbkdf2(digest, iterations, salt, sum))
		}
		numbers, err := split(parts[0], ":", 3)
		if err != nil {
			return nil, err
		}
		return scryptText(numbers[0], numbers[1], numbers[2], salt, sum)
	}, "scrypt:", "pbkdf2:", "md5$", "sha1$", "sha224$", "sha256$", "sha384$", "sha512$")
}

// werkzeugHMAC reads salt$sum. It always had a salt, and what else begins so is another's.
func werkzeugHMAC(newHash func() hash.Hash, rest string) (*password.Parsed, error) {
	salt, text, _ := strings.Cut(rest, "$")
	sum, err := hexOf(text)
	if salt == "" || err != nil || len(sum) != newHash().Size() {
		return nil, nil
	}
	return ending(blank(text, "0"))(quick(newHash, len(sum), 2*time.Microsecond, sum, func(password []byte) []byte {
		return hmacOf(newHash, []byte(salt), password)
	}))
}
