// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"

	"fount/password/internal/format"
)

// Hash returns a new hash of password by p, with a salt of its own: a string of printable ASCII, at
// most 260 bytes, ready to store. It works on the caller's goroutine and bounds only this one hash;
// a service needs a [Pool]. It may be called from any goroutine.
//
// The error is ErrTooLong, ErrEmpty, ErrNUL, ErrCost if p is above its own Limits, or says what is
// wrong with p.
func Hash(p Policy, password []byte) (string, error) {
	j, err := p.hashJob(password)
	if err != nil {
		return "", notBegun{err}
	}
	defer j.wipe()
	return j.text(j.compute()), nil
}

// A Result says more about a match.
type Result struct {
	// NeedsRehash reports whether a hash by the policy should replace the stored one: see the
	// function NeedsRehash. If so, hash the password, and store the new hash unless the stored one
	// has changed meanwhile. It is false if Hash would refuse the password.
	//
	// It is also false if another password would match in the same way, since that may be the
	// owner's, and would be wrong after the rehash: if bcrypt gets 72 bytes or more, or a NUL; if
	// PBKDF2, scrypt or a Format's hash gets a NUL at the end; and if a Format's Prepare or Also was
	// not exact, for example trimmed a space. The hash stays until the owner sets a new password.
	NeedsRehash bool

	// Truncated reports whether the stored hash is a bcrypt and the password longer than the 72
	// bytes that bcrypt uses: any password with the same 72 bytes matches, until the owner sets a
	// new one.
	Truncated bool
}

// Verify reports whether encoded was made from password. It works on the caller's goroutine and
// bounds only this one hash; a service needs a [Pool]. It may be called from any goroutine.
//
// The error is nil for a match and ErrMismatch for a wrong password. All others are found before
// any hash is computed: ErrMalformed, ErrCost, ErrKey, ErrTooLong, or one that says what is wrong
// with p.
//
// For an unknown user, pass an empty encoded: the error is ErrMismatch, after as long as a hash by
// p takes. For an empty password it is ErrMismatch at once.
//
// Whatever p makes, Verify reads bcrypt ($2a$, $2b$, $2y$, and passlib's $bcrypt-sha256$v=2),
// argon2id, argon2i and argon2d (also of version 16, and in the order of Node's argon2), scrypt
// ($scrypt$ and $7$), PBKDF2 with SHA-256 and SHA-512 (passlib's form and PHC's), and what Wrap
// makes. A bcrypt is compared by the password's first 72 bytes, as its maker did.
func Verify(p Policy, password []byte, encoded string) (Result, error) {
	j, err := p.verifyJob(password, encoded)
	if err != nil {
		return Result{}, notBegun{err}
	}
	defer j.wipe()
	r, err := j.check(j.compute())
	if err != nil {
		return Result{}, err
	}
	p, _ = p.filled() // verifyJob has found no error
	want, err := p.unsalted()
	r.NeedsRehash = r.NeedsRehash && err == nil && p.outdated(j.kind, want.hash()) && checkPassword(want, password) == nil
	return r, nil
}

// NeedsRehash reports whether a hash by p should replace encoded: because it has another algorithm,
// key or cost, unless p's hash would be easier to attack.
//
// Within a family (bcrypt, argon2, scrypt, PBKDF2), a hash stays if it takes more memory or more
// work than p's, even if it has another key, form or digest. Work is bcrypt's rounds, argon2's
// memory times passes, scrypt's N·r·p, and PBKDF2's iterations in multiples of OWASP's for the
// digest. Memory is argon2's and scrypt's N·r.
//
// Across families, work is compared in multiples of OWASP's choices, which are meant to be equally
// hard: a hash stays if its multiple is more than twice p's. So with Default, a bcrypt of cost 12,
// four times OWASP's, stays, and one of cost 11 is replaced. In both cases, if only one of the two
// is as hard as a choice of OWASP's, that one wins.
//
// The salt, the lengths of salt and sum, and bcrypt's minor version don't count. NeedsRehash is
// true if p is invalid, if encoded can't be read or is above p's Limits, and for hashes that a
// Format reads, unless a Translated's Hash would stay for its cost. Replace a hash only after a
// match whose Result.NeedsRehash is true too.
func NeedsRehash(p Policy, encoded string) bool {
	p, err := p.filled()
	if err != nil {
		return true
	}
	want, err := p.unsalted()
	if err != nil {
		return true
	}
	k, _, err := p.read(encoded)
	return err != nil || p.Limits.check(k, 0) != nil || p.outdated(k, want.hash())
}

// verifyJob makes all checks on password and stored hash, in microseconds whatever their size, and
// returns the job of comparing them. If encoded is empty, or with p.Markers a marker, the job is a
// dummy: a hash by the policy that no password matches.
//
// Checks before encoded is read refuse all users alike. After them, no password shortens the job.
func (p Policy) verifyJob(password []byte, encoded string) (job, error) {
	p, err := p.filled()
	switch {
	case err != nil:
		return job{}, err
	case len(password) > maxPassword:
		return job{}, tooLong(password, maxPassword, "")
	case len(password) == 0:
		return job{}, ErrMismatch
	case encoded == "", p.Markers && isMarker(encoded):
		j, err := p.freshJob(password)
		j.dummy = true
		return j, err
	}
	k, sum, err := p.read(encoded)
	if err == nil {
		err = p.Limits.check(k, len(password))
	}
	if err == nil {
		err = k.unlock(p.Keys)
	}
	if err != nil {
		return job{}, err
	}
	return newJob(k, sum, password), nil
}

// Check returns the error with which Verify would refuse encoded, or nil: ErrMalformed, ErrCost,
// ErrKey, or what is wrong with p. It computes no hash. If encoded is empty, it checks p alone, as
// NewPool does.
func (p Policy) Check(encoded string) error {
	j, err := p.verifyJob([]byte("x"), encoded)
	j.wipe()
	return err
}

// read parses a stored string into a kind and the stored sum.
func (p Policy) read(encoded string) (kind, []byte, error) {
	k, sum, _, err := p.readPadded(encoded)
	return k, sum, err
}

// readPadded is read, and also returns the part of encoded that is the hash: all of it, or else all
// but a line's end, or all but the padding that files and columns of a fixed width have.
func (p Policy) readPadded(encoded string) (k kind, sum []byte, exact string, err error) {
	k, sum, err = p.readExactly(encoded)
	exact = encoded
	for _, padding := range []string{"\r\n", " \x00\r\n"} {
		trimmed := strings.TrimRight(exact, padding)
		if err == nil || trimmed == exact {
			continue
		}
		exact = trimmed
		k, sum, trimmedErr := p.readExactly(exact)
		if trimmedErr == nil {
			return k, sum, exact, nil
		}
		if errors.Is(err, format.ErrSpace) {
			err = trimmedErr
		}
	}
	return k, sum, encoded, err
}

func (p Policy) readExactly(encoded string) (kind, []byte, error) {
	h, err := format.Parse(encoded)
	switch {
	case err == nil:
		return kindOf(&h), h.Sum, nil
	case isWrapped(encoded):
		return p.readWrapped(encoded)
	}
	k, sum, err := p.Formats.read(encoded, err)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return k, sum, nil
}

// isMarker reports whether a stored string means that no password signs in. Shadow files have "!",
// "*", "!!", and '!' before the hash of a locked account; Solaris has "*LK*"; Django has '!' and 40
// random characters. MySQL's '*' and 40 hexadecimal digits is a hash.
func isMarker(encoded string) bool {
	isMySQL := len(encoded) == 41 && strings.Trim(encoded[1:], "0123456789abcdefABCDEF") == ""
	return encoded[0] == '!' || encoded[0] == '*' && !isMySQL
}

// hashJob makes all checks for a new hash of password by the policy, and returns its job.
func (p Policy) hashJob(password []byte) (job, error) {
	p, err := p.filled()
	if err != nil {
		return job{}, err
	}
	k, err := p.unsalted()
	if err == nil {
		err = checkPassword(k, password)
	}
	if err != nil {
		return job{}, err
	}
	return p.freshJob(password)
}

// freshJob returns the job of a new hash by the filled policy, with a new salt.
func (p Policy) freshJob(password []byte) (job, error) {
	k, err := p.salted()
	if err != nil {
		return job{}, err
	}
	return newJob(k, k.hash().Sum, password), nil
}

// checkPassword returns why Hash refuses to hash password as a kind, or nil.
func checkPassword(k nativeKind, password []byte) error {
	switch {
	case len(password) == 0:
		return ErrEmpty
	case len(password) > maxPassword:
		return tooLong(password, maxPassword, "")
	}
	return k.checkPassword(password)
}

// check compares the sum with the stored one, in constant time. NeedsRehash says whether the match
// may replace the stored hash, whatever that is.
func (j *job) check(sum []byte) (Result, error) {
	same := subtle.ConstantTimeCompare(sum, j.storedSum) == 1
	if j.failed != nil {
		return Result{}, j.failed
	}
	if !same || j.dummy || j.neverMatches {
		return Result{}, ErrMismatch
	}
	return Result{NeedsRehash: j.exact, Truncated: j.truncated}, nil
}

// outdated reports whether a hash by the filled policy, want, should replace one of kind k.
func (p Policy) outdated(k kind, want *format.Hash) bool {
	switch k := k.(type) {
	case *translated:
		return !p.weakens(k.hash(), want)
	case *computed, *wrapped:
		return true
	}
	h := k.(nativeKind).hash()
	if p.weakens(h, want) {
		return false
	}
	_, bcrypt := k.(*bcryptHash)
	other := bcrypt && h.Form != want.Form // another input
	return other || h.Loose || h.Version != want.Version || h.KeyID != want.KeyID || policyOf(h) != policyOf(want)
}

// weakens reports whether the filled policy's hash, want, would be easier to attack than h.
func (p Policy) weakens(h, want *format.Hash) bool {
	has, makes := policyOf(h).strength(), p.strength()
	of, wanted := &algorithms[h.Algorithm], &algorithms[want.Algorithm]
	switch {
	case (has > 0) != (makes > 0):
		return has > 0
	case of.family == wanted.family:
		memory, work := of.expense(h)
		wantMemory, wantWork := wanted.expense(want)
		return wantMemory < memory || wantWork < work
	}
	return has > 2*makes
}

// Inspect describes a stored hash of any form that p reads. It computes no hash. The error is
// ErrMalformed.
func (p Policy) Inspect(encoded string) (Info, error) {
	k, sum, err := p.read(encoded)
	if err != nil {
		return Info{}, err
	}
	i := inspect(k, p.Limits.filled())
	i.SumLen = len(sum)
	return i, nil
}

// inspect returns the Info of a kind.
func inspect(k kind, limits Limits) Info {
	switch k := k.(type) {
	case *computed:
		need := k.effort(1)
		return Info{
			Algorithm: Foreign, Name: Foreign.String(), Form: k.form, Cost: clampInt(k.Cost), Bytes: k.Memory, BelowOWASP: true,
			OverLimits: limits.check(k, 1) != nil || need.time < 0,
		}
	case *translated:
		i := inspect(k.nativeKind, limits)
		i.Form = k.form
		if k.prepare != nil {
			i.PreHash, i.Truncates = k.form+"'s own", false
		}
		return i
	case *wrapped:
		inner, i := inspect(k.inner, limits), inspect(k.nativeKind, limits)
		i.Wraps = inner.Form
		if inner.Algorithm != Foreign { // whatever form it is stored in
			i.Wraps = inner.Name
		}
		i.Truncates, i.OverLimits = inner.Truncates, i.OverLimits || inner.OverLimits
		return i
	}
	of := k.(nativeKind)
	h := of.hash()
	p := policyOf(h)
	i := Info{
		Algorithm: p.Algorithm, Name: p.Algorithm.String(), KeyID: h.KeyID,
		Cost: p.Cost, Memory: p.Memory, Iterations: p.Iterations, BlockSize: p.BlockSize, Parallelism: p.Parallelism,
		SaltLen: len(h.Salt), OverLimits: limits.check(k, 1) != nil, BelowOWASP: !p.meetsOWASP(),
	}
	if !i.OverLimits {
		i.Bytes = of.effort(1).memory
	}
	of.inspect(&i)
	return i
}
