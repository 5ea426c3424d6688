// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

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
	// PBKDF2, scrypt or a Format's hash gets a NUL at the end; and if a Format's Prepare or Also
	// was not exact, for example trimmed a space. The hash stays until the owner sets a new
	// password.
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

	want, err := p.unsalted()
	j.outdated = err == nil && replaces(want, j.hasher, password)
	return j.check(j.compute())
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
		h, err := p.salted()
		if err != nil {
			return job{}, err
		}

		j := newJob(h, h.hash().Sum, password)
		j.dummy = true
		return j, nil
	}

	h, sum, err := p.read(encoded)
	if err == nil {
		err = p.Limits.check(h, len(password))
	}
	if err == nil {
		err = h.unlock(p.Keys)
	}
	if err != nil {
		return job{}, err
	}
	return newJob(h, sum, password), nil
}

// hashJob makes all checks for a new hash of password by the policy, and returns its job.
func (p Policy) hashJob(password []byte) (job, error) {
	h, err := p.salted()
	if err == nil {
		err = checkPassword(h, password)
	}
	if err != nil {
		return job{}, err
	}
	return newJob(h, h.hash().Sum, password), nil
}

// checkPassword returns why Hash refuses to hash password by h, or nil.
func checkPassword(h nativeHasher, password []byte) error {
	switch {
	case len(password) == 0:
		return ErrEmpty
	case len(password) > maxPassword:
		return tooLong(password, maxPassword, "")
	}
	return h.checkPassword(password)
}
