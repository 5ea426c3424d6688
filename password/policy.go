// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fount"
	"fount/password/internal/format"
)

// A Policy says how to make new hashes and what stored ones may cost. If Algorithm is zero, it
// means [Default]'s algorithm and costs, with the Keys, Limits, Markers and Formats of the Policy.
type Policy struct {
	Algorithm Algorithm

	// Fields that the algorithm does not use are ignored.
	Cost        int // bcrypt: log2 of the rounds, 4 to 31; scrypt: log2 of N
	Memory      int // argon2: KiB, at least 8 for each lane
	Iterations  int // argon2: passes, t; PBKDF2: iterations
	BlockSize   int // scrypt: r; 0 means 8
	Parallelism int // argon2: lanes, p; scrypt: p; 0 means 1

	// Keys, if not nil, are the peppers. A new hash uses the current one and names it. For argon2
	// it is the secret input K. The other algorithms hash base64(HMAC-SHA-384(key, password))
	// instead of the password, so that even bcrypt takes more than 72 bytes, and NULs.
	Keys *KeyRing

	Limits Limits // ceilings on the cost of every hash, new or stored

	// Markers accepts stored strings that begin with '!' or '*', which many systems write for an
	// account that no password signs in to: "!", "*LK*", '!' before a locked hash, Django's
	// unusable passwords. They verify like an unknown user: ErrMismatch, after the time of a hash
	// by the policy. Without Markers they are ErrMalformed, at once.
	Markers bool

	// Formats read stored hashes of other forms. Default: none.
	Formats *Formats
}

const (
	maxPassword = 1024 // bytes
	saltLen     = 16   // bytes of a new hash
)

func (f field) ofPolicy(p *Policy) *int {
	return [...]*int{&p.Cost, &p.Memory, &p.Iterations, &p.BlockSize, &p.Parallelism}[f]
}

// filled returns p with its zero fields replaced by what they mean.
func (p Policy) filled() (Policy, error) {
	if p.Algorithm == 0 {
		if p.Cost != 0 || p.Memory != 0 || p.Iterations != 0 || p.BlockSize != 0 || p.Parallelism != 0 {
			return p, errors.New("password: Policy has costs but no Algorithm")
		}
		p.setCosts(Default())
	}

	p.BlockSize = cmp.Or(p.BlockSize, 8)
	p.Parallelism = cmp.Or(p.Parallelism, 1)
	p.Limits = p.Limits.filled()
	return p, nil
}

// Equal reports whether p and q mean the same; a zero field equals its default. It compares Keys by
// KeyRing.EqualKeys, and Formats as pointers: legacy.All always returns the same one, and
// NewFormats a new one.
func (p Policy) Equal(q Policy) bool {
	sameKeys := p.Keys.EqualKeys(q.Keys.all()...)
	p.Keys = nil
	q.Keys = nil

	p, _ = p.filled() // as it is, if it can't be
	q, _ = q.filled()
	return sameKeys && p == q
}

// setCosts gives p the algorithm and the costs of q.
func (p *Policy) setCosts(q Policy) {
	q.Keys = p.Keys
	q.Limits = p.Limits
	q.Markers = p.Markers
	q.Formats = p.Formats
	*p = q
}

// unsalted returns the hasher of the policy's hashes, without salt and sum. The error says what is
// wrong with p.
func (p Policy) unsalted() (nativeHasher, error) {
	p, err := p.filled()
	switch {
	case err != nil:
		return nil, err
	case !p.Algorithm.makes():
		return nil, errAlgorithm(p.Algorithm)
	}

	of := &algorithms[p.Algorithm]
	h := format.Hash{Algorithm: format.Algorithm(p.Algorithm), KeyID: p.Keys.current()}
	for _, c := range of.costs {
		n := *c.field.ofPolicy(&p)
		if n < 0 || int64(n) > math.MaxUint32 { // with the name in the error, p would escape
			return nil, fmt.Errorf("password: Policy of %v has a cost of %d; want 0 to %d",
				p.Algorithm, n, uint32(math.MaxUint32))
		}
		*c.field.ofHash(&h) = uint32(n)
	}

	err = h.Numbers()
	switch {
	case p.Keys != nil && h.KeyID == "":
		return nil, errors.New("password: Policy.Keys is a KeyRing without keys; want NewKeyRing's, or nil")
	case err != nil:
		return nil, fmt.Errorf("password: Policy: %w", err)
	case of.family == Argon2id && h.Memory/8 < h.Parallelism:
		return nil, fmt.Errorf("password: Policy: argon2's memory is %d KiB; want at least 8 for each of %d lanes", h.Memory, h.Parallelism)
	}

	h.Form, h.Minor = of.form(h.KeyID != "")
	native := hasherOf(&h)
	return native, p.Limits.check(native, 0)
}

// salted returns the hasher of a new hash by the policy, with a new salt and a sum of zeros.
func (p Policy) salted() (nativeHasher, error) {
	native, err := p.unsalted()
	if err != nil {
		return nil, err
	}

	h := native.hash()
	h.Salt = make([]byte, saltLen)
	fount.Read(h.Salt)
	h.Sum = make([]byte, algorithms[h.Algorithm].sumLen)
	return native, native.unlock(p.Keys)
}

func errAlgorithm(a Algorithm) error {
	return fmt.Errorf("password: Policy.Algorithm is %d; want one of this package's that makes hashes", a)
}

// UnmarshalText reads the name of an algorithm, and costs that differ from OWASP's first choice for
// it, named as in stored hashes, each at most once:
//
//	bcrypt,cost=12
//	argon2id,m=65536,t=3,p=4
//	scrypt,ln=16,r=8,p=2
//	pbkdf2-sha512,i=300000
//
// Memory, m, is in KiB; ln is log2 of N. All other fields of p stay as they are. Use Check to find
// out whether the costs are valid. The error does not repeat a text that might be a stored hash;
// package flag's does.
func (p *Policy) UnmarshalText(text []byte) error {
	name, rest, more := strings.Cut(string(text), ",")
	q, ok := policyNamed(name)
	if !ok {
		return fmt.Errorf("password: %s is not a policy; use one of bcrypt, argon2id, scrypt, pbkdf2-sha256, pbkdf2-sha512",
			quoteShort(string(text)))
	}

	left := slices.Clone(algorithms[q.Algorithm].costs)
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ",")
		key, value, _ := strings.Cut(part, "=")

		i := slices.IndexFunc(left, func(c cost) bool { return c.name == key })
		n, err := strconv.ParseUint(value, 10, 31)
		if i < 0 || err != nil || n == 0 {
			like, _ := q.MarshalText()
			return fmt.Errorf("password: %s has a wrong parameter; want those of %s, none twice, each a number from 1 to %d",
				quoteShort(string(text)), like, math.MaxInt32)
		}

		*left[i].field.ofPolicy(&q) = int(n)
		left = slices.Delete(left, i, i+1)
	}

	p.setCosts(q)
	return nil
}

// policyNamed returns OWASP's first choice for an algorithm. Argon2i and argon2d have argon2id's.
func policyNamed(name string) (Policy, bool) {
	isNamed := func(a algorithm) bool { return a.name == name && name != "" }
	a := Algorithm(max(0, slices.IndexFunc(algorithms[:Foreign], isNamed)))

	for _, p := range owasp {
		if p.Algorithm == algorithms[a].like {
			p.Algorithm = a
			return p, true
		}
	}
	return Policy{}, false
}

// quoteShort returns text for an error, unless it may be a hash.
func quoteShort(text string) string {
	const typed = "abcdefghijklmnopqrstuvwxyz0123456789=,-"
	if len(text) >= 32 || strings.Trim(text, typed) != "" { // hexadecimal MD5 has 32 digits
		return "the text"
	}
	return strconv.Quote(text)
}

// MarshalText returns the algorithm and all its costs, as UnmarshalText reads them; for the zero
// Policy, Default's. It fails if UnmarshalText would not read the result.
func (p Policy) MarshalText() ([]byte, error) {
	q, err := p.filled()
	if err == nil && !q.Algorithm.makes() {
		err = errAlgorithm(q.Algorithm)
	}
	if err != nil {
		return nil, err
	}

	text := []byte(q.Algorithm.String())
	for _, c := range algorithms[q.Algorithm].costs {
		n := *c.field.ofPolicy(&q)
		if n < 1 || n > math.MaxInt32 {
			return nil, fmt.Errorf("password: Policy of %v has %s=%d; want 1 to %d", q.Algorithm, c.name, n, math.MaxInt32)
		}
		text = c.append(text, uint32(n))
	}
	return text, nil
}

// Default returns the policy for a new service: OWASP's first choice, argon2id with m = 19456 KiB,
// t = 2, p = 1.
func Default() Policy { return owasp[0] }

func owaspArgon2id(memory, passes int) Policy {
	return Policy{Algorithm: Argon2id, Memory: memory, Iterations: passes, Parallelism: 1}
}

func owaspScrypt(cost, p int) Policy {
	return Policy{Algorithm: Scrypt, Cost: cost, BlockSize: 8, Parallelism: p}
}

// owasp has the policies of OWASP's Password Storage Cheat Sheet (as of August 2026), with the
// first choice of each algorithm first. Those of one algorithm trade memory for time, and are meant
// to be equally hard to attack.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
var owasp = []Policy{
	owaspArgon2id(19456, 2), owaspArgon2id(47104, 1), owaspArgon2id(12288, 3),
	owaspArgon2id(9216, 4), owaspArgon2id(7168, 5),
	owaspScrypt(17, 1), owaspScrypt(16, 2), owaspScrypt(15, 3), owaspScrypt(14, 5), owaspScrypt(13, 10),
	{Algorithm: Bcrypt, Cost: 10},
	{Algorithm: PBKDF2SHA256, Iterations: 600_000},
	{Algorithm: PBKDF2SHA512, Iterations: 220_000},
}

// hash returns a hash with p's costs only, which are not checked.
func (p Policy) hash() *format.Hash {
	h := &format.Hash{Algorithm: format.Algorithm(p.Algorithm)}
	for f := range fields {
		*f.ofHash(h) = uint32(*f.ofPolicy(&p))
	}
	return h
}

// strength returns the filled p's work as a multiple of OWASP's: the largest multiple among the
// policies that p is not below in any number, or 0 if it is below each. Argon2i and argon2d are
// measured by argon2id's.
func (p Policy) strength() (times float64) {
	of := &algorithms[p.Algorithm]
	for _, minimum := range owasp {
		isBelow := func(c cost) bool { return *c.field.ofPolicy(&p) < *c.field.ofPolicy(&minimum) }
		if of.like == minimum.Algorithm && !slices.ContainsFunc(of.costs, isBelow) {
			times = max(times, of.units(p.hash())/of.units(minimum.hash()))
		}
	}
	return times
}

func (p Policy) meetsOWASP() bool { return p.strength() > 0 }

// policyOf returns the policy that h was made by, as far as h tells.
func policyOf(h *format.Hash) Policy {
	p := Policy{Algorithm: Algorithm(h.Algorithm)}
	for f := range fields {
		*f.ofPolicy(&p) = clampInt(*f.ofHash(h))
	}
	return p
}

func clampInt(n uint32) int { return int(min(uint64(n), math.MaxInt)) }
