// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What crypt(3) makes with MD5 and SHA-2.

import (
	"cmp"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"strings"
	"time"

	"fount/password"
	"fount/password/internal/format"
)

// MD5Crypt is FreeBSD's and Apache's: $1$ and $apr1$. 1000 rounds, always.
func MD5Crypt() password.Format {
	return prefixed("md5-crypt", func(magic, rest string) (password.Parsed, error) {
		const rounds, size = 1000, 22
		var s scan
		salt, sum := s.saltAndSum(rest, 8, size)
		if err := cmp.Or(s.err, approved(md5.New)); err != nil {
			return nil, err
		}
		return &password.Computed{
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
	for i, last := range []int{12, 13, 14, 15, 5} {
		b = threeBytes(b, sum, i, i+6, last)
	}
	return format.AppendCrypt64(b, uint32(sum[11]), 2)
}

// threeBytes appends those of sum as four characters, the last one's bits first.
func threeBytes(b, sum []byte, i, j, k int) []byte {
	return format.AppendCrypt64(b, uint32(sum[i])<<16|uint32(sum[j])<<8|uint32(sum[k]), 4)
}

// round is a round of all three: sum and password in turns, with salt and password between them in
// all but each third and seventh.
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

// parse reads [rounds=N$]salt$sum. crypt(3) writes rounds in their bounds, and 16 characters of
// salt at most.
func (c shaCrypt) parse(_, rest string) (password.Parsed, error) {
	var s scan
	rounds := uint32(5000)
	if after, ok := strings.CutPrefix(rest, "rounds="); ok {
		n, saltAndSum, _ := strings.Cut(after, "$")
		rounds, rest = s.number(n), saltAndSum
		s.want(rounds >= 1000 && rounds <= 999_999_999, errNumber)
	}
	salt, sum := s.saltAndSum(rest, 16, c.text)
	if s.err != nil {
		return nil, s.err
	}
	return &password.Computed{
		Cost: rounds,
		Time: func(n int) time.Duration {
			each := call + blocks(c.size+2*n+len(salt)*2/3, c.block)*c.blockTime
			repeated := time.Duration(n) * time.Duration(n) * time.Duration(c.blockTime) // 13 to 16
			return time.Duration(rounds)*time.Duration(each) + repeated/time.Duration(c.block)
		},
		Sum: []byte(sum), Blank: blank(sum, "."),
		Compute: func(password, _ []byte, yield func() bool) []byte {
			d := newDigest(c.newHash)
			defer d.wipe()
			return c.compute(d, password, []byte(salt), int(rounds), &pace{yield: yield, left: stride})
		},
	}, nil
}

// compute returns the sum as text, or nil once p says that nobody waits. The numbers are the
// specification's steps.
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

// repeated returns n bytes of the digest of part, so many times, one after the other. It is false
// if nobody waits.
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

// encode takes three bytes at a time, a third of the sum apart, the first of them in turns: of $6$
// (0, 21, 42), (22, 43, 1), of $5$ (0, 10, 20), (21, 1, 11).
func (c shaCrypt) encode(a []byte) []byte {
	var b []byte
	third := c.size / 3
	i, j, k := 0, third, 2*third
	for range third {
		b = threeBytes(b, a, i, j, k)
		if c.size == 64 {
			i, j, k = j+1, k+1, i+1
		} else {
			i, j, k = k+1, i+1, j+1
		}
	}
	if c.size == 64 {
		return format.AppendCrypt64(b, uint32(a[63]), 2)
	}
	return format.AppendCrypt64(b, uint32(a[31])<<8|uint32(a[30]), 3)
}
