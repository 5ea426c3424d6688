// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"crypto/sha512"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"fount/internal/erase"
	"fount/password/internal/format"
)

// A kind is how a stored or new hash is computed: an algorithm, its parameters and a salt. Each
// implementation has a file: bcrypt, argon2, scrypt, pbkdf2, format (Computed and Translated),
// wrap.
type kind interface {
	// effort returns what a password of n bytes takes.
	effort(n int) effort

	// unlock finds the key that the hash names.
	unlock(keys *KeyRing) error

	// input returns what is hashed instead of the password, in memory of its own.
	input(password []byte) input

	// sum hashes j's input. It returns nil if j is given up.
	sum(w *job) []byte

	// text returns the string to store for a sum.
	text(sum []byte) string
}

// An input is what an algorithm gets for a password.
type input struct {
	key, alternative []byte // alternative: see Computed.Also
	neverMatches     bool   // a mismatch whatever the sum is
	truncated        bool   // only its first 72 bytes count

	// exact and exactAlternative report whether no other password is hashed as key or alternative. A
	// match replaces the stored hash only then: otherwise it may not be the owner's password.
	exact, exactAlternative bool
}

// An effort is what one hash takes.
type effort struct {
	kind    kindID
	units   float64       // proportional to time within an algorithm; 0 if a part was left out
	time    time.Duration // estimate for the machine that Limits speaks of
	varies  time.Duration // the part of time that differs among hashes of one form and cost
	memory  int64         // bytes held while it runs
	batches bool          // hashes of the kind can run side by side
	extends bool          // it begins with the work of those with fewer units
}

// timeWithAVX is the time on a processor with AVX.
func (e *effort) timeWithAVX() time.Duration {
	if of := &algorithms[e.kind.algorithm]; of.secondsAVX > 0 {
		return time.Duration(min(e.units*of.secondsAVX*1e9, maxDuration))
	}
	return e.time
}

// A kindID identifies hashes that take equally long: an algorithm and its parameters.
type kindID struct {
	algorithm Algorithm
	form      string // of a Format
	cost      [3]uint32
}

// names returns a kind's Hashes.Algorithm and Hashes.Cost: the parameters as stored hashes have
// them, or for a Format its form, its cost, and how often the password's length doubles its time.
// All-zero parameters stand for kinds beyond maxKinds.
func (k kindID) names() (algorithm, cost string) {
	algorithm, c := k.algorithm.String(), k.cost
	switch {
	case k.form != "" && c[1] > 0:
		return algorithm, fmt.Sprintf("%s,%d,long=%d", k.form, c[0], c[1])
	case k.form != "":
		return algorithm, fmt.Sprintf("%s,%d", k.form, c[0])
	case c == [3]uint32{}:
		return algorithm, "other"
	}
	var parts []string
	for i, of := range algorithms[k.algorithm].costs {
		parts = append(parts, of.name+"="+strconv.FormatUint(uint64(c[i]), 10))
	}
	return algorithm, strings.TrimPrefix(strings.Join(parts, ","), "cost=") // bcrypt has only this one
}

// A nativeKind is a kind of this package's algorithms.
type nativeKind interface {
	kind
	hash() *format.Hash
	checkPassword(password []byte) error // why Hash refuses the password
	inspect(i *Info)                     // sets what is special to the algorithm
}

// Info describes a stored hash, without its salt and sum.
type Info struct {
	Algorithm Algorithm `json:"-"`
	Name      string    `json:"algorithm"`         // Algorithm's
	Form      string    `json:"form,omitempty"`    // Name of the Format that read it, if any
	Variant   string    `json:"variant,omitempty"` // bcrypt: "2a", "2b" or "2y"
	PreHash   string    `json:"prehash,omitempty"` // what is hashed instead of the password
	Wraps     string    `json:"wraps,omitempty"`   // algorithm or form inside a wrapped hash
	KeyID     string    `json:"key_id,omitempty"`  // the pepper it names

	// As in Policy; for a wrapped hash, those of the outer one. A number too large for an int is
	// math.MaxInt. Foreign has only Cost, which is Computed.Cost.
	Cost        int `json:"cost,omitempty"`
	Memory      int `json:"memory_kib,omitempty"`
	Iterations  int `json:"iterations,omitempty"`
	BlockSize   int `json:"block_size,omitempty"`
	Parallelism int `json:"parallelism,omitempty"`

	SaltLen int   `json:"salt_bytes"`   // 0 for Foreign: only its Format knows it
	SumLen  int   `json:"sum_bytes"`    // of the stored sum
	Bytes   int64 `json:"memory_bytes"` // held while it is computed; 0 for bcrypt and PBKDF2

	// Digests is the length of a PBKDF2's sum in digests, rounded up. Each takes all iterations. In
	// a Policy's hashes it is 1.
	Digests int `json:"-"`

	Truncates  bool `json:"truncates"`   // only the password's first 72 bytes count
	OverLimits bool `json:"over_limits"` // Verify refuses it: ErrCost
	BelowOWASP bool `json:"below_owasp"` // easier to attack than each of OWASP's choices
}

// kindOf returns the kind of a hash.
func kindOf(h *format.Hash) nativeKind {
	return algorithms[h.Algorithm].kind(storedHash{parsed: *h})
}

// A storedHash is embedded in all native kinds.
type storedHash struct {
	parsed format.Hash
	secret []byte // the key that it names, in the KeyRing's memory
}

func (s *storedHash) hash() *format.Hash { return &s.parsed }

func (s *storedHash) effort(int) effort {
	h := &s.parsed
	of := &algorithms[h.Algorithm]
	e := effort{units: of.units(h), time: of.time(h), memory: of.memory(h), batches: of.batches, extends: of.extends}
	e.kind.algorithm = Algorithm(h.Algorithm)
	for i, c := range of.costs {
		e.kind.cost[i] = *c.field.ofHash(h)
	}
	return e
}

func (s *storedHash) unlock(keys *KeyRing) error {
	if s.parsed.KeyID == "" {
		return nil
	}
	var ok bool
	if s.secret, ok = keys.lookup(s.parsed.KeyID); !ok {
		return fmt.Errorf("%w: the hash names key %q", ErrKey, s.parsed.KeyID)
	}
	return nil
}

func (s *storedHash) text(sum []byte) string {
	h := s.parsed
	h.Sum = sum
	return h.String()
}

// input is for algorithms that take no secret beside the password.
func (s *storedHash) input(password []byte) input {
	if s.secret == nil {
		return plainInput(password)
	}
	return input{key: preHash(sha512.New384, s.secret, password), exact: true}
}

func (s *storedHash) inspect(i *Info) {
	if s.parsed.KeyID != "" {
		i.PreHash = "HMAC-SHA-384"
	}
}

func (s *storedHash) checkPassword([]byte) error { return nil }

// A job is one hash of one password to compute. All checks of verifyJob or hashJob have passed.
type job struct {
	kind
	input
	need      effort
	storedSum []byte // the sum that is stored
	dummy     bool   // it only takes time: any password is a mismatch

	threads int // how many goroutines it can use

	// scratch is the memory to compute in. If nil, it comes from unpooledScratch. Jobs that share
	// one run one after the other.
	scratch *scratch

	failed error       // why there is no sum
	gone   func() bool // whether the caller has left, and the job may be given up; may be nil
}

// newJob returns the job of hashing password.
func newJob(k kind, want, password []byte) job {
	need := k.effort(len(password))
	return job{kind: k, input: k.input(password), need: need, storedSum: want, threads: runtime.GOMAXPROCS(0)}
}

// compute returns the sum, or nil if the job was given up. It uses this goroutine, and others if
// threads is more than 1.
func (j *job) compute() []byte {
	if j.need.memory > 0 && j.scratch == nil {
		j.scratch = unpooledScratch.take(j.need.memory)
		defer func() {
			unpooledScratch.give(j.scratch)
			j.scratch = nil
		}()
	}
	return j.sum(j)
}

// unpooledScratch keeps memory for hashes without a Pool: to map and clear 19 MiB takes the system
// as long as argon2 takes to fill it.
var unpooledScratch = scratchPool{limit: minMemory}

// wipe overwrites the copy of the password. The job can't be computed after it.
func (j *job) wipe() {
	erase.Wipe(j.key)
	erase.Wipe(j.alternative)
	j.input = input{}
}

// plainInput is the input of a kind that hashes the password as it is. If it ends with a NUL, it is
// not exact: PBKDF2 and scrypt use it as a key of HMAC, which ignores NULs at the end.
func plainInput(password []byte) input {
	return input{
		key:   append([]byte{}, password...), // never nil
		exact: !bytes.HasSuffix(password, []byte{0}),
	}
}

// preparedInput returns of's input of what prepare, if not nil, returns for the password.
func preparedInput(prepare func([]byte) ([]byte, bool), password []byte, of func([]byte) input) input {
	if prepare == nil {
		return of(password)
	}
	given := bytes.Clone(password)
	defer erase.Wipe(given)

	prepared, exact := prepare(given)
	defer erase.Wipe(prepared)

	in := of(prepared)
	in.exact = in.exact && exact
	in.neverMatches = in.neverMatches || len(prepared) == 0 // as an empty password
	return in
}
