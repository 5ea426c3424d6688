// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"time"

	"fount/internal/turn"
	"fount/password"
	"fount/password/internal/mac"
)

// PBKDF2SHA1 is PBKDF2 with SHA-1 as passlib and Atlassian write it: $pbkdf2$ and {PKCS5S2}.
func PBKDF2SHA1() password.Format {
	return prefixed("pbkdf2-sha1", func(prefix, rest string) (*password.Parsed, error) {
		if prefix == "{PKCS5S2}" {
			b, err := base64Of(base64.StdEncoding, rest)
			if err != nil {
				return nil, err
			}
			if len(b) != 16+32 {
				return nil, errSizes
			}
			return ending(blankFrom(b, 16, len(b)))(pbkdf2SHA1(10_000, b[:16], b[16:]))
		}
		return passlibPBKDF2("sha1", rest)
	}, "$pbkdf2$", "{PKCS5S2}")
}

// passlibPBKDF2 reads iterations$salt$sum.
func passlibPBKDF2(digest, rest string) (*password.Parsed, error) {
	parts, err := split(rest, "$", 3)
	if err != nil {
		return nil, err
	}
	salt, sum, err := both(ab64, parts[1], parts[2])
	if err != nil {
		return nil, err
	}
	return ending(blank(parts[2], "A"))(pbkdf2(digest, parts[0], salt, sum))
}

// blankFrom is the base64 of b with zeros in a part of it.
func blankFrom(b []byte, from, to int) string {
	b = bytes.Clone(b)
	clear(b[from:to])
	return base64.StdEncoding.EncodeToString(b)
}

func both(enc *base64.Encoding, salt, sum string) (a, b []byte, err error) {
	if a, err = base64Of(enc, salt); err == nil {
		b, err = base64Of(enc, sum)
	}
	return a, b, err
}

// pbkdf2 is PBKDF2 with one of three digests, and its iterations as text.
func pbkdf2(digest, iterations string, salt, sum []byte) (*password.Parsed, error) {
	n, err := number(iterations)
	if err != nil {
		return nil, err
	}
	switch digest {
	case "sha1":
		return pbkdf2SHA1(n, salt, sum)
	case "sha256", "sha512":
		return phc("pbkdf2-"+digest, "i="+iterations, salt, sum)
	}
	return nil, errDigest
}

func pbkdf2SHA1(iterations uint32, salt, sum []byte) (*password.Parsed, error) {
	return pbkdf2Of(sha1.New, sha1Block, iterations, salt, sum)
}

// pbkdf2Of is two digests of two blocks for each iteration, the first of which are known.
func pbkdf2Of(newHash func() hash.Hash, blockTime int, iterations uint32, salt, sum []byte) (*password.Parsed, error) {
	if len(salt) > 64 || len(sum) < 16 || len(sum) > 64 {
		return nil, errSizes
	}
	if err := approved(newHash); err != nil {
		return nil, err
	}
	size := newHash().Size()
	blocks := (len(sum) + size - 1) / size
	each := time.Duration(blocks * 2 * (call + blockTime))
	return &password.Parsed{
		Cost: iterations,
		Time: func(int) time.Duration { return time.Duration(iterations) * each },
		Sum:  sum,
		Compute: func(password, _ []byte, yield func() bool) []byte {
			m := mac.New(newHash, password)
			defer m.Wipe()
			var t turn.Turn
			t.StartCalling(mac.LookEvery, yield)
			return m.PBKDF2(salt, iterations, len(sum), &t)
		},
	}, nil
}

// ASPNET is ASP.NET Core Identity's, versions 2 and 3: base64 that begins with a byte 0 or 1.
func ASPNET() password.Format {
	return form{"aspnet", func(encoded string) (*password.Parsed, error) {
		const v2, v3 = 1 + 16 + 32, 13
		b, err := base64Of(base64.StdEncoding, encoded)
		switch {
		case err != nil || len(b) == 0:
			return nil, nil
		case b[0] == 0 && len(b) == v2:
			return ending(blankFrom(b, 17, v2))(pbkdf2SHA1(1000, b[1:17], b[17:]))
		case b[0] != 1 || len(b) < v3 || !bytes.Equal(b[1:4], make([]byte, 3)):
			return nil, nil
		}
		prf, n, salt := b[4], binary.BigEndian.Uint32(b[5:]), binary.BigEndian.Uint32(b[9:])
		if int64(salt) > int64(len(b)-v3) {
			return nil, errSizes
		}
		digests := []string{"sha1", "sha256", "sha512"}
		if int(prf) >= len(digests) {
			return nil, errDigest
		}
		return ending(blankFrom(b, int(v3+salt), len(b)))(pbkdf2(digests[prf], digits(n), b[v3:][:salt], b[v3+salt:]))
	}}
}
