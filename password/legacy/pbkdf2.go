// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"hash"
	"time"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

// PBKDF2SHA1 is PBKDF2 with SHA-1 as passlib and Atlassian write it: $pbkdf2$ and {PKCS5S2}.
func PBKDF2SHA1() password.Format {
	return prefixed("pbkdf2-sha1", func(prefix, rest string) (password.Parsed, error) {
		if prefix == "$pbkdf2$" {
			return passlibPBKDF2("sha1", rest)
		}
		var s scan
		b := s.base64(std64, rest)
		if s.want(len(b) == 16+32, errSizes); s.err != nil {
			return nil, s.err
		}
		return ending(blankFrom(b, 16, len(b)))(pbkdf2("sha1", 10_000, b[:16], b[16:]))
	}, "$pbkdf2$", "{PKCS5S2}")
}

// passlibPBKDF2 reads iterations$salt$sum, of which package password reads SHA-2's itself.
func passlibPBKDF2(digest, rest string) (password.Parsed, error) {
	var s scan
	parts := s.split(rest, "$", 3)
	n := s.number(parts[0])
	salt, sum := s.base64(format.AB64, parts[1]), s.base64(format.AB64, parts[2])
	if s.err != nil {
		return nil, s.err
	}
	if digest != "sha1" {
		return ending(blank(parts[2], "A"))(known("$pbkdf2-"+digest+"$"+rest, nil))
	}
	return ending(blank(parts[2], "A"))(pbkdf2(digest, n, salt, sum))
}

// pbkdf2 is PBKDF2 with one of three digests.
func pbkdf2(digest string, iterations uint32, salt, sum []byte) (password.Parsed, error) {
	switch digest {
	case "sha1":
		return pbkdf2Of(sha1.New, sha1Block, iterations, salt, sum)
	case "sha256", "sha512":
		return phc("pbkdf2-"+digest, fmt.Sprintf("i=%d", iterations), salt, sum)
	}
	return nil, errDigest
}

// pbkdf2Of is two digests of two blocks for each iteration, the first of which are known.
func pbkdf2Of(newHash func() hash.Hash, blockTime int, iterations uint32, salt, sum []byte) (
	password.Parsed, error) {
	if len(salt) > 64 || len(sum) < 16 || len(sum) > 64 {
		return nil, errSizes
	}
	if err := approved(newHash); err != nil {
		return nil, err
	}
	size := newHash().Size()
	blocks := (len(sum) + size - 1) / size
	each := time.Duration(blocks * 2 * (call + blockTime))
	return &password.Computed{
		Cost: iterations,
		Time: func(int) time.Duration { return time.Duration(iterations) * each },
		Sum:  sum,
		Compute: func(password, _ []byte, yield func() bool) []byte {
			return mac.PBKDF2(newHash, password, salt, iterations, len(sum), yield)
		},
	}, nil
}

// ASPNET is ASP.NET Core Identity's, versions 2 and 3: base64 that begins with a byte 0 or 1.
func ASPNET() password.Format {
	return form{"aspnet", func(encoded string) (password.Parsed, error) {
		const v2, v3 = 1 + 16 + 32, 13
		b, err := format.Decode(std64, encoded)
		switch {
		case err != nil || len(b) == 0:
			return nil, nil
		case b[0] == 0 && len(b) == v2:
			return ending(blankFrom(b, 17, v2))(pbkdf2("sha1", 1000, b[1:17], b[17:]))
		case b[0] != 1 || len(b) < v3 || !bytes.Equal(b[1:4], make([]byte, 3)):
			return nil, nil
		}
		prf := b[4]
		n, salt := binary.BigEndian.Uint32(b[5:]), binary.BigEndian.Uint32(b[9:])
		digests := []string{"sha1", "sha256", "sha512"}
		switch {
		case n == 0:
			return nil, errNumber
		case int64(salt) > int64(len(b)-v3):
			return nil, errSizes
		case int(prf) >= len(digests):
			return nil, errDigest
		}
		blank := blankFrom(b, int(v3+salt), len(b))
		return ending(blank)(pbkdf2(digests[prf], n, b[v3:][:salt], b[v3+salt:]))
	}}
}
