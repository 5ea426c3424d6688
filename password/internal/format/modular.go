// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// The modular crypt forms whose parameters have no names: bcrypt's, and libxcrypt's scrypt.

import (
	"errors"
	"strings"
)

var (
	errBcrypt  = errors.New("bcrypt: want 60 bytes, $2b$, a cost of two digits, $ and 53 characters: it is cut, or has more behind it")
	errScrypt7 = errors.New("scrypt: want $7$, 11 characters of numbers, 8 to 64 of salt, $, 43 of sum")
)

// parseBcrypt parses what follows "$2b$", "$2a$" or "$2y$".
//
// The salt's 22 characters have four bits more than its 16 bytes. Makers write zeros there today,
// but some took the caller's text; parseBcrypt drops the bits, as crypt_blowfish and x/crypto do.
// The sum has two bits more, which no maker ever set: makers compare text, so such a hash would
// match nothing.
func parseBcrypt(minor byte, s string) (h Hash, err error) {
	const head, salt, sum = 3, 22, 31
	if len(s) != head+salt+sum {
		return Hash{}, errBcrypt
	}

	tens, ones := s[0]-'0', s[1]-'0' // always two digits
	if tens > 9 || ones > 9 || s[2] != '$' {
		return Hash{}, errBcryptCost
	}
	h = Hash{Algorithm: Bcrypt, Form: Modular, Minor: minor, Cost: uint32(tens)*10 + uint32(ones)}
	if err := h.Numbers(); err != nil {
		return Hash{}, err
	}

	if h.Salt, err = Decode(bcrypt64Loose, s[head:head+salt]); err != nil {
		return Hash{}, err
	}
	h.Loose = h.BcryptSalt() != s[head:head+salt]
	if h.Sum, err = Decode(bcrypt64, s[head+salt:]); err != nil {
		return Hash{}, err
	}
	return h, h.sizes()
}

// BcryptSalt returns the salt as text in bcrypt's alphabet, 22 characters.
func (h *Hash) BcryptSalt() string { return bcrypt64.EncodeToString(h.Salt) }

func (h *Hash) bcryptText() string {
	b := []byte{'$', '2', h.Minor, '$', '0' + byte(h.Cost/10), '0' + byte(h.Cost%10), '$'}
	return string(bcrypt64.AppendEncode(bcrypt64.AppendEncode(b, h.Salt), h.Sum))
}

// parseScrypt7 parses what follows "$7$": a character of log2 N, five of r, five of p, the salt,
// which is hashed as text, and the sum.
func parseScrypt7(s string) (Hash, error) {
	const cost, r, p = 1, 1 + 5, 1 + 5 + 5
	if len(s) < p {
		return Hash{}, errScrypt7
	}

	salt, sum, _ := strings.Cut(s[p:], "$")
	if len(salt) < MinSalt || len(salt) > MaxSalt || len(sum) != 43 || !InCrypt64(s[:p]+salt) {
		return Hash{}, errScrypt7
	}

	h := Hash{Algorithm: Scrypt, Form: Modular, Salt: []byte(salt)}
	h.Cost, _ = Crypt64(s[:cost])
	h.BlockSize, _ = Crypt64(s[cost:r])
	h.Parallelism, _ = Crypt64(s[r:p])
	var ok bool
	if h.Sum, ok = DecodeCrypt64(sum); !ok {
		return Hash{}, errScrypt7
	}
	return h, h.Numbers()
}

func (h *Hash) scrypt7Text() string {
	b := AppendCrypt64([]byte("$7$"), h.Cost, 1)
	b = AppendCrypt64(AppendCrypt64(b, h.BlockSize, 5), h.Parallelism, 5)
	return string(b) + string(h.Salt) + "$" + string(EncodeCrypt64(h.Sum))
}
