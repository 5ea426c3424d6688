// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// A work is one hash that passed the guards and has not been computed: what stands between a call
// and the worker that runs it.

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"fmt"
	"runtime"
	"strings"

	"fount"
	"fount/internal/erase"
	"fount/password/internal/format"
)

type work struct {
	alg     Algorithm
	units   float64 // proportional to the time it takes, among works of one algorithm
	memory  int64   // bytes it holds while it runs; 0 for bcrypt and PBKDF2
	threads int     // how many cores it can use

	// dummy is set where nobody's password is compared, and never where the password can't be the
	// one that is stored: the work takes the time of one that matches, and does not.
	dummy, never bool

	// key is what is hashed in the password's place, and this work's own. For bcrypt it is as
	// Blowfish takes it: the first 72 bytes and a NUL.
	key    []byte
	also   []byte // a key that is as right, if a Format has two
	secret []byte // argon2's K; the ring's own
	result Result // what a match will answer

	// hash holds parameters, salt and the sum that is expected; of a new hash, as many zeros.
	hash format.Hash

	// scratch is the memory to compute in; nil: one that hashes without a Pool share. Works that
	// share one run one after the other.
	scratch *scratch

	foreign *foreign // what a Format computes, and how a wrapped hash is counted
	failed  error    // that it could not

	inner  *work  // of a wrapped hash, whose sum takes the password's place; hash is the outer one
	inside string // its string without the sum, also of a hash that is to be wrapped

	gone func() bool // whether nobody waits for the sum any more; nil: somebody does
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
		return p.dummy(password)
	}
	h, err := format.Parse(encoded)
	if err != nil && strings.HasPrefix(encoded, wrapName) {
		return p.admitWrapped(password, encoded)
	}
	if err != nil {
		return p.admitForeign(password, encoded, err)
	}
	if err := p.Limits.check(&h); err != nil {
		return work{}, err
	}
	return p.work(h, password)
}

func tooLong(password []byte, most int, what string) error {
	return fmt.Errorf("%w: %d bytes; want at most %d%s", ErrTooLong, len(password), most, what)
}

// plan is admit's twin for a new hash by the policy, with a new salt.
func (p Policy) plan(password []byte) (work, error) {
	p, err := p.filled()
	if err != nil {
		return work{}, err
	}
	h, err := p.takes(password)
	if err != nil {
		return work{}, err
	}
	return p.work(salted(h), password)
}

// salted returns h with a new salt, and zeros for the sum.
func salted(h format.Hash) format.Hash {
	size := 32
	switch Algorithm(h.Algorithm) {
	case Bcrypt:
		size = bcryptSumLen
	case PBKDF2SHA512:
		size = 64 // its modular form has no shorter one
	}
	h.Salt, h.Sum = make([]byte, saltLen), make([]byte, size)
	fount.Read(h.Salt)
	return h
}

// takes returns blank's hash for password, or says why the filled policy makes none of it.
func (p Policy) takes(password []byte) (format.Hash, error) {
	h, err := p.blank()
	plainBcrypt := p.Algorithm == Bcrypt && p.Keys.current() == ""
	switch {
	case err != nil:
	case len(password) == 0:
		err = ErrEmpty
	case len(password) > maxPassword:
		err = tooLong(password, maxPassword, "")
	case plainBcrypt && len(password) > bcryptMax:
		err = tooLong(password, bcryptMax, " for bcrypt without Keys")
	case plainBcrypt && bytes.IndexByte(password, 0) >= 0:
		err = ErrNUL
	}
	return h, err
}

// isMarker reports whether a stored string says that there is no password to match. Login's shadow
// files have "!", "*", "!!" and, for one that is locked, a hash behind '!'; Solaris "*LK*"; Django
// '!' and 40 random characters.
func isMarker(encoded string) bool { return encoded[0] == '!' || encoded[0] == '*' }

// dummy returns the work for an unknown user. It is a hash as the filled policy makes them: a
// malformed one would be refused in microseconds, which would reveal the users that exist.
func (p Policy) dummy(password []byte) (work, error) {
	h, err := p.blank()
	if err != nil {
		return work{}, err
	}
	w, err := p.work(salted(h), password)
	w.dummy = true
	return w, err
}

// work returns the work of hashing password as h says.
func (p Policy) work(h format.Hash, password []byte) (work, error) {
	w := work{alg: Algorithm(h.Algorithm), hash: h, threads: 1}
	if h.KeyID != "" {
		var ok bool
		if w.secret, ok = p.Keys.lookup(h.KeyID); !ok {
			return work{}, fmt.Errorf("%w: the hash names key %q", ErrKey, h.KeyID)
		}
	}
	w.measure()
	w.setKey(password)
	want, refused := p.takes(password)
	w.result.NeedsRehash = refused == nil && (p.replaces(&h, &want) || w.result.Truncated && !p.lowers(&h, &want))
	return w, nil
}

// measure says how much work it is.
func (w *work) measure() {
	h := &w.hash
	w.units, w.memory = unitsOf(h), memoryOf(h)
	if w.alg.argon2() {
		w.threads = min(int(h.Parallelism), runtime.GOMAXPROCS(0))
	}
}

// setKey sets key to what the algorithm takes for password.
func (w *work) setKey(password []byte) {
	h := &w.hash
	switch {
	case h.Form == format.PasslibSHA256:
		w.key = append(preHash(sha256.New, []byte(h.BcryptSalt()), password), 0)
	case w.alg == Bcrypt && w.secret != nil:
		w.key = append(preHash(sha512.New384, w.secret, password), 0)
	case w.alg == Bcrypt:
		w.setBcryptKey(password)
	case w.secret != nil && !w.alg.argon2():
		w.key = preHash(sha512.New384, w.secret, password)
	default:
		w.key = bytes.Clone(password)
	}
}

// setBcryptKey sets key for plain bcrypt, which looks at 72 bytes. What its makers do with a longer
// password, and with a NUL, differs:
//
//   - All take the first 72 bytes, or used to, when the stored hashes were made (OpenBSD's $2a$
//     before 5.5 took 255 and more as their remainder by 256).
//   - Only x/crypto and Python's hash a NUL like any byte; they write $2a$ and $2b$. The others
//     end the password there, or refuse it, and only they write $2y$: with a NUL it matches
//     nothing, after the same work.
func (w *work) setBcryptKey(password []byte) {
	w.never = w.hash.Minor == 'y' && bytes.IndexByte(password, 0) >= 0
	if len(password) > bcryptMax {
		w.result.Truncated = true
		password = password[:bcryptMax]
	}
	w.key = append(append(make([]byte, 0, bcryptMax+1), password...), 0)
}

// run computes the hash and compares it. It may be called once.
func (w *work) run() (Result, error) { return w.check(w.sum()) }

// unpooled is the memory of hashes without a Pool, which one leaves to the next: the system takes
// as long to map and clear 19 MiB as argon2 to fill it.
var unpooled = store{limit: leastMemory}

// sum computes the hash on this goroutine, and if threads says so, on others beside it. It returns
// nil when gone has said that nobody waits any more.
func (w *work) sum() []byte {
	if w.memory > 0 && w.scratch == nil {
		w.scratch = unpooled.take(w.memory)
		defer func() {
			unpooled.give(w.scratch)
			w.scratch = nil
		}()
	}
	switch w.alg {
	case Bcrypt:
		return w.bcryptSum()
	case Argon2id, Argon2i, Argon2d:
		return w.argon2Sum()
	case Scrypt:
		return w.scryptSum()
	case Foreign:
		if w.inner != nil {
			return w.wrappedSum()
		}
		return w.foreignSum()
	}
	return w.pbkdf2Sum()
}

// check compares sum, computed by this work or by another's hand from key, salt and cost, with the
// one that is stored, in constant time.
func (w *work) check(sum []byte) (Result, error) {
	same := subtle.ConstantTimeCompare(sum, w.hash.Sum) == 1
	if w.failed != nil {
		return Result{}, w.failed
	}
	if !same || w.dummy || w.never {
		return Result{}, ErrMismatch
	}
	return w.result, nil
}

// encode returns the string to store for a planned work whose sum is computed.
func (w *work) encode(sum []byte) string {
	h := w.hash
	h.Sum = sum
	if w.inside != "" {
		return wrapMark + h.String() + "$" + w.inside
	}
	return h.String()
}

// wipe overwrites the copy of the password. The work can't be run after it.
func (w *work) wipe() {
	erase.Wipe(w.key)
	erase.Wipe(w.also)
	w.key, w.also, w.secret = nil, nil, nil
	if w.inner != nil {
		w.inner.wipe()
	}
}
