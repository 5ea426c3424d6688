// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"cmp"
	"crypto/sha512"
	"fmt"
	"strings"
	"time"

	"fount/internal/erase"
	"fount/password/internal/format"
)

// A hasher is how a stored or new hash is computed: an algorithm, its parameters and a salt. Each
// implementation has a file: bcrypt, argon2, scrypt, pbkdf2, format (Computed and Translated),
// wrap.
type hasher interface {
	// effort returns what a password of n bytes takes.
	effort(n int) effort

	// unlock finds the key that the hash names.
	unlock(keys *KeyRing) error

	// input returns what is hashed instead of the password, in memory of its own.
	input(password []byte) input

	// sum hashes j's input. It returns nil if j is given up or has failed.
	sum(j *job) []byte

	// text returns the string to store for a sum.
	text(sum []byte) string
}

// An input is what an algorithm gets for a password.
type input struct {
	key, alternative []byte // alternative: see Computed.Also
	neverMatches     bool   // a mismatch whatever the sum is
	truncated        bool   // only its first 72 bytes count

	// exact and exactAlternative report whether no other password is hashed as key or alternative.
	// A match replaces the stored hash only then: otherwise it may not be the owner's password.
	exact, exactAlternative bool
}

// An effort is what one hash takes.
type effort struct {
	kind    kind
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

// A kind identifies hashes that take equally long: an algorithm and its parameters.
type kind struct {
	algorithm Algorithm
	form      string // of a Format
	cost      [3]uint32
	long      uint32 // of a Format: how often the password's length doubles its time
}

// name returns the form of a Format's hashes, or the algorithm.
func (k kind) name() string { return cmp.Or(k.form, k.algorithm.String()) }

// names returns a kind's Hashes.Algorithm and Hashes.Cost: the parameters as stored hashes have
// them, or for a Format its form, its cost, and how often the password's length doubles its time.
// All-zero parameters stand for kinds beyond maxKinds.
func (k kind) names() (algorithm, cost string) {
	algorithm = k.algorithm.String()
	switch {
	case k.long > 0:
		return algorithm, fmt.Sprintf("%s,%d,long=%d", k.form, k.cost[0], k.long)
	case k.form != "":
		return algorithm, fmt.Sprintf("%s,%d", k.form, k.cost[0])
	case k.cost == [3]uint32{}:
		return algorithm, "other"
	}

	var text []byte
	for i, c := range algorithms[k.algorithm].costs {
		text = c.append(text, k.cost[i])
	}
	cost = strings.TrimPrefix(string(text), ",")
	return algorithm, strings.TrimPrefix(cost, "cost=") // bcrypt has only this one
}

// A nativeHasher is one of this package's algorithms.
type nativeHasher interface {
	hasher
	hash() *format.Hash
	checkPassword(password []byte) error // why Hash refuses the password
	inspect(i *Info)                     // sets what is special to the algorithm
}

// hasherOf returns the hasher of a hash.
func hasherOf(h *format.Hash) nativeHasher {
	return algorithms[h.Algorithm].hasher(storedHash{parsed: *h})
}

// A storedHash is embedded in all native hashers.
type storedHash struct {
	parsed format.Hash
	secret []byte // the key that it names, in the KeyRing's memory
}

func (s *storedHash) hash() *format.Hash { return &s.parsed }

func (s *storedHash) effort(int) effort {
	h := &s.parsed
	of := &algorithms[h.Algorithm]
	e := effort{
		kind:    kind{algorithm: Algorithm(h.Algorithm)},
		units:   of.units(h),
		time:    of.time(h),
		memory:  of.memory(h),
		batches: of.batches,
		extends: of.extends,
	}

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
	s.secret, ok = keys.lookup(s.parsed.KeyID)
	if !ok {
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

// plainInput is the input of a hasher that takes the password as it is. If it ends with a NUL, it
// is not exact: PBKDF2 and scrypt use it as a key of HMAC, which ignores NULs at the end.
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
