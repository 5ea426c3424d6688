// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// bcrypt: the modular crypt form, $2b$10$ + 22 characters of salt + 31 of sum,
// and the two that hash the password before.

import (
	"cmp"
	"errors"
	"strings"
)

const (
	bcryptLen     = 60
	bcryptSaltLen = 22 // characters, of 16 bytes
	bcryptSalt    = 16 // bytes
	bcryptSum     = 23 // bytes
)

var (
	errBcryptLen   = errors.New("bcrypt: want 60 bytes")
	errBcryptSizes = errors.New("bcrypt: want a salt of 16 bytes and a sum of 23")
	errBcrypt2     = errors.New("bcrypt 2: want 2a, 2b or 2y")
	errBcrypt2x    = errors.New("bcrypt 2x, whose makers mistook bytes above 127," + way)
	errPasslibV1   = errors.New("bcrypt-sha256: want passlib's version 2, v=2; version 1" + way)
	errPasslib2a   = errors.New("bcrypt-sha256: want t=2b, as passlib, which writes and reads no other in version 2")
)

// parseBcrypt reads a hash that starts with "$2".
func parseBcrypt(s string) (Hash, error) {
	switch {
	case strings.HasPrefix(s, "$2$"):
		return Hash{}, errBcrypt2
	case strings.HasPrefix(s, "$2x$"):
		return Hash{}, errBcrypt2x
	case !strings.HasPrefix(s, "$2a$") && !strings.HasPrefix(s, "$2b$") && !strings.HasPrefix(s, "$2y$"):
		return Hash{}, foreignError(s)
	case len(s) != bcryptLen:
		return Hash{}, errBcryptLen
	}
	h := Hash{Algorithm: Bcrypt, Form: Modular, Minor: s[2]}
	tens, ones := s[4]-'0', s[5]-'0' // always two digits
	if tens > 9 || ones > 9 || s[6] != '$' {
		return Hash{}, errBcryptCost
	}
	h.Cost = uint32(tens)*10 + uint32(ones)
	if err := h.Numbers(); err != nil {
		return Hash{}, err
	}
	err := h.bcryptSums(s[7:7+bcryptSaltLen], s[7+bcryptSaltLen:])
	return h, err
}

// bcryptSums decodes salt and sum.
//
// 22 characters have four bits more than the salt's 16 bytes. All makers write
// zeros there today, but what some made from a caller's text is stored with
// others; crypt_blowfish and x/crypto drop them, and so does this. 31 characters
// have two bits more than the sum: no maker ever set one, and all compare text,
// so such a hash would match nothing anywhere.
func (h *Hash) bcryptSums(salt, sum string) (err error) {
	if h.Salt, err = decode(bcrypt64Loose, salt); err != nil {
		return err
	}
	h.Loose = bcrypt64.EncodeToString(h.Salt) != salt
	if h.Sum, err = decode(bcrypt64, sum); err != nil {
		return err
	}
	return h.bcryptSizes()
}

func (h *Hash) bcryptSizes() error {
	if len(h.Salt) != bcryptSalt || len(h.Sum) != bcryptSum {
		return errBcryptSizes
	}
	return nil
}

// parseFountBcrypt reads what follows "$fount-bcrypt$":
// v=1$r=10,keyid=azE$salt$sum, a PHC string.
func parseFountBcrypt(s string) (Hash, error) {
	s, ok := strings.CutPrefix(s, "v=1$")
	head, sums, found := strings.Cut(s, "$")
	if !ok || !found {
		return Hash{}, errParts
	}
	h := Hash{Algorithm: Bcrypt, Form: HMACSHA384}
	p := parameters{rest: head}
	h.Cost = p.number("r")
	h.KeyID = p.keyID()
	if h.KeyID == "" {
		p.err = cmp.Or(p.err, errKeyID)
	}
	if err := cmp.Or(p.end(), h.Numbers()); err != nil {
		return Hash{}, err
	}
	if err := h.sums(b64, sums); err != nil {
		return Hash{}, err
	}
	err := h.bcryptSizes()
	return h, err
}

// parsePasslibBcrypt reads what follows "$bcrypt-sha256$":
// v=2,t=2b,r=12$salt$sum, with salt and sum in bcrypt's alphabet. The salt's
// text is the key of the HMAC, so it must have but one.
func parsePasslibBcrypt(s string) (Hash, error) {
	head, sums, ok := strings.Cut(s, "$")
	salt, sum, found := strings.Cut(sums, "$")
	if !ok || !found || len(salt) != bcryptSaltLen {
		return Hash{}, errParts
	}
	p := parameters{rest: head}
	if p.next("v") != "2" {
		return Hash{}, errPasslibV1
	}
	h := Hash{Algorithm: Bcrypt, Form: PasslibSHA256}
	if h.Minor = 'b'; p.next("t") != "2b" {
		return Hash{}, errPasslib2a
	}
	h.Cost = p.number("r")
	if err := cmp.Or(p.end(), h.Numbers()); err != nil {
		return Hash{}, err
	}
	if err := h.bcryptSums(salt, sum); err != nil {
		return Hash{}, err
	}
	if h.Loose {
		return Hash{}, errBase64
	}
	return h, nil
}

// BcryptSalt returns the salt as text in bcrypt's alphabet, 22 characters.
func (h *Hash) BcryptSalt() string { return bcrypt64.EncodeToString(h.Salt) }

func (h *Hash) appendBcrypt(b []byte) []byte {
	switch h.Form {
	case HMACSHA384:
		b = appendNumber(b, "$fount-bcrypt$v=1$r=", h.Cost)
		return h.appendSums(h.appendKeyID(b), b64)
	case PasslibSHA256:
		b = append(b, "$bcrypt-sha256$v=2,t=2"...)
		b = appendNumber(append(b, h.Minor), ",r=", h.Cost)
		return h.appendSums(b, bcrypt64)
	}
	b = append(b, '$', '2', h.Minor, '$', '0'+byte(h.Cost/10), '0'+byte(h.Cost%10), '$')
	b = bcrypt64.AppendEncode(b, h.Salt)
	return bcrypt64.AppendEncode(b, h.Sum)
}
