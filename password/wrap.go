// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Weak hashes inside of argon2id, so that a store is safe before its users sign in again.

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"fount"
	"fount/internal/erase"
	"fount/password/internal/format"
)

// ErrStrong is Wrap's answer to a hash that is not to be wrapped: it is wrapped already, meets OWASP's minimum, or takes
// memory.
var ErrStrong = errors.New("password: hash needs no wrapping")

// Wrap returns encoded inside of p's argon2id, for a store of weak hashes that is to be safe at once, without its
// passwords: a hash of the stored sum, and what computes that sum from a password, without the sum itself. Verify
// takes such a string by both ways in turn, and NeedsRehash is true for it: at a match a plain new hash replaces it.
// To read it takes the same Formats as the hash inside.
//
// It wraps what p.Formats read and compute, and bcrypt and PBKDF2 below OWASP's minimum; but nothing that may be of two
// of the Formats, as the sum would be lost if it was the other's: name the one that made it. The string has at most 320 bytes,
// by Default 113 more than encoded. Wrap works on the caller's goroutine, without a password: for a store, Pool.Wrap keeps all
// cores at work. It may be called from any goroutine.
//
// The error is ErrStrong, ErrMalformed, ErrCost or ErrKey, or says what is wrong with p, which must be an argon2id, or
// with a form that can't be wrapped.
func Wrap(p Policy, encoded string) (string, error) {
	w, err := p.planWrap(encoded)
	if err != nil {
		return "", err
	}
	defer w.wipe()
	return w.encode(w.sum()), nil
}

// Wrap is the function Wrap by the pool's policy, in the pool's queue, with Hash's further errors.
func (p *Pool) Wrap(ctx context.Context, login Login, encoded string) (string, error) {
	return p.hash(ctx, login, func() (work, error) { return p.policy.planWrap(encoded) })
}

// wrapMark begins a wrapped hash. The argon2id in PHC form follows, then '$' and the inner string without its sum:
//
//	$fount-wrap$v=1$argon2id$v=19$m=19456,t=2,p=1$salt$sum$md5$salt$00000000000000000000000000000000
const (
	wrapName = "$fount-wrap$"
	wrapMark = wrapName + "v=1"
)

// wrapKey is what argon2id takes for the password: it names the inner string, so that no other has the same.
func wrapKey(inner string, sum []byte) []byte {
	key := make([]byte, 0, len(wrapMark)+len(inner)+2+2*len(sum))
	key = append(append(append(append(key, wrapMark...), '$'), inner...), '$')
	return hex.AppendEncode(key, sum)
}

// planWrap is plan for a stored hash in a password's place.
func (p Policy) planWrap(encoded string) (work, error) {
	p, err := p.filled()
	if err != nil {
		return work{}, err
	}
	h, err := p.blank()
	switch {
	case err != nil:
		return work{}, err
	case p.Algorithm != Argon2id:
		return work{}, fmt.Errorf("password: Policy.Algorithm is %v; want argon2id to wrap a hash", p.Algorithm)
	}
	sum, inner, err := p.bare(encoded)
	if err != nil {
		return work{}, err
	}
	h.Salt = make([]byte, saltLen)
	fount.Read(h.Salt)
	key := wrapKey(inner, sum)
	defer erase.Wipe(key)
	w, err := p.work(h, key)
	if err != nil {
		return work{}, err
	}
	w.inside = inner
	if n := len(w.encode(make([]byte, newSumLen(Argon2id)))); n > format.MaxLen {
		w.wipe()
		return work{}, fmt.Errorf("password: wrapped, the hash has %d bytes; want at most %d", n, format.MaxLen)
	}
	return w, nil
}

// unwrap takes a wrapped hash apart.
func unwrap(encoded string) (outer format.Hash, inner string, err error) {
	rest, ok := strings.CutPrefix(encoded, wrapMark)
	if !ok || len(encoded) > format.MaxLen {
		return outer, "", errors.New("a wrapped hash of another version, or of more than 320 bytes; want " + wrapMark)
	}
	parts := strings.SplitN(rest, "$", 7) // "", argon2id, v=19, m=...,t=...,p=..., salt, sum, inner
	if len(parts) != 7 || parts[6] == "" || strings.HasPrefix(parts[6], wrapName) {
		return outer, "", errWrapped
	}
	text := strings.Join(parts[:6], "$")
	outer, err = format.Parse(text)
	if err != nil || outer.Algorithm != format.Argon2id || outer.Version != format.V19 || outer.Form != format.PHC {
		err = errWrapped
	}
	return outer, parts[6], err
}

var (
	errWrapped = errors.New("a wrapped hash; want " + wrapMark + "$argon2id$v=19$m=M,t=T,p=P$salt$sum$ and the inner string")
	errInner   = errors.New("a wrapped hash of an inner form that takes memory")
	errSumLeft = errors.New("a wrapped hash with the inner sum still in it; want zeros in its place")
)

// admitWrapped is admit for a wrapped hash, by the filled policy. Both parts have their own limits.
func (p Policy) admitWrapped(password []byte, encoded string) (work, error) {
	outer, inside, err := unwrap(encoded)
	if err != nil {
		return work{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if err := p.Limits.check(&outer); err != nil {
		return work{}, err
	}
	p.Markers = false // an account without a password has no hash to wrap
	inner, err := p.admit(password, inside)
	if err != nil {
		return work{}, err
	}
	if inner.foreign != nil {
		inner.foreign.other = nil // that would have kept it from being wrapped
	}
	switch {
	case inner.memory > 0:
		err = errInner
	case !isBlank(inner.hash.Sum):
		err = errSumLeft
	}
	if err != nil {
		inner.wipe()
		return work{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	w, err := p.work(outer, nil)
	if err != nil {
		inner.wipe()
		return work{}, err
	}
	w.inner, w.inside = &inner, inside
	w.foreign = w.wrapping()
	w.alg, w.units, w.never = Foreign, float64(w.took()+inner.took()), inner.never
	_, refused := p.takes(password)
	w.result = Result{NeedsRehash: refused == nil, Truncated: inner.result.Truncated}
	return w, nil
}

// wrapping says what the scheduler is to know of a wrapped hash: it goes by the inner form's name and argon2id's work. Stages tell
// it apart by the inner one's time.
func (w *work) wrapping() *foreign {
	took := w.inner.took()
	name, class, inner := w.inner.alg.String(), uint32(0), func(int) time.Duration { return took }
	if f := w.inner.foreign; f != nil {
		name, class, inner = formName(f.form), f.class, f.Time
	}
	work := min(uint64(w.hash.Memory)*uint64(w.hash.Iterations), math.MaxUint32)
	return &foreign{Parsed: &Parsed{Cost: uint32(work), Time: inner}, form: formID("wrapped-" + name), class: class}
}

// longestWork is what took says at most. Of two, the sum is no overflow, also where a float64 has rounded it up.
const longestWork = math.MaxInt64 / 4

// took estimates how long the work takes on the machine of which Limits speaks.
func (w *work) took() time.Duration {
	if w.alg == Foreign {
		return time.Duration(min(w.units, longestWork))
	}
	for _, r := range reference {
		if r.policy.Algorithm == w.alg {
			return time.Duration(min(w.units/r.policy.units()*float64(r.took)/foreignUnit, longestWork))
		}
	}
	return 0
}

// wrappedSum computes the inner sum and then argon2id of it. It returns nil if nobody waits any more.
func (w *work) wrappedSum() []byte {
	inner := w.inner
	inner.gone = w.gone
	sum := inner.sum()
	if sum == nil {
		return nil
	}
	defer erase.Wipe(sum)
	w.failed = inner.failed
	w.key = wrapKey(w.inside, sum)
	return w.argon2Sum()
}
