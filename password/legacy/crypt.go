// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What crypt(3) makes with MD5, SHA-1 and SHA-2.

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/md5"
	"crypto/sha1"
	"errors"
	"fmt"
	"strings"
	"time"

	"fount/password"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

// crypt reads what crypt(3) writes. Package password itself reads bcrypt and scrypt.
func crypt(hash string) (password.Parsed, error) {
	for _, prefix := range []string{"$2a$", "$2b$", "$2y$", "$7$"} {
		if strings.HasPrefix(hash, prefix) {
			return nativeHash(hash, nil)
		}
	}

	for _, f := range compiled() {
		if !f.crypt {
			continue
		}
		parsed, err := f.whole.Parse(hash)
		if parsed != nil || err != nil {
			return parsed, err
		}
	}
	return nil, errHash
}

// cryptSalt returns an error for a salt that crypt(3) does not write.
func cryptSalt(salt []byte, maxLen int) error {
	if len(salt) > maxLen || bytes.ContainsAny(salt, ":$") {
		return errCryptSalt
	}
	return nil
}

var errCryptSalt = errors.New("the salt is longer than its maker writes, or has a colon")

var errSun = errors.New("it is Sun's MD5, which is not read here: let its users set a new password")

const md5Rounds = 1000 // no string says it

// md5Crypt returns the method of FreeBSD's crypt, of 1000 rounds, with the magic in the digest.
func md5Crypt(magic string) method {
	return method{size: 22, hashOf: func(v *values) (password.Parsed, error) {
		if err := cmp.Or(cryptSalt(v.salt, 8), approved(crypto.MD5)); err != nil {
			return nil, err
		}

		return &password.Computed{
			Cost: md5Rounds,
			Time: func(n int) time.Duration { return md5Rounds * time.Duration(callTime+blocks(16+2*n+8, 64)*md5Block) },

			Sum:   v.sum,
			Blank: v.blank,
			Compute: func(password, _ []byte, yield func() bool) []byte {
				d := newDigest(md5.New)
				defer d.wipe()

				return d.md5Crypt(magic, password, v.salt, &pacer{yield: yield})
			},
		}, nil
	}}
}

// sha1Crypt is NetBSD's method: repeated HMAC-SHA-1 under the password, first of salt and rounds.
// https://github.com/NetBSD/src/blob/trunk/lib/libcrypt/crypt-sha1.c
var sha1Crypt = method{size: 28, hashOf: func(v *values) (password.Parsed, error) {
	if err := cmp.Or(cryptSalt(v.salt, 64), approved(crypto.SHA1)); err != nil {
		return nil, err
	}

	return &password.Computed{
		Cost: v.iterations,
		Time: func(int) time.Duration { return time.Duration(v.iterations) * 2 * (callTime + sha1Block) },

		Sum:   v.sum,
		Blank: v.blank,
		Compute: func(password, _ []byte, yield func() bool) []byte {
			m := mac.New(sha1.New, password)
			defer m.Wipe()

			m.Write(fmt.Appendf(nil, "%s$sha1$%d", v.salt, v.iterations))
			sum := m.Sum(nil)
			defer clear(sum)

			p := pacer{yield: yield}
			for range v.iterations - 1 {
				m.Write(sum)
				sum = m.Sum(sum[:0])
				if !p.did(2 * len(sum)) {
					return nil
				}
			}

			var b []byte
			for i := 0; i < 18; i += 3 {
				b = threeBytes(b, sum, i, i+1, i+2)
			}
			return threeBytes(b, sum, 18, 19, 0)
		},
	}, nil
}}

// blocks returns how many blocks a digest of n bytes takes.
func blocks(n, block int) int { return (n+8)/block + 1 }

// md5Crypt returns the sum as text, or nil if it was given up.
// https://github.com/freebsd/freebsd-src/blob/main/lib/libcrypt/crypt-md5.c
func (d *wipedDigest) md5Crypt(magic string, password, salt []byte, p *pacer) []byte {
	sum := d.sum(make([]byte, 0, md5.Size), password, salt, password)
	defer clear(sum)

	d.Reset()
	d.Write(password)
	d.Write([]byte(magic))
	d.Write(salt)
	for n := len(password); n > 0; n -= len(sum) {
		d.Write(sum[:min(n, len(sum))])
	}
	for n := len(password); n > 0; n >>= 1 {
		if n&1 == 1 {
			d.Write([]byte{0})
		} else {
			d.Write(password[:1])
		}
	}
	sum = d.Sum(sum[:0])

	for round := range md5Rounds {
		d.round(sum, round, password, salt)
		if !p.did(len(sum) + 2*len(password) + len(salt)) {
			return nil
		}
	}

	var b []byte
	for i, last := range []int{12, 13, 14, 15, 5} {
		b = threeBytes(b, sum, i, i+6, last)
	}
	return format.AppendCrypt64(b, uint32(sum[11]), 2)
}

// threeBytes appends bytes i, j and k of sum as four characters, with the bits of k first.
func threeBytes(b, sum []byte, i, j, k int) []byte {
	return format.AppendCrypt64(b, uint32(sum[i])<<16|uint32(sum[j])<<8|uint32(sum[k]), 4)
}

// round is a round of $1$, $5$ and $6$: over sum and password, in alternating order, with the salt
// between them but in each third round, and the password but in each seventh.
func (d *wipedDigest) round(sum []byte, round int, password, salt []byte) {
	first, last := sum, password
	if round&1 == 1 {
		first, last = password, sum
	}

	d.Reset()
	d.Write(first)
	if round%3 != 0 {
		d.Write(salt)
	}
	if round%7 != 0 {
		d.Write(password)
	}
	d.Write(last)
	d.Sum(sum[:0])
}

// A shaCrypt is $5$ or $6$ of Drepper's specification,
// https://www.akkadia.org/drepper/SHA-crypt.txt.
type shaCrypt struct {
	hash  crypto.Hash
	block int // bytes
	text  int // characters of the sum
}

var (
	sha256Crypt = shaCrypt{hash: crypto.SHA256, block: 64, text: 43}
	sha512Crypt = shaCrypt{hash: crypto.SHA512, block: 128, text: 86}
)

// method returns the method of what crypt(3) writes: bounded rounds, at most 16 characters of salt.
func (c shaCrypt) method() method {
	return method{size: c.text, hashOf: func(v *values) (password.Parsed, error) {
		rounds := cmp.Or(v.iterations, 5000)
		if rounds < 1000 || rounds > 999_999_999 {
			return nil, errRounds
		}
		if err := cryptSalt(v.salt, 16); err != nil {
			return nil, err
		}

		return &password.Computed{
			Cost:  rounds,
			Time:  func(n int) time.Duration { return c.time(n, len(v.salt), rounds) },
			Sum:   v.sum,
			Blank: v.blank,
			Compute: func(password, _ []byte, yield func() bool) []byte {
				d := newDigest(c.hash.New)
				defer d.wipe()

				return c.compute(d, password, v.salt, int(rounds), &pacer{yield: yield})
			},
		}, nil
	}}
}

var errRounds = errors.New("want 1000 to 999,999,999 rounds")

// time returns how long compute takes, for a password of n bytes.
func (c shaCrypt) time(n, salt int, rounds uint32) time.Duration {
	block := blockTime(c.hash)
	round := callTime + blocks(c.hash.Size()+2*n+salt*2/3, c.block)*block
	repeated := time.Duration(n) * time.Duration(n*block) / time.Duration(c.block) // 13 to 16
	return time.Duration(rounds)*time.Duration(round) + repeated
}

// compute returns the sum as text, or nil if it was given up. The numbers are the specification's
// steps.
func (c shaCrypt) compute(d *wipedDigest, password, salt []byte, rounds int, p *pacer) []byte {
	size := c.hash.Size()
	b := d.sum(nil, password, salt, password) // 4 to 8
	defer clear(b)

	d.Reset()
	d.Write(password) // 1 to 3
	d.Write(salt)
	for n := len(password); n > 0; n -= size { // 9, 10
		d.Write(b[:min(n, size)])
	}
	for n := len(password); n > 0; n >>= 1 { // 11
		if n&1 == 1 {
			d.Write(b)
		} else {
			d.Write(password)
		}
	}
	a := d.Sum(nil) // 12
	defer clear(a)

	passwords, ok := d.repeated(password, len(password), len(password), p) // 13 to 16
	defer clear(passwords)
	if !ok {
		return nil
	}

	salts, ok := d.repeated(salt, 16+int(a[0]), len(salt), p) // 17 to 20
	if !ok {
		return nil
	}

	for round := range rounds { // 21
		d.round(a, round, passwords, salts)
		if !p.did(size + 2*len(passwords) + len(salts)) {
			return nil
		}
	}
	return c.encode(a) // 22
}

// repeated digests part, times times, and returns the digest repeated to n bytes. It returns false
// if it was given up.
func (d *wipedDigest) repeated(part []byte, times, n int, p *pacer) ([]byte, bool) {
	d.Reset()
	for range times {
		d.Write(part)
		if !p.did(len(part)) {
			return nil, false
		}
	}
	sum := d.Sum(nil)
	defer clear(sum)

	b := make([]byte, 0, n) // large enough, as growing would leave a copy behind
	for len(b) < n {
		b = append(b, sum[:min(n-len(b), len(sum))]...)
	}
	return b, true
}

// encode writes three bytes at a time, a third of the sum apart, and rotates their order: for $6$
// (0, 21, 42), (22, 43, 1) and so on, for $5$ (0, 10, 20), (21, 1, 11) and so on.
func (c shaCrypt) encode(a []byte) []byte {
	var b []byte
	is512 := c.hash == crypto.SHA512
	third := c.hash.Size() / 3
	i, j, k := 0, third, 2*third
	for range third {
		b = threeBytes(b, a, i, j, k)
		if is512 {
			i, j, k = j+1, k+1, i+1
		} else {
			i, j, k = k+1, i+1, j+1
		}
	}

	if is512 {
		return format.AppendCrypt64(b, uint32(a[63]), 2)
	}
	return format.AppendCrypt64(b, uint32(a[31])<<8|uint32(a[30]), 3)
}
