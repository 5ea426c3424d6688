// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The methods of rows: HMAC, iterated digests, PBKDF2, scrypt, and hashes that package password
// computes.

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/fips140"
	_ "crypto/md5"
	_ "crypto/sha1"
	"crypto/sha256"
	_ "crypto/sha3"
	_ "crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

// A method makes a password.Parsed from the fields of a string.
type method struct {
	size   int // of the sum in bytes; 0: 16 to maxSum
	hashOf func(v *values) (password.Parsed, error)

	// Of a sum that a row describes: which numbers, sorted, and how many salts the string has.
	numbers []string
	salts   int
}

// maxSalt and maxSum bound salts and sums, in bytes.
const maxSalt, maxSum = 64, 256

// digestNames has the digests that rows may name.
var digestNames = map[string]crypto.Hash{
	"md5":    crypto.MD5,
	"sha1":   crypto.SHA1,
	"sha224": crypto.SHA224,
	"sha256": crypto.SHA256,
	"sha384": crypto.SHA384,
	"sha512": crypto.SHA512,
}

// Times in nanoseconds on the machine of password.Limits.Time: of a new digest and its wiping, of
// each byte of a password that is digested once, of each digest, and of each of its blocks.
const (
	setupTime   = 500
	byteTime    = 2
	callTime    = 80
	md5Block    = 110
	sha1Block   = 60
	sha256Block = 70
	sha512Block = 220
	sha3Block   = 400
)

// blockTime returns the time of a block.
func blockTime(h crypto.Hash) int {
	switch h {
	case crypto.MD5:
		return md5Block
	case crypto.SHA1:
		return sha1Block
	case crypto.SHA224, crypto.SHA256:
		return sha256Block
	case crypto.SHA384, crypto.SHA512:
		return sha512Block
	}
	return sha3Block
}

var errFIPS = errors.New("it takes MD5 or SHA-1, which GODEBUG=fips140=only forbids: " +
	"let its users set new passwords, or verify them elsewhere")

// approved returns an error for MD5 and SHA-1 if FIPS 140 is enforced: they would panic.
func approved(h crypto.Hash) error {
	if fips140.Enforced() && h.Size() < sha256.Size224 {
		return errFIPS
	}
	return nil
}

// hmacUnderSalt returns the method of HMAC with the salt as its key.
func hmacUnderSalt(h crypto.Hash) method {
	return method{size: h.Size(), hashOf: func(v *values) (password.Parsed, error) {
		if len(v.salt) > 2*maxSalt {
			return nil, errSizes
		}
		return unstretched(1, v, func(password []byte) []byte {
			return mac.HMAC(h.New, v.salt, password)
		}, h, h)
	}}
}

// unstretched returns a hash without rounds, of cost 0. times is how often it digests the password.
func unstretched(times int, v *values, compute func(password []byte) []byte, hashes ...crypto.Hash) (password.Parsed, error) {
	for _, h := range hashes {
		if err := approved(h); err != nil {
			return nil, err
		}
	}

	setup := setupTime * (len(hashes) + times)
	return &password.Computed{
		Time:    func(n int) time.Duration { return time.Duration(setup + byteTime*n*times) },
		Sum:     v.sum,
		Blank:   v.blank,
		Compute: func(password, _ []byte, _ func() bool) []byte { return compute(password) },
	}, nil
}

// iterated returns the method of h over salt and password, and then over its own sum, iterations
// times in all, or as often as the string says.
func iterated(h crypto.Hash, iterations uint32) method {
	return method{size: h.Size(), hashOf: func(v *values) (password.Parsed, error) {
		rounds := cmp.Or(v.iterations, iterations)
		if err := approved(h); err != nil {
			return nil, err
		}
		if len(v.salt) > maxSalt {
			return nil, errSizes
		}

		return &password.Computed{
			Cost: rounds,
			Time: func(n int) time.Duration {
				return time.Duration(rounds)*time.Duration(callTime+blockTime(h)) + time.Duration(byteTime*n)
			},
			Sum:   v.sum,
			Blank: v.blank,
			Compute: func(password, _ []byte, yield func() bool) []byte {
				return iterate(h, rounds, password, v.salt, yield)
			},
		}, nil
	}}
}

// iterate returns the sum of an iterated digest, or nil if it was given up.
func iterate(h crypto.Hash, rounds uint32, password, salt []byte, yield func() bool) []byte {
	d := newDigest(h.New)
	defer d.wipe()

	p := pacer{yield: yield}
	sum := d.sum(nil, salt, password)
	for range rounds - 1 {
		sum = d.sum(sum, sum)
		if !p.did(len(sum)) {
			clear(sum)
			return nil
		}
	}
	return sum
}

// pbkdf2 returns the method of PBKDF2 with a sum as long as the digest.
func pbkdf2(h crypto.Hash) method {
	m := anyPBKDF2(h, 0)
	m.size = h.Size()
	return m
}

// anyPBKDF2 returns the method of PBKDF2 with a sum of 16 bytes or more. iterations is for strings
// that don't say it; else it is 0. Package password computes it with SHA-256 and SHA-512, up to its
// limits.
func anyPBKDF2(h crypto.Hash, iterations uint32) method {
	m := method{salts: 1}
	if iterations == 0 {
		m.numbers = []string{"i"}
	}

	m.hashOf = func(v *values) (password.Parsed, error) {
		n := cmp.Or(v.iterations, iterations)
		switch {
		case len(v.salt) > maxSalt || len(v.sum) < format.MinSum || len(v.sum) > maxSum:
			return nil, errLengths
		case v.length > 0 && int(v.length) != len(v.sum):
			return nil, errLength
		}

		name := map[crypto.Hash]string{crypto.SHA256: "pbkdf2-sha256", crypto.SHA512: "pbkdf2-sha512"}[h]
		if name != "" && len(v.sum) <= format.MaxSum {
			return phc(name, fmt.Sprintf("i=%d", n), v)
		}
		return computedPBKDF2(h, n, len(v.sum), v)
	}
	return m
}

// computedPBKDF2 returns a PBKDF2 of n iterations and a sum of size bytes.
func computedPBKDF2(h crypto.Hash, n uint32, size int, v *values) (*password.Computed, error) {
	if err := approved(h); err != nil {
		return nil, err
	}

	digests := (size + h.Size() - 1) / h.Size()
	each := time.Duration(digests * 2 * (callTime + blockTime(h))) // an HMAC is two digests
	return &password.Computed{
		Cost: n,
		Time: func(int) time.Duration { return time.Duration(n) * each },

		Sum:   v.sum,
		Blank: v.blank,
		Compute: func(password, _ []byte, yield func() bool) []byte {
			return mac.PBKDF2(h.New, password, v.salt, n, size, yield)
		},
	}, nil
}

// aix returns the method of AIX's PBKDF2. Its sum is text, in groups of three bytes, of which the
// last loses bits.
func aix(h crypto.Hash) method {
	return method{hashOf: func(v *values) (password.Parsed, error) {
		c, err := computedPBKDF2(h, v.iterations, h.Size(), v)
		if err != nil {
			return nil, err
		}

		compute := c.Compute
		c.Compute = func(password, memory []byte, yield func() bool) (text []byte) {
			sum := compute(password, memory, yield)
			defer clear(sum)

			for i := 0; i < len(sum); i += 3 {
				var group [4]byte
				n := copy(group[1:], sum[i:])
				text = format.AppendCrypt64(text, binary.BigEndian.Uint32(group[:]), n+1)
			}
			return text
		}
		return c, nil
	}}
}

// Errors of a whole string.
var (
	errLengths = errors.New("want a salt of at most 64 bytes and a sum of 16 or more")
	errLength  = errors.New("the sum is shorter or longer than LENGTH says: it is cut, or has more behind it")
)

// scrypt is the method that package password computes.
var scrypt = method{numbers: []string{"n", "p", "r"}, salts: 1, hashOf: func(v *values) (password.Parsed, error) {
	return phc("scrypt", fmt.Sprintf("ln=%d,r=%d,p=%d", v.log2N, v.r, v.p), v)
}}

// scryptOfN is scrypt for strings that have N itself. Other makers write its logarithm in the same
// place, so a number below 64 is one of those, and of another form.
var scryptOfN = method{hashOf: func(v *values) (password.Parsed, error) {
	if v.log2N < 6 {
		return nil, nil
	}
	return scrypt.hashOf(v)
}}

// rubyScrypt takes the salt as a number, without leading zeros.
var rubyScrypt = method{hashOf: func(v *values) (password.Parsed, error) {
	v.salt = bytes.TrimLeft(v.salt, "\x00")
	return scrypt.hashOf(v)
}}

// phc returns a hash in PHC form, which package password computes.
func phc(name, parameters string, v *values) (password.Parsed, error) {
	return &password.Translated{Hash: phcText(name, parameters, v.salt, v.sum), Blank: v.blank}, nil
}

func phcText(name, parameters string, salt, sum []byte) string {
	return "$" + name + "$" + parameters + "$" +
		format.B64.EncodeToString(salt) + "$" + format.B64.EncodeToString(sum)
}

// parseHash returns the method that calls parse with {hash}.
func parseHash(parse func(hash string) (password.Parsed, error)) method {
	return method{hashOf: func(v *values) (password.Parsed, error) { return parse(string(v.hash)) }}
}

// refused returns the method of a form that is known and not read.
func refused(why error) method {
	return parseHash(func(string) (password.Parsed, error) { return nil, why })
}

// A prepare is a password.Translated.Prepare: it is exact if no other password gives the same.
type prepare func(password []byte) (prepared []byte, exact bool)

// textOf returns the prepare that returns the digest of a password as text.
func textOf(h crypto.Hash, encode func(dst, src []byte) []byte) prepare {
	return func(password []byte) ([]byte, bool) {
		d := newDigest(h.New)
		defer d.wipe()

		sum := d.sum(nil, password)
		defer clear(sum)
		return encode(nil, sum), true
	}
}

// hexOf returns the prepare that returns the digest of a password in hexadecimal.
func hexOf(h crypto.Hash) prepare { return textOf(h, hex.AppendEncode) }
