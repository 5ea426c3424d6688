// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package format reads and writes stored password hashes in modular crypt form and in PHC form. It
// computes no hash and knows no limits of cost.
//
// The parsers accept exactly what the makers of these strings write; comments name the exceptions.
// No error contains more of a string than the beginning of its form, as the string may be a
// password that was passed by mistake.
package format

import (
	"errors"
	"strings"
)

// An Algorithm turns a password into a sum.
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

// A Form is how a hash is written, and what is hashed instead of the password.
type Form uint8

const (
	Modular       Form = iota + 1 // $2b$10$..., $7$C6..., passlib's $pbkdf2-sha256$29000$...
	PHC                           // $argon2id$v=19$..., $scrypt$ln=..., $pbkdf2-sha256$i=...
	PHCNode                       // $argon2id$v=19$m=65536,p=4,t=3$: the order of Node's argon2
	HMACSHA384                    // $fount-bcrypt$: bcrypt over HMAC-SHA-384 under a named key
	PasslibSHA256                 // $bcrypt-sha256$v=2: bcrypt over HMAC-SHA-256 under the salt
)

// MaxLen is the longest string that Parse reads, in bytes. The longest of this package has 260: an
// argon2id with numbers of ten digits, a key ID, and salt and sum of 64 bytes. 389 Directory
// Server's have 447 and, wrapped, 570.
const MaxLen = 640

// A Version is the version of argon2, and how it is written.
type Version uint8

const (
	V19  Version = iota // v=19, of RFC 9106
	V16                 // v=16, before it: later passes overwrite blocks and don't mix them in
	V16X                // the same, from makers of that time, which wrote no version
)

// Bounds of salts, sums and key IDs, in bytes. A shorter sum protects nothing: one of 2 bytes
// matches one password in 65536. MinSalt is for $7$ only; RFC 7914's first vector has no salt.
const (
	MinSalt, MaxSalt = 8, 64
	MinSum, MaxSum   = 16, 64
	MaxKeyID         = 8 // the PHC specification's bound
)

// A Hash is a parsed stored hash. A number that its algorithm does not use is zero.
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

	Salt []byte // as the algorithm takes it, which of $7$ is its text
	Sum  []byte
}

// Bounds beyond which a number has no meaning. Limits of cost are package password's.
const (
	MinBcryptCost, MaxBcryptCost = 4, 31
	maxArgon2Lanes               = 1<<24 - 1 // RFC 9106, section 3.1
	maxScryptCost                = 63        // what $7$ can write
	maxScryptProduct             = 1<<30 - 1 // RFC 7914, section 2: r·p
)

var (
	errTooLong     = errors.New("longer than any hash that is read here")
	errSalt        = errors.New("want a salt of at most 64 bytes")
	errSum         = errors.New("want a sum of 16 to 64 bytes: a shorter one other passwords may match")
	errBcryptSizes = errors.New("bcrypt: want a salt of 16 bytes and a sum of 23")
	errPBKDF2Sum   = errors.New("PBKDF2: want a sum as long as the digest, 32 or 64 bytes")
	errBcryptCost  = errors.New("bcrypt: want a cost from 4 to 31")
	errArgon2      = errors.New("argon2: want m and t of 1 or more, p from 1 to 2^24-1")
	errScrypt      = errors.New("scrypt: want log2 N from 1 to 63, r and p of 1 or more, r*p below 2^30")
	errPBKDF2      = errors.New("PBKDF2: want 1 or more iterations")
)

// Parse parses a stored hash. It allocates at most a few hundred bytes, whatever the string, and
// does not read one that is longer than MaxLen.
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
	if rest, ok := strings.CutPrefix(s, "$7$"); ok {
		return parseScrypt7(rest)
	}
	for _, minor := range []byte("aby") {
		if rest, ok := strings.CutPrefix(s, "$2"+string(minor)+"$"); ok {
			return parseBcrypt(minor, rest)
		}
	}
	return parsePHC(s)
}

// String returns the string that Parse parses into h. It is empty if h's form can't be written.
func (h *Hash) String() string {
	switch {
	case h.Form == Modular && h.Algorithm == Bcrypt:
		return h.bcryptText()
	case h.Form == Modular && h.Algorithm == Scrypt:
		return h.scrypt7Text()
	}
	return h.phcText()
}

func (h *Hash) pbkdf2() bool { return h.Algorithm == PBKDF2SHA256 || h.Algorithm == PBKDF2SHA512 }

// DigestSize returns the size of PBKDF2's digest in bytes. A sum of n digests takes n times the
// work.
func (h *Hash) DigestSize() int {
	if h.Algorithm == PBKDF2SHA512 {
		return 64
	}
	return 32
}

// sizes checks the lengths of salt and sum.
func (h *Hash) sizes() error {
	isWholeDigest := h.pbkdf2() && h.Form == Modular // passlib's sums can't be cut

	switch {
	case h.Algorithm == Bcrypt && (len(h.Salt) != 16 || len(h.Sum) != 23):
		return errBcryptSizes
	case len(h.Salt) > MaxSalt:
		return errSalt
	case len(h.Sum) < MinSum || len(h.Sum) > MaxSum:
		return errSum
	case isWholeDigest && len(h.Sum) != h.DigestSize():
		return errPBKDF2Sum
	}
	return nil
}

// Numbers checks the numbers of h.
func (h *Hash) Numbers() error {
	switch h.Algorithm {
	case Bcrypt:
		if h.Cost < MinBcryptCost || h.Cost > MaxBcryptCost {
			return errBcryptCost
		}
	case Argon2id, Argon2i, Argon2d:
		if h.Memory < 1 || h.Iterations < 1 || h.Parallelism < 1 || h.Parallelism > maxArgon2Lanes {
			return errArgon2
		}
	case Scrypt:
		product := uint64(h.BlockSize) * uint64(h.Parallelism)
		if h.Cost < 1 || h.Cost > maxScryptCost || product < 1 || product > maxScryptProduct {
			return errScrypt
		}
	case PBKDF2SHA256, PBKDF2SHA512:
		if h.Iterations < 1 {
			return errPBKDF2
		}
	}
	return nil
}
