// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What crypt(3) makes with MD5 and SHA-2.

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"strings"
	"time"

	"fount/password"
)

// MD5Crypt is FreeBSD's and Apache's: $1$ and $apr1$. 1000 rounds, always.
func MD5Crypt() password.Format {
	return prefixed("md5-crypt", func(magic, rest string) (*password.Parsed, error) {
		const rounds, size = 1000, 22
		salt, sum, ok := strings.Cut(rest, "$")
		if !ok || len(sum) != size || !inCrypt64(sum) {
			return nil, errParts
		}
		if len(salt) > 8 || strings.Contains(salt, ":") {
			return nil, errSalt
		}
		if err := approved(md5.New); err != nil {
			return nil, err
		}
		return &password.Parsed{
			Cost: rounds,
			Time: func(n int) time.Duration { return rounds * time.Duration(call+blocks(16+2*n+8, 64)*md5Block) },
			Sum:  []byte(sum), Blank: blank(sum, "."),
			Compute: func(password, _ []byte, yield func() bool) []byte {
				d := newDigest(md5.New)
				defer d.wipe()
				return md5Crypt(d, magic, password, []byte(salt), &pace{yield: yield, left: stride})
			},
		}, nil
	}, "$1$", "$apr1$")
}

// blocks is how many blocks of a digest n bytes take.
func blocks(n, block int) int { return (n+8)/block + 1 }

// md5Crypt returns the sum as text, or nil once p says that nobody waits.
// https://github.com/freebsd/freebsd-src/blob/main/lib/libcrypt/crypt-md5.c
func md5Crypt(d *digest, magic string, password, salt []byte, p *pace) []byte {
	sum := d.of(make([]byte, 0, md5.Size), password, salt, password)
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
	for round := range 1000 {
		d.round(sum, round, password, salt)
		if !p.did(len(sum) + 2*len(password) + len(salt)) {
			return nil
		}
	}
	var b []byte
	for i := range 5 {
		last := i + 12
		if i == 4 {
			last = 5
		}
		b = append64(b, uint32(sum[i])<<16|uint32(sum[i+6])<<8|uint32(sum[last]), 4)
	}
	return append64(b, uint32(sum[11]), 2)
}

// round is a round of all three: sum and password in turns, with salt and password between them in all but each third and
// seventh.
func (d *digest) round(sum []byte, round int, password, salt []byte) {
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

// A shaCrypt is one of the two of Drepper's specification,
// https://www.akkadia.org/drepper/SHA-crypt.txt.
type shaCrypt struct {
	name, prefix string
	newHash      func() hash.Hash
	size, block  int // bytes, of sum and block
	blockTime    int // ns
	text         int // characters of the sum
}

// SHA256Crypt is crypt(3)'s $5$, of 1000 to 999,999,999 rounds.
func SHA256Crypt() password.Format {
	return shaCrypt{"sha256-crypt", "$5$", sha256.New, 32, 64, sha256Block, 43}.format()
}

// SHA512Crypt is crypt(3)'s $6$, of 1000 to 999,999,999 rounds.
func SHA512Crypt() password.Format {
	return shaCrypt{"sha512-crypt", "$6$", sha512.New, 64, 128, sha512Block, 86}.format()
}

func (c shaCrypt) format() password.Format { return prefixed(c.name, c.parse, c.prefix) }

// parse reads [rounds=N$]salt$sum. crypt(3) writes rounds in their bounds, and 16 characters of salt at most.
func (c shaCrypt) parse(_, rest string) (*password.Parsed, error) {
	rounds := uint32(5000)
	if after, ok := strings.CutPrefix(rest, "rounds="); ok {
		n, saltAndSum, _ := strings.Cut(after, "$")
		var err error
		if rounds, err = number(n); err != nil || rounds < 1000 || rounds > 999_999_999 {
			return nil, errNumber
		}
		rest = saltAndSum
	}
	salt, sum, ok := strings.Cut(rest, "$")
	if !ok || len(sum) != c.text || !inCrypt64(sum) {
		return nil, errParts
	}
	if len(salt) > 16 || strings.Contains(salt, ":") {
		return nil, errSalt
	}
	return &password.Parsed{
		Cost: rounds,
		Time: func(n int) time.Duration {
			each := call + blocks(c.size+2*n+len(salt)*2/3, c.block)*c.blockTime
			return time.Duration(rounds)*time.Duration(each) + time.Duration(n)*time.Duration(n)*time.Duration(c.blockTime)/time.Duration(c.block) // and steps 13 to 16
		},
		Sum: []byte(sum), Blank: blank(sum, "."),
		Compute: func(password, _ []byte, yield func() bool) []byte {
			d := newDigest(c.newHash)
			defer d.wipe()
			return c.compute(d, password, []byte(salt), int(rounds), &pace{yield: yield, left: stride})
		},
	}, nil
}

// compute returns the sum as text, or nil once p says that nobody waits. The numbers are the specification's steps.
func (c shaCrypt) compute(d *digest, password, salt []byte, rounds int, p *pace) []byte {
	b := d.of(nil, password, salt, password) // 4 to 8
	defer clear(b)
	d.Reset()
	d.Write(password) // 1 to 3
	d.Write(salt)
	for n := len(password); n > 0; n -= c.size { // 9, 10
		d.Write(b[:min(n, c.size)])
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
	pp, ok := d.repeated(password, len(password), len(password), p) // 13 to 16
	defer clear(pp)
	if !ok {
		return nil
	}
	ss, ok := d.repeated(salt, 16+int(a[0]), len(salt), p) // 17 to 20
	if !ok {
		return nil
	}
	for round := range rounds { // 21
		d.round(a, round, pp, ss)
		if !p.did(c.size + 2*len(pp) + len(ss)) {
			return nil
		}
	}
	return c.encode(a) // 22
}

// repeated returns n bytes of the digest of part, so many times, one after the other. It is false if nobody waits.
func (d *digest) repeated(part []byte, times, n int, p *pace) ([]byte, bool) {
	d.Reset()
	for range times {
		d.Write(part)
		if !p.did(len(part)) {
			return nil, false
		}
	}
	sum := d.Sum(nil)
	defer clear(sum)
	b := make([]byte, 0, n) // not to be moved while it grows
	for len(b) < n {
		b = append(b, sum[:min(n-len(b), len(sum))]...)
	}
	return b, true
}

// encode takes three bytes at a time, a third of the sum apart, the first of them in turns: (0, 21, 42), (22, 43, 1).
func (c shaCrypt) encode(a []byte) []byte {
	var b []byte
	third := c.size / 3
	at := [3]int{0, third, 2 * third}
	for range third {
		b = append64(b, uint32(a[at[0]])<<16|uint32(a[at[1]])<<8|uint32(a[at[2]]), 4)
		if c.size == 64 {
			at = [3]int{at[1] + 1, at[2] + 1, at[0] + 1}
		} else {
			at = [3]int{at[2] + 1, at[0] + 1, at[1] + 1}
		}
	}
	if c.size == 64 {
		return append64(b, uint32(a[63]), 2)
	}
	return append64(b, uint32(a[31])<<8|uint32(a[30]), 3)
}
