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

	"fount/internal/erase"
	"fount/password/internal/format"
)

// Wrap returns encoded inside of p's argon2id, for a store of weak hashes that is to be safe at
// once, without its passwords: a hash of the stored sum, and what computes that sum from a
// password, without the sum itself. Verify takes such a string, with the same Formats, by both ways
// in turn, and NeedsRehash is true for it: at a match a plain new hash replaces it.
//
// It wraps bcrypt and PBKDF2 below OWASP's minimum, and what p.Formats read and say how to: see
// Computed.Blank. It returns as it is what meets the minimum, takes memory, is wrapped already, or
// says that there is no password. It refuses what several of the Formats may have made: let
// p.Formats be the one that did, and try one user's password on what Wrap returns before the store
// is changed. The string names that Format. It has at most 640 bytes, by Default 113 more than
// encoded, and 6 and the Format's name. Wrap works on the caller's goroutine; it may be called from
// any.
//
// The error is ErrMalformed, ErrCost or ErrKey, or says what is wrong with p, which must be an
// argon2id, or with a form that can't be wrapped.
func Wrap(p Policy, encoded string) (string, error) {
	p, err := p.filled()
	if err != nil {
		return "", err
	}
	outer, err := p.salted()
	switch {
	case err != nil:
		return "", err
	case p.Algorithm != Argon2id:
		return "", fmt.Errorf("password: Policy.Algorithm is %v; want argon2id to wrap a hash", p.Algorithm)
	}
	sum, form, inside, err := p.blanked(encoded)
	switch {
	case err != nil:
		return "", err
	case sum == nil:
		return encoded, nil
	}
	k := &wrapped{own: outer, form: form, inside: inside}
	blank := k.text(outer.hash().Sum)
	if n := len(blank); n > format.MaxLen {
		return "", fmt.Errorf("password: wrapped, the hash has %d bytes; want at most %d", n, format.MaxLen)
	}
	if err := p.Check(blank); err != nil {
		return "", fmt.Errorf("password: wrapped, the hash would be refused: %w", err)
	}
	key := k.key(sum)
	defer erase.Wipe(key)
	w := workOf(outer, nil, key)
	defer w.wipe()
	return k.text(w.compute()), nil
}

// wrapMark begins a wrapped hash. The name of the Format that reads the inner string follows, if
// one does, the argon2id in PHC form, and behind '$' the inner string without its sum:
//
//	$fount-wrap$v=1,form=django$argon2id$v=19$m=19456,t=2,p=1$salt$sum$md5$salt$00000000000000000000
const (
	wrapName = "$fount-wrap$"
	wrapMark = wrapName + "v=1"
	wrapForm = ",form="
)

// mark returns how the string begins.
func (k *wrapped) mark() string {
	if k.form == "" {
		return wrapMark
	}
	return wrapMark + wrapForm + k.form
}

// key is what argon2id takes for the password: it names the inner string, so that no other has the
// same.
func (k *wrapped) key(sum []byte) []byte {
	mark := k.mark()
	key := make([]byte, 0, len(mark)+len(k.inside)+2+2*len(sum))
	key = append(append(append(append(key, mark...), '$'), k.inside...), '$')
	return hex.AppendEncode(key, sum)
}

// blanked returns the sum of a weak hash, the name of the Format that reads it, if one does, and the
// string with zeros in the sum's place, which must read as the same hash otherwise; no sum, if the
// hash is not weak. p is filled, and makes argon2id.
func (p Policy) blanked(encoded string) (sum []byte, form, blank string, err error) {
	w, err := p.admit([]byte("x"), encoded)
	if err != nil || w.dummy || w.need.memory > 0 {
		return nil, "", "", err
	}
	_, _, encoded, _ = p.readPadded(encoded)
	shown := w.need.kind.algorithm.String()
	switch k := w.kind.(type) {
	case *wrapped:
		return nil, "", "", nil
	case *computed:
		shown = k.form
		if len(k.others) > 0 {
			return nil, "", "", fmt.Errorf("password: several forms read this hash, %s: name the one that made it", p.Formats.readers(encoded))
		}
	case own: // a translated one too
		if policyOf(k.hash()).meetsOWASP() {
			return nil, "", "", nil
		}
	}
	if h, err := format.Parse(encoded); err == nil {
		h.Sum = make([]byte, len(h.Sum))
		blank = h.String()
	} else if parsed, name, err := p.Formats.parse(encoded, err); err == nil && len(parsed.blank()) <= len(encoded) {
		form, shown = name, name
		blank = encoded[:len(encoded)-len(parsed.blank())] + parsed.blank()
	}
	b, err := p.admit([]byte("x"), blank)
	if err != nil || b.dummy || !isBlank(b.want) || len(b.want) != len(w.want) || b.need.kind != w.need.kind || !sameSalt(b.kind, w.kind) {
		return nil, "", "", fmt.Errorf("password: a hash that is read as %s can't be wrapped: its Format does not say where the sum is; let its user sign in", shown)
	}
	return w.want, form, blank, nil
}

// sameSalt reports whether two kinds of one cost have the same salt, as far as this package sees
// it.
func sameSalt(a, b kind) bool {
	x, ok := a.(own)
	y, same := b.(own)
	return !ok && !same || ok && same && bytes.Equal(x.hash().Salt, y.hash().Salt)
}

// isBlank reports whether sum is zeros, or what stands for them where the sum is text.
func isBlank(sum []byte) bool {
	return bytes.Count(sum, sum[:1]) == len(sum) && (sum[0] == 0 || sum[0] == '.' || sum[0] == '0')
}

// unwrap takes a wrapped hash apart. The error is ErrMalformed.
func unwrap(encoded string) (outer format.Hash, form, inside string, err error) {
	rest, ok := strings.CutPrefix(encoded, wrapMark)
	if after, named := strings.CutPrefix(rest, wrapForm); named {
		form, rest, _ = strings.Cut(after, "$")
		ok, rest = ok && form != "", "$"+rest
	}
	parts := strings.SplitN(rest, "$", 7) // "", argon2id, v=19, m=...,t=...,p=..., salt, sum, inner
	if ok && len(encoded) <= format.MaxLen && len(parts) == 7 && !strings.HasPrefix(parts[6], wrapName) {
		outer, err = format.Parse(strings.Join(parts[:6], "$"))
		inside = parts[6]
	}
	if inside == "" || err != nil || outer.Algorithm != format.Argon2id || outer.Version != format.V19 || outer.Form != format.PHC {
		err = fmt.Errorf("%w: a wrapped hash; want %s$argon2id$v=19$m=M,t=T,p=P$salt$sum$ and the inner string, at most %d bytes",
			ErrMalformed, wrapMark, format.MaxLen)
	}
	return outer, form, inside, err
}

// A wrapped is argon2id of another hash's sum.
type wrapped struct {
	own           // the argon2id
	inner  kind   // whose sum takes the password's place
	form   string // the name of the Format that reads it; empty: this package does
	inside string // its string without the sum
}

// readWrapped is read for a wrapped hash, by the filled policy.
func (p Policy) readWrapped(encoded string) (kind, []byte, error) {
	outer, form, inside, err := unwrap(encoded)
	if err != nil {
		return nil, nil, err
	}
	p.Formats = p.Formats.only(form)
	if form != "" && p.Formats == nil {
		return nil, nil, fmt.Errorf("%w: a wrapped hash of a form that Policy.Formats do not have", ErrMalformed)
	}
	inner, sum, err := p.readExactly(inside)
	if err != nil {
		return nil, nil, err
	}
	if inner.effort(0).memory > 0 || !isBlank(sum) {
		return nil, nil, fmt.Errorf("%w: a wrapped hash whose inner form takes memory, or has its sum still", ErrMalformed)
	}
	return &wrapped{ownOf(&outer), inner, form, inside}, outer.Sum, nil
}

// effort goes by the inner form's name and argon2id's work.
func (k *wrapped) effort(n int) effort {
	outer, inner := k.own.effort(n), k.inner.effort(n)
	name := inner.kind.form
	if name == "" {
		name = inner.kind.algorithm.String()
	}
	took := outer.took + inner.took
	if c, ok := k.inner.(*computed); ok && c.Also != nil {
		took += outer.took
	}
	id := kindID{algorithm: Foreign, form: "wrapped-" + name, cost: [3]uint32{uint32(min(outer.units, math.MaxUint32)), inner.kind.cost[1]}}
	if inner.kind.form == "" {
		id.cost[1] = 0
	}
	return effort{kind: id, units: float64(max(1, took)), took: took, varies: inner.took, memory: outer.memory}
}

func (k *wrapped) unlock(keys *KeyRing) error {
	if err := k.own.unlock(keys); err != nil {
		return err
	}
	return k.inner.unlock(keys)
}

func (k *wrapped) keyed(password []byte) keyed { return k.inner.keyed(password) }

func (k *wrapped) text(sum []byte) string { return k.mark() + k.own.text(sum) + "$" + k.inside }

// sum computes the inner sum and then argon2id of it, of each reading, whichever is right.
func (k *wrapped) sum(w *work) (sum []byte) {
	for _, key := range [][]byte{w.key, w.also} {
		if key == nil {
			continue
		}
		inner := work{kind: k.inner, keyed: keyed{key: key}, gone: w.gone}
		within := inner.compute()
		if within == nil {
			return nil
		}
		w.failed = cmp.Or(w.failed, inner.failed)
		outer := work{kind: k.own, keyed: keyed{key: k.key(within)}, threads: w.threads, scratch: w.scratch, gone: w.gone}
		erase.Wipe(within)
		one := outer.compute()
		outer.wipe()
		if one == nil {
			return nil
		}
		sum = w.keep(sum, one)
	}
	return sum
}
