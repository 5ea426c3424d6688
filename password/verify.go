// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/subtle"
	"fmt"
	"strings"

	"fount/password/internal/format"
)

// Hash returns a new hash of password by p, with a salt of its own: a string of printable ASCII, at
// most 260 bytes, ready to store. It works on the caller's goroutine and bounds only this one hash;
// a service needs a [Pool]. It may be called from any goroutine.
//
// The error is ErrTooLong, ErrEmpty or ErrNUL, ErrCost if p is above its own Limits, or says what
// is wrong with p.
func Hash(p Policy, password []byte) (string, error) {
	w, err := p.plan(password)
	if err != nil {
		return "", notBegun{err}
	}
	defer w.wipe()
	return w.text(w.compute()), nil
}

// A Result is what Verify adds to a match.
type Result struct {
	// NeedsRehash reports whether a hash by the policy should replace the stored one (see the
	// function NeedsRehash, and Truncated). Hash the same password and store that, unless the
	// stored hash has changed meanwhile. It is false if Hash would not take the password.
	NeedsRehash bool

	// Truncated reports whether the stored hash is a bcrypt of only the first 72 bytes of this
	// longer password: any other that begins alike matches too. A rehash makes the whole of it the
	// password, unless the policy is bcrypt without Keys, or of a lower cost.
	Truncated bool
}

// Verify reports whether encoded was made from password. It works on the caller's goroutine and
// bounds only this one hash; a service needs a [Pool]. It may be called from any goroutine.
//
// The error is nil for a match, ErrMismatch for none, and otherwise one of ErrMalformed, ErrCost,
// ErrKey and ErrTooLong, or says what is wrong with p: all found before any work. An empty encoded,
// of an unknown user, is ErrMismatch after the time of a hash by p; an empty password is, at once.
//
// Whatever p makes, Verify reads bcrypt ($2a$, $2b$, $2y$, and passlib's $bcrypt-sha256$v=2),
// argon2id, argon2i and argon2d (also of version 16, and in the order of Node's argon2), scrypt
// ($scrypt$ and $7$), PBKDF2 with SHA-256 and SHA-512 (passlib's form and PHC's), and what Wrap
// makes. A bcrypt is compared by the password's first 72 bytes, as its maker did.
func Verify(p Policy, password []byte, encoded string) (Result, error) {
	w, err := p.admit(password, encoded)
	if err != nil {
		return Result{}, notBegun{err}
	}
	defer w.wipe()
	r, err := w.check(w.compute())
	if err != nil {
		return Result{}, err
	}
	p, _ = p.filled() // as admit did
	want, err := p.blank()
	r.NeedsRehash = err == nil && takes(want, password) == nil && p.outdated(w.kind, want.hash(), r.Truncated)
	return r, nil
}

// NeedsRehash reports whether a hash by p should replace encoded: it has another algorithm or key,
// or p's would be harder to attack. No hash is made cheaper.
//
// Within a family (bcrypt, argon2, scrypt, PBKDF2), a hash stays if it takes more memory or more
// work than p's, even if it has another key, form or digest. Work is bcrypt's rounds, argon2's
// memory times passes, scrypt's N·r·p, and PBKDF2's iterations in multiples of OWASP's for the
// digest. Memory is argon2's and scrypt's N·r.
//
// Across families, work is compared in multiples of OWASP's choices, which are meant to be equally
// hard: a hash stays if its multiple is more than twice p's. So beside Default a bcrypt of cost 12,
// four times OWASP's, stays, and one of cost 11 is replaced. In both cases, if only one of hash and
// p is as hard as a choice of OWASP's, that one wins.
//
// Salt, the lengths of salt and sum, and bcrypt's minor version don't count. NeedsRehash is true if
// encoded can't be read or is above p's Limits, for every hash if p is invalid, and for what a
// Format reads, unless that is another form of a hash that would stay for its cost.
func NeedsRehash(p Policy, encoded string) bool {
	p, err := p.filled()
	if err != nil {
		return true
	}
	want, err := p.blank()
	if err != nil {
		return true
	}
	k, _, err := p.read(encoded)
	return err != nil || p.Limits.check(k, 0) != nil || p.outdated(k, want.hash(), false)
}

// admit checks password and stored hash against all guards, in microseconds whatever their size,
// and returns the work of comparing them. An empty encoded is a hash of the policy that no password
// matches, and so is, with Markers, one that says that there is no password.
//
// What it refuses before it looks at encoded is refused for all users alike. What it lets through
// takes the whole work of its hash, whatever the password is.
func (p Policy) admit(password []byte, encoded string) (work, error) {
	p, err := p.filled()
	switch {
	case err != nil:
		return work{}, err
	case len(password) > maxPassword:
		return work{}, tooLong(password, maxPassword, "")
	case len(password) == 0:
		return work{}, ErrMismatch
	case encoded == "", p.Markers && isMarker(encoded):
		w, err := p.make(password)
		w.dummy = true
		return w, err
	}
	k, sum, err := p.read(encoded)
	if err == nil {
		err = p.Limits.check(k, len(password))
	}
	if err == nil {
		err = k.unlock(p.Keys)
	}
	if err != nil {
		return work{}, err
	}
	return workOf(k, sum, password), nil
}

// Check says what is wrong with p, or why Verify would refuse a stored hash, without a password and
// without work: nil, ErrMalformed, ErrCost or ErrKey. With an empty encoded it checks p alone, as
// NewPool does.
func (p Policy) Check(encoded string) error {
	w, err := p.admit([]byte("x"), encoded)
	w.wipe()
	return err
}

// read takes a stored string apart into a kind and the sum that is expected.
func (p Policy) read(encoded string) (kind, []byte, error) {
	k, sum, _, err := p.readPadded(encoded)
	return k, sum, err
}

// readPadded returns what of encoded is the hash, too: all of it if that is read, or else what is
// before a line's end, or before all that files and columns of a fixed width leave behind it.
func (p Policy) readPadded(encoded string) (k kind, sum []byte, exact string, err error) {
	k, sum, err = p.readExactly(encoded)
	exact = encoded
	for _, padding := range []string{"\r\n", " \x00\r\n"} {
		trimmed := strings.TrimRight(exact, padding)
		if err == nil || trimmed == exact {
			continue
		}
		exact = trimmed
		if k, sum, err := p.readExactly(exact); err == nil {
			return k, sum, exact, nil
		}
	}
	return k, sum, encoded, err
}

func (p Policy) readExactly(encoded string) (kind, []byte, error) {
	h, err := format.Parse(encoded)
	switch {
	case err == nil:
		return ownOf(&h), h.Sum, nil
	case strings.HasPrefix(encoded, wrapName):
		return p.readWrapped(encoded)
	}
	k, sum, err := p.Formats.read(encoded, err)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return k, sum, nil
}

// isMarker reports whether a stored string says that there is no password to match. Login's shadow
// files have "!", "*", "!!" and, for one that is locked, a hash behind '!'; Solaris "*LK*"; Django
// '!' and 40 random characters. MySQL's '*' and 40 hexadecimal digits is a hash.
func isMarker(encoded string) bool {
	isMySQL := len(encoded) == 41 && strings.Trim(encoded[1:], "0123456789abcdefABCDEF") == ""
	return encoded[0] == '!' || encoded[0] == '*' && !isMySQL
}

// plan is admit's twin for a new hash by the policy, with a new salt.
func (p Policy) plan(password []byte) (work, error) {
	p, err := p.filled()
	if err != nil {
		return work{}, err
	}
	k, err := p.blank()
	if err == nil {
		err = takes(k, password)
	}
	if err != nil {
		return work{}, err
	}
	return p.make(password)
}

// make returns the work of a hash as the filled policy makes them.
func (p Policy) make(password []byte) (work, error) {
	k, err := p.salted()
	if err != nil {
		return work{}, err
	}
	return workOf(k, k.hash().Sum, password), nil
}

// takes says why no new hash of a kind is made of password.
func takes(k own, password []byte) error {
	switch {
	case len(password) == 0:
		return ErrEmpty
	case len(password) > maxPassword:
		return tooLong(password, maxPassword, "")
	}
	return k.takes(password)
}

// check compares the sum with the one that is stored, in constant time.
func (w *work) check(sum []byte) (Result, error) {
	same := subtle.ConstantTimeCompare(sum, w.want) == 1
	if w.failed != nil {
		return Result{}, w.failed
	}
	if !same || w.dummy || w.never {
		return Result{}, ErrMismatch
	}
	return Result{Truncated: w.truncated}, nil
}

// outdated reports whether a hash of the filled policy, want, should replace one of a kind, of
// which the password was truncated or not.
func (p Policy) outdated(k kind, want *format.Hash, truncated bool) bool {
	switch k := k.(type) {
	case *translated:
		return k.replace || !p.lowers(k.hash(), want)
	case *computed, *wrapped:
		return true
	}
	h := k.(own).hash()
	if p.lowers(h, want) {
		return false
	}
	_, bcrypt := k.(*bcryptHash)
	other := bcrypt && h.Form != want.Form // another thing is hashed
	return truncated || other || h.Loose || h.Version != want.Version || h.KeyID != want.KeyID || policyOf(h) != policyOf(want)
}

// lowers reports whether the filled policy's hash, want, would be easier to attack than h.
func (p Policy) lowers(h, want *format.Hash) bool {
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

// Inspect takes a stored hash apart, of this package's own forms and those that p.Formats read, by
// p's Limits, and computes nothing. The error is ErrMalformed.
func (p Policy) Inspect(encoded string) (Info, error) {
	k, sum, err := p.read(encoded)
	if err != nil {
		return Info{}, err
	}
	i := inspect(k, p.Limits.filled())
	i.SumLen = len(sum)
	return i, nil
}

// inspect returns what a kind says.
func inspect(k kind, limits Limits) Info {
	switch k := k.(type) {
	case *computed:
		need := k.effort(1)
		return Info{
			Algorithm: Foreign, Name: Foreign.String(), Form: k.form, Cost: clampInt(k.Cost), Bytes: k.Memory, BelowOWASP: true,
			OverLimits: limits.check(k, 1) != nil || need.took < 0,
		}
	case *translated:
		i := inspect(k.own, limits)
		i.Form = k.form
		if k.prepare != nil {
			i.PreHash, i.Truncates = k.form+"'s own", false
		}
		return i
	case *wrapped:
		inner, i := inspect(k.inner, limits), inspect(k.own, limits)
		i.Wraps = inner.Form
		if inner.Algorithm != Foreign { // whatever form it is stored in
			i.Wraps = inner.Name
		}
		i.Truncates, i.OverLimits = inner.Truncates, i.OverLimits || inner.OverLimits
		return i
	}
	of := k.(own)
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
