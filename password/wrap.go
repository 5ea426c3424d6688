// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Weak hashes inside of argon2id, so that a store is safe before its users sign in again.

import (
	"bytes"
	"crypto/subtle"
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

// Wrap returns encoded inside of p's argon2id, for a store of weak hashes that is to be safe at once, without its
// passwords: a hash of the stored sum, and what computes that sum from a password, without the sum itself. Verify
// takes such a string by both ways in turn, and NeedsRehash is true for it: at a match a plain new hash replaces it.
// To read it takes the same Formats as the hash inside.
//
// It wraps bcrypt and PBKDF2 below OWASP's minimum, and what p.Formats read and say themselves how to: see Parsed.Blank.
// What needs no wrapping it returns as it is: what meets the minimum, takes memory, is wrapped already, or says that there is
// no password. What may be of two of the Formats it refuses, as the sum would be lost if it was the other's: name the one that made it, and
// try one user's password on what Wrap returns before the store is changed. The string has at most 320 bytes, by
// Default 113 more than encoded. Wrap works on the caller's goroutine; it may be called from any.
//
// The error is ErrMalformed, ErrCost or ErrKey, or says what is wrong with p, which must be an argon2id, or
// with a form that can't be wrapped.
func Wrap(p Policy, encoded string) (string, error) {
	w, err := p.planWrap(encoded)
	switch {
	case err != nil:
		return "", err
	case w.key == nil:
		return encoded, nil
	}
	defer w.wipe()
	return w.encode(w.sum()), nil
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

// planWrap is plan for a stored hash in a password's place. The work is zero if it needs no wrapping.
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
	sum, inner, err := p.blanked(encoded)
	if err != nil || sum == nil {
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

// blanked returns the sum of a weak hash, and the string with zeros in the sum's place, which reads as the same hash otherwise; or
// no sum, if the hash is not weak. p is filled.
func (p Policy) blanked(encoded string) (sum []byte, blank string, err error) {
	if encoded == "" || p.Markers && isMarker(encoded) {
		return nil, "", nil
	}
	w, err := p.admit([]byte("x"), encoded)
	switch {
	case err != nil || w.inner != nil || w.memory > 0 || policyOf(&w.hash).meetsOWASP():
		return nil, "", err
	case w.foreign != nil && w.foreign.other != nil:
		return nil, "", fmt.Errorf("password: a hash of this form can't be wrapped: two of Policy.Formats may have made it, %s and another; want one of them",
			formName(w.foreign.form))
	}
	h, err := format.Parse(encoded)
	if err == nil {
		h.Sum = make([]byte, len(h.Sum))
		blank = h.String()
	} else if parsed, _, err := p.Formats.parse(encoded, err); err == nil && parsed.Blank != "" && len(parsed.Blank) <= len(encoded) {
		blank = encoded[:len(encoded)-len(parsed.Blank)] + parsed.Blank
	}
	b, err := p.admit([]byte("x"), blank)
	if err != nil || !isBlank(b.hash.Sum) || len(b.hash.Sum) != len(w.hash.Sum) || kindOf(&b) != kindOf(&w) || !bytes.Equal(b.hash.Salt, w.hash.Salt) {
		return nil, "", errNotBlank
	}
	return w.hash.Sum, blank, nil
}

// isBlank reports whether sum is zeros, or what stands for them where the sum is text.
func isBlank(sum []byte) bool {
	zeros := bytes.Count(sum, sum[:1]) == len(sum)
	return zeros && (sum[0] == 0 || sum[0] == '.' || sum[0] == '0')
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
	errWrapped  = errors.New("a wrapped hash; want " + wrapMark + "$argon2id$v=19$m=M,t=T,p=P$salt$sum$ and the inner string")
	errNotBlank = errors.New("password: a hash of this form can't be wrapped: its Format does not say where the sum is")
	errInner    = errors.New("a wrapped hash of an inner form that takes memory")
	errSumLeft  = errors.New("a wrapped hash with the inner sum still in it; want zeros in its place")
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

// took estimates how long the work takes on the machine of which Limits speaks.
func (w *work) took() time.Duration {
	if w.alg == Foreign {
		return time.Duration(min(w.units, longest))
	}
	return timeOf(&w.hash)
}

// wrappedSum computes the inner sum and then argon2id of it, of each of the inner keys. It returns nil if nobody waits any more.
func (w *work) wrappedSum() (sum []byte) {
	inner := w.inner
	inner.gone = w.gone
	for _, key := range [][]byte{inner.key, inner.also} {
		if key == nil {
			continue
		}
		one := *inner
		one.key, one.also = key, nil
		within := one.sum()
		if within == nil {
			return nil
		}
		w.failed = one.failed
		w.key = wrapKey(w.inside, within)
		erase.Wipe(within)
		sum = w.argon2Sum()
		if sum == nil || subtle.ConstantTimeCompare(sum, w.hash.Sum) == 1 {
			break
		}
		erase.Wipe(w.key)
	}
	return sum
}
