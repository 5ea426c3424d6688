// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The methods of rows: digests, HMAC, PBKDF2, scrypt, and hashes of package password.

import (
	"bytes"
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
	"strings"
	"time"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

// A method makes a stored hash of a row's fields.
type method struct {
	size   int // of the sum in bytes; 0: 16 to 128
	parsed func(v *values) (password.Parsed, error)
}

// maxSalt and maxSum are the most bytes of salts and sums.
const maxSalt, maxSum = 64, 256

// digestNames are the digests of DigestForm's Input and of some makers.
var digestNames = map[string]crypto.Hash{"md5": crypto.MD5, "sha1": crypto.SHA1, "sha224": crypto.SHA224,
	"sha256": crypto.SHA256, "sha384": crypto.SHA384, "sha512": crypto.SHA512}

// blockTime is how long a block takes, in ns, where a bcrypt of cost 10 takes 54 ms. A call takes
// some more.
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

const call, md5Block, sha1Block, sha256Block, sha512Block, sha3Block = 80, 110, 60, 70, 220, 400

var errFIPS = errors.New("it takes MD5 or SHA-1, which GODEBUG=fips140=only forbids: " +
	"let its users set new passwords, or verify them elsewhere")

// approved returns an error for MD5 and SHA-1, the digests below 28 bytes, where FIPS 140 is
// enforced: there they panic.
func approved(h crypto.Hash) error {
	if fips140.Enforced() && h.Size() < sha256.Size224 {
		return errFIPS
	}
	return nil
}

// digest is h of input: see DigestForm.
func digest(h crypto.Hash, input string) method {
	in, err := parseInput(input)
	if err != nil {
		panic(err)
	}
	return method{h.Size(), func(v *values) (password.Parsed, error) { return in.parsed(h, v) }}
}

// keyed is HMAC under the salt.
func keyed(h crypto.Hash) method {
	return method{h.Size(), func(v *values) (password.Parsed, error) {
		if len(v.salt) > 2*maxSalt {
			return nil, errSizes
		}
		return quick(1, v, func(password []byte) []byte {
			return mac.HMAC(h.New, v.salt, password)
		}, h, h)
	}}
}

// quick is a hash without rounds, which digests the password so many times. It counts as cost 0.
func quick(times int, v *values, compute func(password []byte) []byte, hashes ...crypto.Hash) (password.Parsed, error) {
	for _, h := range hashes {
		if err := approved(h); err != nil {
			return nil, err
		}
	}
	short := time.Duration(len(hashes)+times) * time.Microsecond / 2
	return &password.Computed{
		Time:    func(n int) time.Duration { return short + time.Duration(2*n*times) },
		Sum:     v.sum,
		Blank:   v.blank,
		Compute: func(password, _ []byte, _ func() bool) []byte { return compute(password) },
	}, nil
}

// iterated is h of salt and password, and so many times in all of what came out.
func iterated(h crypto.Hash, iterations uint32) method {
	return method{h.Size(), func(v *values) (password.Parsed, error) {
		rounds := max(v.iterations, iterations)
		if err := approved(h); err != nil {
			return nil, err
		}
		if len(v.salt) > maxSalt {
			return nil, errSizes
		}
		return &password.Computed{
			Cost: rounds,
			Time: func(n int) time.Duration {
				return time.Duration(rounds)*time.Duration(call+blockTime(h)) + time.Duration(2*n)
			},
			Sum: v.sum, Blank: v.blank,
			Compute: func(password, _ []byte, yield func() bool) []byte {
				d, p := newDigest(h.New), pace{yield: yield}
				defer d.wipe()
				sum := d.of(nil, v.salt, password)
				for range rounds - 1 {
					sum = d.of(sum, sum)
					if !p.did(len(sum)) {
						return nil
					}
				}
				return sum
			},
		}, nil
	}}
}

// pbkdf2 is PBKDF2 of so many iterations, or of those that the string says, and a sum as long as
// the digest.
func pbkdf2(h crypto.Hash, iterations uint32) method {
	m := anyPBKDF2(h, iterations)
	m.size = h.Size()
	return m
}

// anyPBKDF2 is PBKDF2 with a sum of 16 bytes or more. With SHA-256 and SHA-512 it is package
// password's where that reads it.
func anyPBKDF2(h crypto.Hash, iterations uint32) method {
	return method{parsed: func(v *values) (password.Parsed, error) {
		n := max(v.iterations, iterations)
		switch {
		case len(v.salt) > maxSalt || len(v.sum) < format.MinSum || len(v.sum) > maxSum:
			return nil, errLengths
		case v.length > 0 && int(v.length) != len(v.sum):
			return nil, errLength
		case (h == crypto.SHA256 || h == crypto.SHA512) && len(v.sum) <= format.MaxSum:
			name := map[crypto.Hash]string{crypto.SHA256: "pbkdf2-sha256", crypto.SHA512: "pbkdf2-sha512"}[h]
			return phc(name, fmt.Sprintf("i=%d", n), v)
		}
		return computedPBKDF2(h, n, len(v.sum), v)
	}}
}

// computedPBKDF2 is so many bytes of PBKDF2.
func computedPBKDF2(h crypto.Hash, n uint32, size int, v *values) (*password.Computed, error) {
	if err := approved(h); err != nil {
		return nil, err
	}
	blocks := (size + h.Size() - 1) / h.Size() // of two digests of two blocks, the first known
	each := time.Duration(blocks * 2 * (call + blockTime(h)))
	return &password.Computed{
		Cost: n,
		Time: func(int) time.Duration { return time.Duration(n) * each },
		Sum:  v.sum, Blank: v.blank,
		Compute: func(password, _ []byte, yield func() bool) []byte {
			return mac.PBKDF2(h.New, password, v.salt, n, size, yield)
		},
	}, nil
}

// aix is PBKDF2 with a sum as text, in groups of three bytes, the last of which loses bits.
func aix(h crypto.Hash) method {
	return method{parsed: func(v *values) (password.Parsed, error) {
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

// errLengths and errLength are about a whole string.
var (
	errLengths = errors.New("want a salt of at most 64 bytes and a sum of 16 or more")
	errLength  = errors.New("the sum is shorter or longer than LENGTH says: it is cut, or has more behind it")
)

// scrypt is package password's.
var scrypt = method{parsed: func(v *values) (password.Parsed, error) {
	return phc("scrypt", fmt.Sprintf("ln=%d,r=%d,p=%d", v.log2N, v.r, v.p), v)
}}

// rubyScrypt is of the salt as a number: without its first zeros.
var rubyScrypt = method{parsed: func(v *values) (password.Parsed, error) {
	v.salt = bytes.TrimLeft(v.salt, "\x00")
	return scrypt.parsed(v)
}}

// phc is a hash that package password reads.
func phc(name, parameters string, v *values) (password.Parsed, error) {
	return &password.Translated{Hash: phcText(name, parameters, v.salt, v.sum), Blank: v.blank}, nil
}

func phcText(name, parameters string, salt, sum []byte) string {
	return "$" + name + "$" + parameters + "$" +
		format.B64.EncodeToString(salt) + "$" + format.B64.EncodeToString(sum)
}

// as is a hash that package password reads, behind prefix, of the prepared password.
func as(prefix string, prepare func([]byte) []byte) method {
	return method{parsed: func(v *values) (password.Parsed, error) {
		return known(prefix+v.hash, prepare)
	}}
}

func known(hash string, prepare func([]byte) []byte) (password.Parsed, error) {
	if !strings.HasPrefix(hash, "$") {
		return nil, errHash
	}
	parsed := &password.Translated{Hash: hash, Prepare: prepare}
	if strings.HasPrefix(hash, "$2") {
		parsed.Blank = blankBcrypt
	}
	return parsed, nil
}

// glauth is a bcrypt in hexadecimal.
var glauth = rest(func(hash string) (password.Parsed, error) {
	return &password.Translated{Hash: "$2" + hash, Blank: hex.EncodeToString([]byte(blankBcrypt))}, nil
})

// blankBcrypt is a bcrypt's sum of zeros.
var blankBcrypt = strings.Repeat(".", 31)

// rest is what parse makes of {hash}.
func rest(parse func(hash string) (password.Parsed, error)) method {
	return method{parsed: func(v *values) (password.Parsed, error) { return parse(v.hash) }}
}

// refused is what is not read, with the reason.
func refused(why error) method {
	return rest(func(string) (password.Parsed, error) { return nil, why })
}

// textOf returns a function that returns the digest of a password as text.
func textOf(h crypto.Hash, encode func(dst, src []byte) []byte) func([]byte) []byte {
	return func(password []byte) []byte {
		d := newDigest(h.New)
		defer d.wipe()
		sum := d.of(nil, password)
		defer clear(sum)
		return encode(nil, sum)
	}
}

// hexOf is the digest in hexadecimal.
func hexOf(h crypto.Hash) func([]byte) []byte { return textOf(h, hex.AppendEncode) }
