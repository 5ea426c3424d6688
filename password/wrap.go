// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Weak hashes inside of argon2id, so that a store is safe before its users sign in again.

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"fount/internal/erase"
	"fount/password/internal/format"
)

// Wrap returns encoded inside of p's argon2id, for a store of weak hashes that is to be safe at
// once, without its passwords: a hash of the stored sum, and what computes that sum from a
// password, without the sum itself. Verify takes such a string, with the same Formats, by both ways
// in turn, and NeedsRehash is true for it: at a match a plain new hash replaces it.
//
// It wraps bcrypt and PBKDF2 below OWASP's minimum, and what p.Formats read and say how to: see
// Parsed.Blank. It returns as it is what meets the minimum, takes memory, is wrapped already, or
// says that there is no password. It refuses what two of the Formats may have made: name the one
// that did, and try one user's password on what Wrap returns before the store is changed. Nor does
// it wrap what others write like one of them with another sum, as of Werkzeug before 3: let those
// users sign in. The
// string has at most 320 bytes, by Default 113 more than encoded. Wrap works on the caller's
// goroutine; it may be called from any.
//
// The error is ErrMalformed, ErrCost or ErrKey, or says what is wrong with p, which must be an
// argon2id, or with a form that can't be wrapped.
func Wrap(p Policy, encoded string) (string, error) {
	p, err := p.filled()
	if err != nil {
		return "", err
	}
	h, err := p.blank()
	switch {
	case err != nil:
		return "", err
	case p.Algorithm != Argon2id:
		return "", fmt.Errorf("password: Policy.Algorithm is %v; want argon2id to wrap a hash", p.Algorithm)
	}
	sum, inside, err := p.blanked(encoded)
	switch {
	case err != nil:
		return "", err
	case sum == nil:
		return encoded, nil
	}
	w, err := p.work(salted(h), nil)
	if err != nil {
		return "", err
	}
	defer w.wipe()
	w.inside, w.key = inside, wrapKey(inside, sum)
	if n := len(w.encode(w.hash.Sum)); n > format.MaxLen {
		return "", fmt.Errorf("password: wrapped, the hash has %d bytes; want at most %d", n, format.MaxLen)
	}
	return w.encode(w.sum()), nil
}

// wrapMark begins a wrapped hash. The argon2id in PHC form follows, then '$' and the inner string
// without its sum:
//
//	$fount-wrap$v=1$argon2id$v=19$m=19456,t=2,p=1$salt$sum$md5$salt$00000000000000000000
const (
	wrapName = "$fount-wrap$"
	wrapMark = wrapName + "v=1"
)

// wrapKey is what argon2id takes for the password: it names the inner string, so that no other has
// the same.
func wrapKey(inside string, sum []byte) []byte {
	key := make([]byte, 0, len(wrapMark)+len(inside)+2+2*len(sum))
	key = append(append(append(append(key, wrapMark...), '$'), inside...), '$')
	return hex.AppendEncode(key, sum)
}

// blanked returns the sum of a weak hash, and the string with zeros in the sum's place, which must
// read as the same hash otherwise; no sum, if the hash is not weak. p is filled, and makes
// argon2id.
func (p Policy) blanked(encoded string) (sum []byte, blank string, err error) {
	w, err := p.admit([]byte("x"), encoded)
	switch {
	case err != nil || w.dummy || w.inner != nil || w.memory > 0 || policyOf(&w.hash).meetsOWASP():
		return nil, "", err
	case w.foreign != nil && w.foreign.other != nil:
		return nil, "", fmt.Errorf("password: two forms read this hash, %s and another: name the one that made it",
			w.foreign.form)
	}
	h, err := format.Parse(encoded)
	form := w.alg.String()
	if err == nil {
		h.Sum = make([]byte, len(h.Sum))
		blank = h.String()
	} else {
		var parsed *Parsed
		parsed, form, err = p.Formats.parse(encoded, err)
		if err == nil && len(parsed.Blank) <= len(encoded) {
			blank = encoded[:len(encoded)-len(parsed.Blank)] + parsed.Blank
		}
	}
	b, err := p.admit([]byte("x"), blank)
	if err != nil || b.dummy || !isBlank(b.hash.Sum) || len(b.hash.Sum) != len(w.hash.Sum) || kindOf(&b) != kindOf(&w) ||
		!bytes.Equal(b.hash.Salt, w.hash.Salt) {
		return nil, "", fmt.Errorf("password: a hash that is read as %s can't be wrapped: other programs may write the same with another sum, "+
			"or its Format does not say where the sum is; let its user sign in", form)
	}
	return w.hash.Sum, blank, nil
}

// isBlank reports whether sum is zeros, or what stands for them where the sum is text.
func isBlank(sum []byte) bool {
	return bytes.Count(sum, sum[:1]) == len(sum) && (sum[0] == 0 || sum[0] == '.' || sum[0] == '0')
}

// unwrap takes a wrapped hash apart. The error is ErrMalformed.
func unwrap(encoded string) (outer format.Hash, inside string, err error) {
	rest, ok := strings.CutPrefix(encoded, wrapMark)
	parts := strings.SplitN(rest, "$", 7) // "", argon2id, v=19, m=...,t=...,p=..., salt, sum, inner
	if ok && len(encoded) <= format.MaxLen && len(parts) == 7 && !strings.HasPrefix(parts[6], wrapName) {
		outer, err = format.Parse(strings.Join(parts[:6], "$"))
		inside = parts[6]
	}
	if inside == "" || err != nil || outer.Algorithm != format.Argon2id || outer.Version != format.V19 || outer.Form != format.PHC {
		err = fmt.Errorf("%w: a wrapped hash; want %s$argon2id$v=19$m=M,t=T,p=P$salt$sum$ and the inner string, at most %d bytes",
			ErrMalformed, wrapMark, format.MaxLen)
	}
	return outer, inside, err
}

// admitWrapped is admit for a wrapped hash, by the filled policy. Both parts have their own limits.
func (p Policy) admitWrapped(password []byte, encoded string) (work, error) {
	outer, inside, err := unwrap(encoded)
	if err == nil {
		err = p.Limits.check(&outer)
	}
	if err != nil {
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
	if inner.memory > 0 || !isBlank(inner.hash.Sum) {
		inner.wipe()
		return work{}, fmt.Errorf("%w: a wrapped hash whose inner form takes memory, or has its sum still", ErrMalformed)
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

// wrapping says what the scheduler is to know of a wrapped hash: it goes by the inner form's name
// and argon2id's work. Stages tell it apart by the inner one's time.
func (w *work) wrapping() *foreign {
	took := w.inner.took()
	name, class, inner := w.inner.alg.String(), uint32(0), func(int) time.Duration { return took }
	if f := w.inner.foreign; f != nil {
		name, class, inner = f.form, f.class, f.Time
	}
	work := min(uint64(w.hash.Memory)*uint64(w.hash.Iterations), math.MaxUint32)
	return &foreign{Parsed: &Parsed{Cost: uint32(work), Time: inner}, form: "wrapped-" + name, class: class}
}

// took estimates how long the work takes on the machine of which Limits speaks.
func (w *work) took() time.Duration {
	if w.alg == Foreign {
		return time.Duration(min(w.units, longest))
	}
	return timeOf(&w.hash)
}

// wrappedSum computes the inner sum and then argon2id of it, of each of the inner keys, whichever is
// right. It returns nil if nobody waits any more.
func (w *work) wrappedSum() (sum []byte) {
	w.inner.gone = w.gone
	for _, key := range [][]byte{w.inner.key, w.inner.also} {
		if key == nil {
			continue
		}
		inner := *w.inner
		inner.key, inner.also = key, nil
		within := inner.sum()
		if within == nil {
			return nil
		}
		w.failed = cmp.Or(w.failed, inner.failed)
		w.key = wrapKey(w.inside, within)
		erase.Wipe(within)
		one := w.argon2Sum()
		erase.Wipe(w.key)
		if one == nil {
			return nil
		}
		sum = w.keep(sum, one)
	}
	return sum
}
