// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"fmt"
	"math"
	"time"

	"fount/password/internal/format"
)

// A Policy says how to make new hashes and what stored ones may cost. It is a
// value: copy and change it. A Policy whose Algorithm is zero means [Default] with
// its own Keys, MaxPassword, Limits, Markers and Formats.
type Policy struct {
	Algorithm Algorithm

	// Fields that the algorithm does not use are ignored.
	Cost        int // bcrypt: log2 of the rounds, 4 to 31; scrypt: log2 of N
	Memory      int // argon2: KiB, at least 8 for each lane
	Iterations  int // argon2: passes, t; PBKDF2: iterations
	BlockSize   int // scrypt: r; 0 means 8
	Parallelism int // argon2: lanes, p; scrypt: p; 0 means 1

	// Keys are the peppers; nil: none. A new hash uses the current one and names
	// it. For argon2 it is the secret input K; for the others the password becomes
	// base64(HMAC-SHA-384(key, password)), so that even for bcrypt it may be longer
	// than 72 bytes and hold NULs.
	Keys *KeyRing

	MaxPassword int    // the longest password accepted, in bytes; 0 means 1024
	Limits      Limits // ceilings on the cost of every hash, new or stored

	// Markers accepts stored strings that begin with '!' or '*', which many systems
	// write for an account to which no password signs in: "!", "*", "!!", "*LK*", a locked hash
	// behind '!', Django's unusable ones. They verify like an unknown user:
	// ErrMismatch, after the time of a hash of the policy. Without Markers they are
	// ErrMalformed, at once.
	Markers bool

	// Formats read stored hashes of other forms. Nil: none, and ErrMalformed names the form where it is known.
	Formats *Formats
}

const defaultMaxPassword = 1024

// bcryptMax is how many bytes of a password bcrypt looks at.
const bcryptMax = 72

const saltLen = 16 // bytes, of a new hash

var errNoAlgorithm = errors.New("password: Policy has costs but no Algorithm")

// filled returns p with its zero fields replaced by what they mean.
func (p Policy) filled() (Policy, error) {
	if p.Algorithm == 0 {
		if p.Cost != 0 || p.Memory != 0 || p.Iterations != 0 || p.BlockSize != 0 || p.Parallelism != 0 {
			return p, errNoAlgorithm
		}
		d := Default()
		d.Keys, d.MaxPassword, d.Limits, d.Markers, d.Formats = p.Keys, p.MaxPassword, p.Limits, p.Markers, p.Formats
		p = d
	}
	orDefault(&p.BlockSize, 8)
	orDefault(&p.Parallelism, 1)
	orDefault(&p.MaxPassword, defaultMaxPassword)
	p.Limits = p.Limits.filled()
	return p, nil
}

func orDefault[N int | int64 | time.Duration](field *N, value N) {
	if *field == 0 {
		*field = value
	}
}

// blank returns a hash of the filled policy without salt and sum. It fails if
// the policy can't be followed.
func (p Policy) blank() (format.Hash, error) {
	h := format.Hash{Algorithm: format.Algorithm(p.Algorithm), KeyID: p.Keys.current()}
	var wrong error // the first
	number := func(name string, n int) uint32 {
		if wrong == nil && (n < 0 || int64(n) > math.MaxUint32) {
			wrong = fmt.Errorf("password: Policy.%s is %d; want 0 to %d", name, n, uint32(math.MaxUint32))
		}
		return uint32(n)
	}
	if p.Algorithm == Bcrypt || p.Algorithm == Scrypt {
		h.Cost = number("Cost", p.Cost)
	}
	if p.Algorithm.argon2() {
		h.Memory = number("Memory", p.Memory)
	}
	if p.Algorithm.argon2() || p.Algorithm.pbkdf2() {
		h.Iterations = number("Iterations", p.Iterations)
	}
	if p.Algorithm == Scrypt {
		h.BlockSize = number("BlockSize", p.BlockSize)
	}
	if p.Algorithm.argon2() || p.Algorithm == Scrypt {
		h.Parallelism = number("Parallelism", p.Parallelism)
	}
	switch {
	case wrong != nil:
		return h, wrong
	case !p.Algorithm.makes():
		return h, fmt.Errorf("password: Policy.Algorithm is %d; want one of this package's that makes hashes", p.Algorithm)
	case p.Keys != nil && h.KeyID == "":
		return h, errors.New("password: Policy.Keys is a KeyRing without keys; want NewKeyRing's, or nil")
	case p.MaxPassword < 0:
		return h, fmt.Errorf("password: Policy.MaxPassword is %d; want 0 or more", p.MaxPassword)
	}
	if err := h.Numbers(); err != nil {
		return h, fmt.Errorf("password: Policy: %w", err)
	}
	h.Form = newForm(p.Algorithm, h.KeyID != "")
	if h.Form == format.Modular && p.Algorithm == Bcrypt {
		h.Minor = 'b' // what OpenBSD calls the hash that all of a, b and y are today
	}
	return h, p.Limits.check(&h)
}

// newForm returns how a new hash is written: as most others can read it, where
// others can read it at all. None reads PBKDF2 or scrypt with a key.
func newForm(a Algorithm, key bool) format.Form {
	switch {
	case a == Bcrypt && key:
		return format.HMACSHA384
	case a == Bcrypt, a.pbkdf2() && !key:
		return format.Modular
	}
	return format.PHC
}

// Check says what is wrong with p, or why Verify would refuse a stored hash, without
// a password and without work: nil, ErrMalformed, ErrCost or ErrKey. With an empty
// encoded it checks p alone, as NewPool does: for a program that is about to ask for
// a password.
func (p Policy) Check(encoded string) error {
	w, err := p.admit([]byte("x"), encoded)
	w.wipe()
	return err
}
