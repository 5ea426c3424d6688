// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// Policies as users type them, in flags, configurations and JSON.

// named returns the policy that a name stands for without parameters. Argon2i and argon2d, of hashes that are
// stored already, have argon2id's.
func named(name string) (Policy, bool) {
	i := slices.Index(algorithmNames[:Foreign], name)
	a := Algorithm(max(i, 0))
	switch {
	case i <= 0:
		return Policy{}, false
	case a.argon2():
		p := Default()
		p.Algorithm = a
		return p, true
	}
	for _, p := range owasp() { // the first choice of each algorithm is the first
		if p.Algorithm == a {
			return p, true
		}
	}
	return Policy{}, false
}

// parameters are the costs of p, by the letters of its stored form.
func (p *Policy) parameters() map[string]*int {
	switch {
	case p.Algorithm == Bcrypt:
		return map[string]*int{"cost": &p.Cost}
	case p.Algorithm.argon2():
		return map[string]*int{"m": &p.Memory, "t": &p.Iterations, "p": &p.Parallelism}
	case p.Algorithm == Scrypt:
		return map[string]*int{"ln": &p.Cost, "r": &p.BlockSize, "p": &p.Parallelism}
	}
	return map[string]*int{"i": &p.Iterations}
}

// UnmarshalText reads an algorithm and its costs, in the form of fount's command line: the name of an
// algorithm, which stands for OWASP's first choice, and parameters that differ from that, by the
// letters of stored hashes, each at most once.
//
//	bcrypt,cost=12
//	argon2id,m=65536,t=3,p=4
//	scrypt,ln=16,r=8,p=2
//	pbkdf2-sha512,i=300000
//
// Memory, m, is in KiB; ln is log2 of N. The text says nothing of Keys, MaxPassword, Limits, Markers and Formats, which
// stay as they are. Whether the costs can be had, Check says. An error repeats up to 100 characters of the text and the wrong
// parameter, or nothing if the text may be a stored hash by its length or a sign such as $. Package flag's repeats all of it.
func (p *Policy) UnmarshalText(text []byte) error {
	q, err := readPolicy(string(text))
	switch {
	case err != nil && mayBeHash(string(text)):
		return errors.New("password: what may be a stored hash is not a policy; use one of bcrypt, argon2id, scrypt, pbkdf2-sha256, pbkdf2-sha512")
	case err != nil:
		return err
	}
	p.Algorithm = q.Algorithm
	p.Cost, p.Memory, p.Iterations, p.BlockSize, p.Parallelism = q.Cost, q.Memory, q.Iterations, q.BlockSize, q.Parallelism
	return nil
}

// readPolicy is UnmarshalText, whose errors repeat text.
func readPolicy(text string) (Policy, error) {
	name, rest, some := strings.Cut(text, ",")
	q, ok := named(name)
	if !ok {
		return q, fmt.Errorf("password: %.100q is not a policy; use one of bcrypt, argon2id, scrypt, pbkdf2-sha256, pbkdf2-sha512", text)
	}
	known, seen := q.parameters(), make(map[string]bool)
	for some {
		var part string
		part, rest, some = strings.Cut(rest, ",")
		key, value, _ := strings.Cut(part, "=")
		dst := known[key]
		n, err := strconv.ParseUint(value, 10, 31)
		if dst == nil || err != nil || n == 0 {
			return q, fmt.Errorf("password: %.100q has the parameter %.100q; %s has %s, each a number from 1 to %d",
				text, part, name, strings.Join(slices.Sorted(maps.Keys(known)), ", "), math.MaxInt32)
		}
		if seen[key] {
			return q, fmt.Errorf("password: %.100q has the parameter %s twice; want each at most once", text, key)
		}
		*dst, seen[key] = int(n), true
	}
	return q, nil
}

// mayBeHash reports whether a text that is no policy is or has a stored hash, maybe, which no error repeats: it has a $ or a {,
// or between commas what is as long as a hexadecimal MD5 or, where the name should be, ends as base64 does.
func mayBeHash(text string) bool {
	name, _, _ := strings.Cut(text, ",")
	if strings.ContainsAny(text, "${") || strings.HasSuffix(name, "=") {
		return true
	}
	for part := range strings.SplitSeq(text, ",") {
		if len(part) >= 32 {
			return true
		}
	}
	return false
}

// MarshalText returns the algorithm and all its costs, as UnmarshalText reads them; of the zero Policy,
// Default's. It fails for what that would not read: costs without an algorithm, and those below 1.
func (p Policy) MarshalText() ([]byte, error) {
	q, err := p.filled()
	if err != nil {
		return nil, err
	}
	if !q.Algorithm.makes() {
		return nil, fmt.Errorf("password: Policy.Algorithm is %d; want one of this package's that makes hashes", q.Algorithm)
	}
	costs := q.parameters()
	for _, key := range slices.Sorted(maps.Keys(costs)) {
		if n := *costs[key]; n < 1 || n > math.MaxInt32 {
			return nil, fmt.Errorf("password: a Policy of %v has %s=%d; want 1 to %d", q.Algorithm, key, n, math.MaxInt32)
		}
	}
	switch {
	case q.Algorithm == Bcrypt:
		return fmt.Appendf(nil, "%v,cost=%d", q.Algorithm, q.Cost), nil
	case q.Algorithm.argon2():
		return fmt.Appendf(nil, "%v,m=%d,t=%d,p=%d", q.Algorithm, q.Memory, q.Iterations, q.Parallelism), nil
	case q.Algorithm == Scrypt:
		return fmt.Appendf(nil, "%v,ln=%d,r=%d,p=%d", q.Algorithm, q.Cost, q.BlockSize, q.Parallelism), nil
	}
	return fmt.Appendf(nil, "%v,i=%d", q.Algorithm, q.Iterations), nil
}

// An Algorithm turns a password into a sum, slowly.
type Algorithm uint8

// The algorithms. New hashes should use Argon2id or Bcrypt; Argon2i and Argon2d are
// for hashes that are stored already.
const (
	Bcrypt       = Algorithm(format.Bcrypt)
	Argon2id     = Algorithm(format.Argon2id)
	Argon2i      = Algorithm(format.Argon2i)
	Argon2d      = Algorithm(format.Argon2d)
	Scrypt       = Algorithm(format.Scrypt)
	PBKDF2SHA256 = Algorithm(format.PBKDF2SHA256)
	PBKDF2SHA512 = Algorithm(format.PBKDF2SHA512)

	// Foreign is what a [Format] computes, whatever that is. No policy has it: it is only verified.
	Foreign = PBKDF2SHA512 + 1
)

var algorithmNames = [...]string{
	Bcrypt:       "bcrypt",
	Argon2id:     "argon2id",
	Argon2i:      "argon2i",
	Argon2d:      "argon2d",
	Scrypt:       "scrypt",
	PBKDF2SHA256: "pbkdf2-sha256",
	PBKDF2SHA512: "pbkdf2-sha512",
	Foreign:      "foreign",
}

// String returns the name as it stands in stored hashes: "argon2id".
func (a Algorithm) String() string {
	if a == 0 || int(a) >= len(algorithmNames) {
		return "unknown algorithm"
	}
	return algorithmNames[a]
}

// makes reports whether new hashes can be made with a.
func (a Algorithm) makes() bool { return a > 0 && a < Foreign }

func (a Algorithm) argon2() bool { return a == Argon2id || a == Argon2i || a == Argon2d }
func (a Algorithm) pbkdf2() bool { return a == PBKDF2SHA256 || a == PBKDF2SHA512 }

// The policies that OWASP names in its Password Storage Cheat Sheet (as of
// August 2026). Those of one algorithm are meant to be equally hard to attack:
// they trade memory for time.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html

// Default returns the policy for a new service: OWASP's first choice, argon2id with
// m = 19456 KiB, t = 2, p = 1.
func Default() Policy { return owaspArgon2id(19456, 2) }

func owaspArgon2id(memory, passes int) Policy {
	return Policy{Algorithm: Argon2id, Memory: memory, Iterations: passes, Parallelism: 1}
}

func owaspScrypt(cost, p int) Policy {
	return Policy{Algorithm: Scrypt, Cost: cost, BlockSize: 8, Parallelism: p}
}

// owasp returns all of them, the cheapest in memory of each algorithm last. The slice is shared, and full: append copies it.
var owasp = sync.OnceValue(func() []Policy {
	return []Policy{
		owaspArgon2id(47104, 1), owaspArgon2id(19456, 2), owaspArgon2id(12288, 3), owaspArgon2id(9216, 4), owaspArgon2id(7168, 5),
		owaspScrypt(17, 1), owaspScrypt(16, 2), owaspScrypt(15, 3), owaspScrypt(14, 5), owaspScrypt(13, 10),
		{Algorithm: Bcrypt, Cost: 10},
		{Algorithm: PBKDF2SHA256, Iterations: 600_000},
		{Algorithm: PBKDF2SHA512, Iterations: 220_000},
	}
})

// hash returns a hash with p's costs alone. They are not checked.
func (p Policy) hash() *format.Hash {
	return &format.Hash{
		Algorithm: format.Algorithm(p.Algorithm), Cost: uint32(p.Cost), Memory: uint32(p.Memory), Iterations: uint32(p.Iterations),
		BlockSize: uint32(p.BlockSize), Parallelism: uint32(p.Parallelism),
	}
}

// asHardAs reports whether p is at least as costly as least in every number:
// Argon2i and Argon2d by Argon2id's.
func (p Policy) asHardAs(least Policy) bool {
	if p.Algorithm != least.Algorithm && !(p.Algorithm.argon2() && least.Algorithm.argon2()) {
		return false
	}
	return p.Cost >= least.Cost && p.Memory >= least.Memory && p.Iterations >= least.Iterations &&
		p.BlockSize >= least.BlockSize && p.Parallelism >= least.Parallelism
}

// strength returns how many times the work of one of OWASP's the filled p has, the most of those that it is as hard
// as; 0: of none.
func (p Policy) strength() (times float64) {
	for _, least := range owasp() {
		if p.asHardAs(least) {
			times = max(times, unitsOf(p.hash())/unitsOf(least.hash()))
		}
	}
	return times
}

func (p Policy) meetsOWASP() bool { return p.strength() > 0 }
