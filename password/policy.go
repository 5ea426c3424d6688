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
	"time"

	"fount"
	"fount/password/internal/format"
)

// A Policy says how to make new hashes and what stored ones may cost. If its Algorithm is zero, it
// means [Default] with its own Keys, Limits, Markers and Formats.
type Policy struct {
	Algorithm Algorithm

	// Fields that the algorithm does not use are ignored.
	Cost        int // bcrypt: log2 of the rounds, 4 to 31; scrypt: log2 of N
	Memory      int // argon2: KiB, at least 8 for each lane
	Iterations  int // argon2: passes, t; PBKDF2: iterations
	BlockSize   int // scrypt: r; 0 means 8
	Parallelism int // argon2: lanes, p; scrypt: p; 0 means 1

	// Keys are the peppers, if not nil. A new hash uses the current one and names it. For argon2 it
	// is the secret input K; for the others the password becomes base64(HMAC-SHA-384(key,
	// password)), so that even for bcrypt it may be longer than 72 bytes and hold NULs.
	Keys *KeyRing

	Limits Limits // ceilings on the cost of every hash, new or stored

	// Markers accepts stored strings that begin with '!' or '*', which many systems write for an
	// account to which no password signs in: "!", "*LK*", a locked hash behind '!', Django's
	// unusable ones. They verify like an unknown user: ErrMismatch, after the time of a hash of the
	// policy. Without Markers they are ErrMalformed, at once.
	Markers bool

	// Formats read stored hashes of other forms. Default: none.
	Formats *Formats
}

const (
	maxPassword = 1024 // bytes
	saltLen     = 16   // bytes of a new hash
)

func (f field) of(p *Policy) *int {
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
	p.BlockSize, p.Parallelism = cmp.Or(p.BlockSize, 8), cmp.Or(p.Parallelism, 1)
	p.Limits = p.Limits.filled()
	return p, nil
}

// Equal reports whether p and q have the same fields; a zero field equals its default. Two KeyRings
// are the same by KeyRing.EqualKeys. Formats are compared as pointers: legacy.All always returns
// the same one, and NewFormats a new one.
func (p Policy) Equal(q Policy) bool {
	same := p.Keys.EqualKeys(q.Keys.all()...)
	p.Keys, q.Keys = nil, nil
	p, _ = p.filled() // as it is, if it can't be
	q, _ = q.filled()
	return same && p == q
}

// setCosts gives p the algorithm and the costs of q.
func (p *Policy) setCosts(q Policy) {
	q.Keys, q.Limits, q.Markers, q.Formats = p.Keys, p.Limits, p.Markers, p.Formats
	*p = q
}

// blank returns the kind of the filled policy's hashes, without salt and sum. It fails if the
// policy can't be followed.
func (p Policy) blank() (own, error) {
	if !p.Algorithm.makes() {
		return nil, errAlgorithm(p.Algorithm)
	}
	of := &algorithms[p.Algorithm]
	h := format.Hash{Algorithm: format.Algorithm(p.Algorithm), KeyID: p.Keys.current()}
	for _, c := range of.costs {
		n := *c.field.of(&p)
		if n < 0 || int64(n) > math.MaxUint32 { // with the name in the error, p would escape
			return nil, fmt.Errorf("password: Policy of %v has a cost of %d; want 0 to %d",
				p.Algorithm, n, uint32(math.MaxUint32))
		}
		*c.field.in(&h) = uint32(n)
	}
	if p.Keys != nil && h.KeyID == "" {
		return nil, errors.New("password: Policy.Keys is a KeyRing without keys; want NewKeyRing's, or nil")
	}
	if err := h.Numbers(); err != nil {
		return nil, fmt.Errorf("password: Policy: %w", err)
	}
	if of.family == Argon2id && h.Memory/8 < h.Parallelism {
		return nil, fmt.Errorf("password: Policy: argon2's memory is %d KiB; want at least 8 for each of %d lanes", h.Memory, h.Parallelism)
	}
	h.Form, h.Minor = of.form(h.KeyID != "")
	k := ownOf(&h)
	return k, p.Limits.check(k, 0)
}

// salted returns the kind of a new hash by the filled policy, with a salt, and zeros for the sum.
func (p Policy) salted() (own, error) {
	k, err := p.blank()
	if err != nil {
		return nil, err
	}
	h := k.hash()
	h.Salt, h.Sum = make([]byte, saltLen), make([]byte, algorithms[h.Algorithm].sumLen)
	fount.Read(h.Salt)
	return k, k.unlock(p.Keys)
}

func errAlgorithm(a Algorithm) error {
	return fmt.Errorf("password: Policy.Algorithm is %d; want one of this package's that makes hashes", a)
}

// UnmarshalText reads the name of an algorithm, which stands for OWASP's first choice, and the
// costs that differ from that, named as in stored hashes, each at most once:
//
//	bcrypt,cost=12
//	argon2id,m=65536,t=3,p=4
//	scrypt,ln=16,r=8,p=2
//	pbkdf2-sha512,i=300000
//
// Memory, m, is in KiB; ln is log2 of N. All other fields of p stay as they are. Whether the costs
// can be had, Check says. An error does not repeat a text that might be a stored hash; package
// flag's does.
func (p *Policy) UnmarshalText(text []byte) error {
	name, rest, some := strings.Cut(string(text), ",")
	q, ok := named(name)
	if !ok {
		return fmt.Errorf("password: %s is not a policy; use one of bcrypt, argon2id, scrypt, pbkdf2-sha256, pbkdf2-sha512",
			shown(string(text)))
	}
	left := slices.Clone(algorithms[q.Algorithm].costs)
	for some {
		var part string
		part, rest, some = strings.Cut(rest, ",")
		key, value, _ := strings.Cut(part, "=")
		n, err := strconv.ParseUint(value, 10, 31)
		i := slices.IndexFunc(left, func(c cost) bool { return c.name == key })
		if i < 0 || err != nil || n == 0 {
			like, _ := q.MarshalText()
			return fmt.Errorf("password: %s has a wrong parameter; want those of %s, none twice, each a number from 1 to %d",
				shown(string(text)), like, math.MaxInt32)
		}
		*left[i].field.of(&q) = int(n)
		left = slices.Delete(left, i, i+1)
	}
	p.setCosts(q)
	return nil
}

// named returns the policy that a name stands for without costs. Argon2i and argon2d, of hashes
// that are stored already, have argon2id's.
func named(name string) (Policy, bool) {
	a := Algorithm(max(0, slices.IndexFunc(algorithms[:Foreign], func(a algorithm) bool { return a.name == name && name != "" })))
	for _, p := range owasp {
		if p.Algorithm == algorithms[a].like {
			p.Algorithm = a
			return p, true
		}
	}
	return Policy{}, false
}

// shown returns text as an error has it.
func shown(text string) string {
	const typed = "abcdefghijklmnopqrstuvwxyz0123456789=,-"
	if len(text) >= 32 || strings.Trim(text, typed) != "" { // hexadecimal MD5 has 32 digits
		return "the text"
	}
	return strconv.Quote(text)
}

// MarshalText returns the algorithm and all its costs, as UnmarshalText reads them; of the zero
// Policy, Default's. It fails for what that would not read.
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
		n := *c.field.of(&q)
		if n < 1 || n > math.MaxInt32 {
			return nil, fmt.Errorf("password: Policy of %v has %s=%d; want 1 to %d", q.Algorithm, c.name, n, math.MaxInt32)
		}
		text = fmt.Appendf(text, ",%s=%d", c.name, n)
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

// owasp has the policies of OWASP's Password Storage Cheat Sheet (as of August 2026), the first
// choice of each algorithm first. Those of one algorithm are meant to be equally hard to attack:
// they trade memory for time.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
var owasp = []Policy{
	owaspArgon2id(19456, 2), owaspArgon2id(47104, 1), owaspArgon2id(12288, 3),
	owaspArgon2id(9216, 4), owaspArgon2id(7168, 5),
	owaspScrypt(17, 1), owaspScrypt(16, 2), owaspScrypt(15, 3), owaspScrypt(14, 5), owaspScrypt(13, 10),
	{Algorithm: Bcrypt, Cost: 10},
	{Algorithm: PBKDF2SHA256, Iterations: 600_000},
	{Algorithm: PBKDF2SHA512, Iterations: 220_000},
}

// hash returns a hash with p's costs alone. They are not checked.
func (p Policy) hash() *format.Hash {
	return &format.Hash{
		Algorithm: format.Algorithm(p.Algorithm), Cost: uint32(p.Cost), Memory: uint32(p.Memory),
		Iterations: uint32(p.Iterations), BlockSize: uint32(p.BlockSize), Parallelism: uint32(p.Parallelism),
	}
}

// strength returns how many times the work of one of OWASP's the filled p has, the most of those
// that it is as hard as in every number; 0: of none. Argon2i and Argon2d are measured by
// Argon2id's.
func (p Policy) strength() (times float64) {
	of := &algorithms[p.Algorithm]
	for _, least := range owasp {
		if of.like == least.Algorithm && p.Cost >= least.Cost && p.Memory >= least.Memory && p.Iterations >= least.Iterations &&
			p.BlockSize >= least.BlockSize && p.Parallelism >= least.Parallelism {
			times = max(times, of.units(p.hash())/of.units(least.hash()))
		}
	}
	return times
}

func (p Policy) meetsOWASP() bool { return p.strength() > 0 }

// policyOf returns the policy that h was made by, as far as it shows.
func policyOf(h *format.Hash) Policy {
	return Policy{
		Algorithm: Algorithm(h.Algorithm), Cost: clampInt(h.Cost), Memory: clampInt(h.Memory),
		Iterations: clampInt(h.Iterations), BlockSize: clampInt(h.BlockSize), Parallelism: clampInt(h.Parallelism),
	}
}

func clampInt(n uint32) int { return int(min(uint64(n), math.MaxInt)) }

// Limits are ceilings on the cost of a hash, whatever computes it. A hash above them is refused
// with ErrCost before any work: anyone who can write to the store could otherwise plant one that
// takes a day, or all memory. A zero field means the default beside it.
type Limits struct {
	// Time is what a hash may take on one core of a machine that computes a bcrypt of cost 10 in 54
	// ms, by portable code: argon2, scrypt and PBKDF2 take a third to a sixth where the processor
	// has instructions for them. Default: 5 s, which is a bcrypt of cost 16, an argon2 of 1 GiB in
	// 4 passes, a scrypt of N = 2^19 with r = 8, or 10,000,000 iterations of PBKDF2.
	Time time.Duration

	// Memory is how many bytes it may hold. Default: 1 GiB.
	Memory int64
}

func (l Limits) filled() Limits {
	return Limits{Time: cmp.Or(l.Time, 5*time.Second), Memory: cmp.Or(l.Memory, 1<<30)}
}

// check returns ErrCost if a kind takes longer for a password of n bytes, or holds more, than the
// filled limits say, or than a slice can have.
func (l Limits) check(k kind, n int) error {
	need := k.effort(n)
	what := need.kind.form
	if what == "" {
		what = need.kind.algorithm.String()
	}
	switch most := min(l.Memory, math.MaxInt, largest-1); {
	case need.took < 0 || need.took > l.Time:
		return fmt.Errorf("%w: %s takes about %v, the limit is %v", ErrCost, what, need.took.Round(time.Millisecond), l.Time)
	case need.memory > most:
		return fmt.Errorf("%w: %s needs %d bytes, the limit is %d", ErrCost, what, need.memory, most)
	}
	return nil
}
