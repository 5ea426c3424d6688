// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// scrypt: PHC form, $scrypt$ln=17,r=8,p=1[,keyid=azE]$salt$sum, as passlib and
// others write it, and the modular crypt form $7$ of libxcrypt and libsodium.

import (
	"errors"
	"strings"
)

var errScrypt7 = errors.New("scrypt: want $7$, 11 characters of numbers, salt, $, 43 characters of sum")

// parseScrypt reads what follows "$scrypt$".
func parseScrypt(s string) (Hash, error) {
	return parsePHC(Scrypt, s, func(h *Hash, p *parameters) {
		h.Cost = p.number("ln")
		h.BlockSize = p.number("r")
		h.Parallelism = p.number("p")
	})
}

// The form $7$ writes numbers and the sum in base 64 with the least significant
// digit first; its salt is text, and hashed as text.

const (
	crypt64    = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	number7Len = 5 // characters, 30 bits
	sum7       = 32
	sum7Len    = 43 // characters, of 32 bytes
)

// parseScrypt7 reads what follows "$7$": a character of log2 N, five of r, five
// of p, the salt, and the sum.
func parseScrypt7(s string) (Hash, error) {
	const head = 1 + 2*number7Len
	if len(s) < head+MinSalt+1+sum7Len {
		return Hash{}, errScrypt7
	}
	salt, sum, ok := strings.Cut(s[head:], "$")
	if !ok || len(salt) < MinSalt || len(salt) > MaxSalt || len(sum) != sum7Len || !inAlphabet(salt) {
		return Hash{}, errScrypt7
	}
	h := Hash{Algorithm: Scrypt, Form: Modular, Salt: []byte(salt)}
	cost, ok1 := digits(s[:1])
	r, ok2 := digits(s[1 : 1+number7Len])
	p, ok3 := digits(s[1+number7Len : head])
	h.Cost, h.BlockSize, h.Parallelism = cost, r, p
	h.Sum, ok = decode7(sum)
	if !ok || !ok1 || !ok2 || !ok3 {
		return Hash{}, errScrypt7
	}
	if err := h.Numbers(); err != nil {
		return Hash{}, err
	}
	return h, nil
}

func inAlphabet(s string) bool {
	for _, c := range []byte(s) {
		if strings.IndexByte(crypt64, c) < 0 {
			return false
		}
	}
	return true
}

// digits reads up to five characters as a number.
func digits(s string) (n uint32, ok bool) {
	for i, c := range []byte(s) {
		d := strings.IndexByte(crypt64, c)
		if d < 0 {
			return 0, false
		}
		n |= uint32(d) << (6 * i)
	}
	return n, true
}

func appendDigits(b []byte, n uint32, count int) []byte {
	for range count {
		b = append(b, crypt64[n&63])
		n >>= 6
	}
	return b
}

// decode7 decodes a sum: three bytes to four characters, the last two to three.
func decode7(s string) ([]byte, bool) {
	sum := make([]byte, 0, sum7)
	for len(s) > 0 {
		group := min(4, len(s))
		n, ok := digits(s[:group])
		if !ok || n>>(8*(group-1)) != 0 { // bits that no byte has
			return nil, false
		}
		for range group - 1 {
			sum = append(sum, byte(n))
			n >>= 8
		}
		s = s[group:]
	}
	return sum, true
}

func (h *Hash) appendScrypt(b []byte) []byte {
	if h.Form == Modular {
		return h.appendScrypt7(b)
	}
	b = appendNumber(b, "$scrypt$ln=", h.Cost)
	b = appendNumber(b, ",r=", h.BlockSize)
	b = appendNumber(b, ",p=", h.Parallelism)
	return h.appendSums(h.appendKeyID(b), b64)
}

func (h *Hash) appendScrypt7(b []byte) []byte {
	b = appendDigits(append(b, "$7$"...), h.Cost, 1)
	b = appendDigits(b, h.BlockSize, number7Len)
	b = appendDigits(b, h.Parallelism, number7Len)
	b = append(append(b, h.Salt...), '$')
	for sum := h.Sum; len(sum) > 0; {
		var group [4]byte
		n := copy(group[:3], sum)
		b = appendDigits(b, uint32(group[0])|uint32(group[1])<<8|uint32(group[2])<<16, n+1)
		sum = sum[n:]
	}
	return b
}
