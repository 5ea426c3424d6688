// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// A Result is what Verify adds to a match.
type Result struct {
	// NeedsRehash: the stored hash should give way to one by the policy (see the
	// function NeedsRehash, and Truncated). Store Hash's of the same password, now
	// that it is known, if the stored one is still the same by then. It is set only
	// where Hash takes the password: never by a policy above its own Limits.
	NeedsRehash bool

	// Truncated: the stored hash is a bcrypt, and knows only the first 72 bytes
	// of the password, which has more: another that begins alike matches too. A
	// policy other than bcrypt without Keys mends that by a rehash.
	Truncated bool
}

// Verify tells whether password is the one that encoded was made of. It works on
// the caller's goroutine and bounds nothing but one hash: a service that
// verifies for others wants a [Pool]. It may be called from any goroutine.
//
// The error is nil for a match, ErrMismatch for none, and else one of
// ErrMalformed, ErrCost, ErrKey and ErrTooLong, or says what is wrong with p:
// all found before any work. An empty encoded is ErrMalformed.
//
// What verifies is bcrypt ($2a$, $2b$, $2y$, and passlib's $bcrypt-sha256$v=2),
// argon2id, argon2i and argon2d, scrypt ($scrypt$ and $7$), and PBKDF2 with
// SHA-256 and SHA-512 (passlib's form and PHC's), whatever p makes; for what p
// would make otherwise, NeedsRehash is set. A bcrypt is compared by the
// password's first 72 bytes, as its maker did.
func Verify(p Policy, password []byte, encoded string) (Result, error) {
	if encoded == "" {
		return Result{}, ErrMalformed
	}
	w, err := p.admit(password, encoded)
	if err != nil {
		return Result{}, err
	}
	defer w.wipe()
	return w.run()
}
