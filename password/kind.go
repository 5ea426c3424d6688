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

// A kind is a hash that is stored, or to be made, without a password: an algorithm, its parameters
// and a salt. Its implementations have a file each: bcrypt, argon2, scrypt, pbkdf2, format (what a
// Format computes, and what it translates) and wrap.
type kind interface {
	// effort returns what a password of n bytes takes.
	effort(n int) effort

	// unlock finds the key that the hash names.
	unlock(keys *KeyRing) error

	// keyed returns what is hashed in the password's place, in memory of its own.
	keyed(password []byte) keyed

	// sum hashes what w has in the password's place. It returns nil once nobody waits any more.
	sum(w *work) []byte

	// text returns the string to store for a sum.
	text(sum []byte) string
}

// A keyed is what is hashed in a password's place, and what that says of the password.
type keyed struct {
	key, also []byte // also: a second reading, where it is not known which one the maker has hashed
	never     bool   // the password can't be the one that is stored
	truncated bool   // only its first 72 bytes count
}

// An effort is what one computation takes.
type effort struct {
	kind   kindID
	units  float64       // its work, proportional to time within an algorithm; run sets 0 if it left some out
	took   time.Duration // about, on the machine of which Limits speaks
	varies time.Duration // of took, what hashes of one form and cost may differ in
	memory int64         // bytes held while it runs
	batch  bool          // it may run side by side with others of its kind
	grows  bool          // hashes of its algorithm with fewer units are a part of it
}

// usually is took on a processor with AVX.
func (e *effort) usually() time.Duration {
	if of := &algorithms[e.kind.algorithm]; of.usual > 0 {
		return time.Duration(min(e.units*of.usual*1e9, longest))
	}
	return e.took
}

// A kindID is what hashes that take equally long have in common: an algorithm and its parameters.
type kindID struct {
	algorithm Algorithm
	form      string // of a Format
	cost      [3]uint32
}

// names returns what Stats calls a kind: its algorithm, and its parameters as stored hashes write
// them, of a Format its form, its cost, and by how many doublings the password's length adds to its
// time. Zeros stand for several together.
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
	return algorithm, strings.TrimPrefix(strings.Join(parts, ","), "cost=") // bcrypt's, by itself
}

// An own is a kind of this package's algorithms.
type own interface {
	kind
	hash() *format.Hash
	takes(password []byte) error // why no new hash is made of the password
	inspect(i *Info)             // adds what the algorithm alone knows
}

// Info is what a stored hash says about itself. It holds nothing of salt or sum.
type Info struct {
	Algorithm Algorithm `json:"-"`
	Name      string    `json:"algorithm"`         // Algorithm's
	Form      string    `json:"form,omitempty"`    // Name of the Format that read it, if any
	Variant   string    `json:"variant,omitempty"` // bcrypt: "2a", "2b" or "2y"
	PreHash   string    `json:"prehash,omitempty"` // what is hashed in the password's place
	Wraps     string    `json:"wraps,omitempty"`   // algorithm or form inside of a wrapped hash
	KeyID     string    `json:"key_id,omitempty"`  // the pepper it names

	// As in Policy; of a wrapped hash, the outer one's. A number too large for an int is the
	// largest int. Foreign has only a Cost, which is Computed.Cost.
	Cost        int `json:"cost,omitempty"`
	Memory      int `json:"memory_kib,omitempty"`
	Iterations  int `json:"iterations,omitempty"`
	BlockSize   int `json:"block_size,omitempty"`
	Parallelism int `json:"parallelism,omitempty"`

	SaltLen int   `json:"salt_bytes"`   // 0 for Foreign, whose Format alone knows it
	SumLen  int   `json:"sum_bytes"`    // of the stored sum
	Bytes   int64 `json:"memory_bytes"` // held while it is computed; 0 for bcrypt and PBKDF2

	// Digests is how many digests a PBKDF2's sum is long. Each takes all iterations, and a Policy
	// makes one.
	Digests int `json:"-"`

	Truncates  bool `json:"truncates"`   // only the password's first 72 bytes count
	OverLimits bool `json:"over_limits"` // the Limits refuse it: ErrCost
	BelowOWASP bool `json:"below_owasp"` // cheaper than all of OWASP's
}

// ownOf returns the kind of a hash.
func ownOf(h *format.Hash) own {
	return algorithms[h.Algorithm].kind(stored{of: *h})
}

// A stored is what the kinds of this package's algorithms have in common.
type stored struct {
	of     format.Hash
	secret []byte // the key that it names; the ring's own
}

func (s *stored) hash() *format.Hash { return &s.of }

func (s *stored) effort(int) effort {
	h := &s.of
	of := &algorithms[h.Algorithm]
	e := effort{kind: kindID{algorithm: Algorithm(h.Algorithm)}, units: of.units(h), took: of.took(h), memory: of.memory(h), batch: of.batch, grows: of.grows}
	for i, c := range of.costs {
		e.kind.cost[i] = *c.field.in(h)
	}
	return e
}

func (s *stored) unlock(keys *KeyRing) error {
	if s.of.KeyID == "" {
		return nil
	}
	var ok bool
	if s.secret, ok = keys.lookup(s.of.KeyID); !ok {
		return fmt.Errorf("%w: the hash names key %q", ErrKey, s.of.KeyID)
	}
	return nil
}

func (s *stored) text(sum []byte) string {
	h := s.of
	h.Sum = sum
	return h.String()
}

// keyed is for algorithms that take no secret.
func (s *stored) keyed(password []byte) keyed {
	if s.secret == nil {
		return given(password)
	}
	return keyed{key: preHash(sha512.New384, s.secret, password)}
}

func (s *stored) inspect(i *Info) {
	if s.of.KeyID != "" {
		i.PreHash = "HMAC-SHA-384"
	}
}

func (s *stored) takes([]byte) error { return nil }

// A work is one hash of one password that passed the guards: what stands between a call and the
// worker that runs it.
type work struct {
	kind
	keyed
	need  effort
	want  []byte // the sum that is stored
	dummy bool   // nobody's password is compared: it takes the time of a match, and is none

	threads int // how many goroutines it can use

	// scratch is the memory to compute in; nil: one that hashes without a Pool share. Works that
	// share one run one after the other.
	scratch *scratch

	failed error       // that it could not be computed
	gone   func() bool // whether nobody waits for the sum any more; nil: somebody does
}

// workOf returns the work of hashing password.
func workOf(k kind, want, password []byte) work {
	need := k.effort(len(password))
	return work{kind: k, keyed: k.keyed(password), need: need, want: want, threads: runtime.GOMAXPROCS(0)}
}

// compute computes the sum on this goroutine, and if threads says so, on others beside it. It
// returns nil when gone has said that nobody waits any more.
func (w *work) compute() []byte {
	if w.need.memory > 0 && w.scratch == nil {
		w.scratch = unpooled.take(w.need.memory)
		defer func() {
			unpooled.give(w.scratch)
			w.scratch = nil
		}()
	}
	return w.sum(w)
}

// unpooled is the memory of hashes without a Pool, which one leaves to the next: the system takes
// as long to map and clear 19 MiB as argon2 to fill it.
var unpooled = store{limit: leastMemory}

// wipe overwrites the copy of the password. The work can't be run after it.
func (w *work) wipe() {
	erase.Wipe(w.key)
	erase.Wipe(w.also)
	w.keyed = keyed{}
}

// given returns the keyed of a kind that hashes the password as it is.
func given(password []byte) keyed { return keyed{key: bytes.Clone(password)} }
