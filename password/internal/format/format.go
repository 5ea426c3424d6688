// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package format reads and writes stored password hashes: strings in modular
// crypt form and in PHC form. It hashes nothing and judges no cost; it says what
// a string is, or that it is none of those this package knows.
//
// The parsers are strict: what they accept is what the makers of these strings
// write, byte for byte, with the exceptions that a comment names. None of their
// errors holds a part of what was read, which may be a hash, or a password that
// was passed in its place.
package format

import (
	"errors"
	"strings"
)

// An Algorithm is what turns the password into the sum.
type Algorithm uint8

const (
	Bcrypt Algorithm = iota + 1
	Argon2id
	Argon2i
	Argon2d
	Scrypt
	PBKDF2SHA256
	PBKDF2SHA512
)

// A Form is how a hash is written, and what is done to the password before it
// is hashed.
type Form uint8

const (
	Modular       Form = iota + 1 // $2b$10$..., $7$C6..., passlib's $pbkdf2-sha256$29000$...
	PHC                           // $argon2id$v=19$..., $scrypt$ln=..., $pbkdf2-sha256$i=...
	PHCNode                       // $argon2id$v=19$m=65536,p=4,t=3$: the order in which Node's argon2 writes
	HMACSHA384                    // $fount-bcrypt$: bcrypt over HMAC-SHA-384 under a named key
	PasslibSHA256                 // passlib's $bcrypt-sha256$v=2: bcrypt over HMAC-SHA-256 under the salt
)

// MaxLen is the length of the longest string Parse reads, in bytes. The longest
// that is well formed has 260: argon2id with numbers of ten digits, a key ID,
// and salt and sum of 64 bytes.
const MaxLen = 320

// A Version is which argon2 it is, and how that is written.
type Version uint8

const (
	V19  Version = iota // RFC 9106, v=19
	V16                 // what was before: later passes write over the memory's old content
	V16X                // the same, by makers of that time, who wrote no version
)

// Bounds on what is well formed, in bytes. A sum that is shorter protects nothing: cut
// to 2 bytes it matches one password in 65536. A shorter salt argon2 does not take; of other
// makers any was heard of, and that of RFC 7914's first vector is empty.
const (
	MinSalt, MaxSalt = 8, 64
	MinSum, MaxSum   = 16, 64
	MaxKeyID         = 8 // the PHC specification's bound
)

// A Hash is a stored hash taken apart. The algorithms that use a number stand
// beside it; for others it is zero.
type Hash struct {
	Algorithm Algorithm
	Form      Form
	Minor     byte    // bcrypt, modular: 'a', 'b' or 'y'; PasslibSHA256: 'b'
	KeyID     string  // the pepper's name; empty: none
	Version   Version // argon2
	Loose     bool    // bcrypt: unused bits of the salt were set, and were dropped

	Cost        uint32 // bcrypt: log2 of the rounds; scrypt: log2 of N
	Memory      uint32 // argon2: KiB
	Iterations  uint32 // argon2: passes; PBKDF2: iterations
	BlockSize   uint32 // scrypt: r
	Parallelism uint32 // argon2: lanes; scrypt: p

	Salt []byte // as the algorithm takes it: $7$ and PasslibSHA256 have no other form of it than text
	Sum  []byte
}

var (
	errTooLong = errors.New("longer than any hash that is read here")
	errParts   = errors.New("want $name$parameters$salt$sum and nothing else")
	errSalt    = errors.New("a salt of more than 64 bytes; want at most 64")
	errSum     = errors.New("a sum of less than 16 bytes, which other passwords may match, or of more than 64; want 16 to 64")
)

// Parse takes a stored hash apart. It allocates a few hundred bytes at most,
// whatever the string: one longer than MaxLen is not looked at.
func Parse(s string) (Hash, error) {
	if len(s) > MaxLen {
		return Hash{}, errTooLong
	}
	h, err := parse(s)
	switch {
	case err != nil && strings.TrimSpace(s) != s:
		return Hash{}, ErrSpace
	case err != nil:
		return Hash{}, err
	}
	return h, nil
}

func parse(s string) (Hash, error) {
	if strings.HasPrefix(s, "$2") {
		return parseBcrypt(s)
	}
	if rest, ok := strings.CutPrefix(s, "$7$"); ok {
		return parseScrypt7(rest)
	}
	name, rest, ok := strings.Cut(strings.TrimPrefix(s, "$"), "$")
	if !ok || s[0] != '$' {
		return Hash{}, foreignError(s)
	}
	switch name {
	case "argon2id":
		return parseArgon2(Argon2id, rest)
	case "argon2i":
		return parseArgon2(Argon2i, rest)
	case "argon2d":
		return parseArgon2(Argon2d, rest)
	case "scrypt":
		return parseScrypt(rest)
	case "pbkdf2-sha256":
		return parsePBKDF2(PBKDF2SHA256, rest)
	case "pbkdf2-sha512":
		return parsePBKDF2(PBKDF2SHA512, rest)
	case "fount-bcrypt":
		return parseFountBcrypt(rest)
	case "bcrypt-sha256":
		return parsePasslibBcrypt(rest)
	}
	return Hash{}, foreignError(s)
}

// String returns the hash as it is stored: what Parse takes apart into h again.
func (h *Hash) String() string {
	b := make([]byte, 0, 128)
	switch h.Algorithm {
	case Bcrypt:
		b = h.appendBcrypt(b)
	case Argon2id, Argon2i, Argon2d:
		b = h.appendArgon2(b)
	case Scrypt:
		b = h.appendScrypt(b)
	case PBKDF2SHA256, PBKDF2SHA512:
		b = h.appendPBKDF2(b)
	}
	return string(b)
}

// sizes judges the lengths of salt and sum.
func (h *Hash) sizes() error {
	switch {
	case len(h.Salt) > MaxSalt:
		return errSalt
	case len(h.Sum) < MinSum || len(h.Sum) > MaxSum:
		return errSum
	}
	return nil
}
