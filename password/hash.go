// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

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
	return w.encode(w.sum()), nil
}

// A Result is what Verify adds to a match.
type Result struct {
	// NeedsRehash: a hash by the policy should replace the stored one (see the function
	// NeedsRehash, and Truncated). Hash the same password and store that, unless the stored hash
	// has changed meanwhile. It is set only if Hash takes the password.
	NeedsRehash bool

	// Truncated: the stored hash is a bcrypt, which covers only the first 72 bytes of this longer
	// password: another one that begins alike matches too. A rehash mends that, unless the policy
	// is bcrypt without Keys, or of a lower cost, and makes what was given now the password.
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
	return w.run()
}
