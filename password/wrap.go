// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Weak hashes inside argon2id, so that a store is safe before its users sign in again.

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"fount/internal/erase"
	"fount/password/internal/format"
)

// Wrap hashes the sum of a stored hash with p's argon2id, so that a store of weak hashes is safe at
// once, without the passwords. It returns the argon2id, and all of encoded but its sum. Verify
// reads the result if its policy has the same Formats: it computes the weak sum, and then the
// argon2id. NeedsRehash is true for it, so a plain new hash replaces it at the next sign-in, unless
// another password might match as well: see Result.NeedsRehash.
//
// Wrap wraps bcrypt and PBKDF2 below OWASP's minimum, and hashes of p.Formats with a Blank. It
// returns encoded as it is if it meets the minimum, takes memory, is wrapped already, or is a
// marker. A hash that is wrapped as another form than its own is lost. So name only the Formats that
// made the store, and verify one known password of each on the result before you change the store:
// fount password wrap does. Wrap refuses a hash that several of the Formats read.
//
// The result has at most 640 bytes: with Default, 113 more than encoded, or 119 and the Format's
// name, and 10 more for a Format whose name begins with "django": Django finds a hash's reader by
// the text before the first '$'. Wrap uses the caller's goroutine; any goroutine may call it.
//
// The error is ErrMalformed, ErrCost or ErrKey, or says what is wrong with p, which must be an
// argon2id, or why the form can't be wrapped.
func Wrap(p Policy, encoded string) (string, error) {
	outer, err := p.salted()
	switch {
	case err != nil:
		return "", err
	case outer.hash().Algorithm != format.Argon2id:
		return "", fmt.Errorf("password: Policy.Algorithm is %v; want argon2id to wrap a hash", p.Algorithm)
	}

	sum, form, inside, err := p.withoutSum(encoded)
	switch {
	case err != nil:
		return "", err
	case sum == nil:
		return encoded, nil
	}

	w := &wrapped{nativeHasher: outer, form: form, inside: inside}
	blank := w.text(outer.hash().Sum)
	if n := len(blank); n > format.MaxLen {
		return "", fmt.Errorf("password: wrapped, the hash has %d bytes; want at most %d", n, format.MaxLen)
	}
	if err := p.Check(blank); err != nil {
		return "", fmt.Errorf("password: wrapped, the hash would be refused: %w", err)
	}

	key := w.key(sum)
	defer erase.Wipe(key)
	j := newJob(outer, nil, key)
	defer j.wipe()
	return w.text(j.compute()), nil
}

// wrapMark begins a wrapped hash. The name of the Format that reads the inner string follows, if
// one does, the argon2id in PHC form, and behind '$' the inner string without its sum:
//
//	$fount-wrap$v=1,form=phpass$argon2id$v=19$m=19456,t=2,p=1$salt$sum$$P$Bsaltsalt......................
//
// In Django's forms wrapDjango stands before it:
//
//	fount_wrap$fount-wrap$v=1,form=django$argon2id$v=19$m=19456,t=2,p=1$salt$sum$md5$salt$00000000000
const (
	wrapName   = "$fount-wrap$"
	wrapMark   = wrapName + "v=1"
	wrapForm   = ",form="
	wrapDjango = "fount_wrap"
)

// isWrapped reports whether a string is a wrapped hash, or a damaged one.
func isWrapped(encoded string) bool {
	return strings.HasPrefix(strings.TrimPrefix(encoded, wrapDjango), wrapName)
}

// isDjango reports whether a form's hashes are in a store of Django's.
func isDjango(form string) bool { return strings.HasPrefix(form, "django") }

// mark returns the beginning of the string, up to the argon2id.
func (k *wrapped) mark() string {
	if k.form == "" {
		return wrapMark
	}
	return wrapMark + wrapForm + k.form
}

// key returns argon2id's input instead of the password. It has the inner string, so that different
// strings have different inputs.
func (k *wrapped) key(sum []byte) []byte {
	mark := k.mark()
	key := make([]byte, 0, len(mark)+len(k.inside)+2+2*len(sum))
	key = fmt.Appendf(key, "%s$%s$", mark, k.inside)
	return hex.AppendEncode(key, sum)
}

// withoutSum returns the sum of a weak hash, the name of the Format that reads it, if any, and the
// string with zeros instead of the sum, which must parse as the same hash otherwise. If the hash is
// not weak, the sum is nil. p makes argon2id.
func (p Policy) withoutSum(encoded string) (sum []byte, form, blank string, err error) {
	j, err := p.verifyJob([]byte("x"), encoded)
	if err != nil || j.dummy || j.need.memory > 0 {
		return nil, "", "", err
	}

	_, _, encoded, _ = p.readPadded(encoded)
	shown := j.need.kind.name()
	switch of := j.hasher.(type) {
	case *wrapped:
		return nil, "", "", nil
	case nativeHasher: // a translated one too
		if policyOf(of.hash()).meetsOWASP() {
			return nil, "", "", nil
		}
	}

	h, err := format.Parse(encoded)
	if readers := p.Formats.readers(encoded); err != nil && len(readers) > 1 {
		return nil, "", "", fmt.Errorf("password: several forms read this hash, %s: name the one that made it", strings.Join(readers, ", "))
	}
	if err == nil {
		h.Sum = make([]byte, len(h.Sum))
		blank = h.String()
	} else if parsed, name, err := p.Formats.parse(encoded, err); err == nil && len(parsed.blank()) <= len(encoded) {
		form = name
		shown = name
		blank = encoded[:len(encoded)-len(parsed.blank())] + parsed.blank()
	}

	b, err := p.verifyJob([]byte("x"), blank)
	isSame := err == nil && !b.dummy && b.need.kind == j.need.kind && sameSalt(b.hasher, j.hasher)
	if !isSame || !isBlank(b.storedSum) || len(b.storedSum) != len(j.storedSum) {
		return nil, "", "", fmt.Errorf("password: a hash that is read as %s can't be wrapped: its Format does not say where the sum is; let its user sign in", shown)
	}
	return j.storedSum, form, blank, nil
}

// sameSalt reports whether two kinds have the same salt, as far as this package knows it.
func sameSalt(a, b hasher) bool {
	x, ok := a.(nativeHasher)
	y, same := b.(nativeHasher)
	return !ok && !same || ok && same && bytes.Equal(x.hash().Salt, y.hash().Salt)
}

// isBlank reports whether sum is all zeros, or all '0' or '.' of a sum that is text.
func isBlank(sum []byte) bool {
	return bytes.Count(sum, sum[:1]) == len(sum) && (sum[0] == 0 || sum[0] == '.' || sum[0] == '0')
}

// unwrap parses a wrapped hash. The error is ErrMalformed.
func unwrap(encoded string) (outer format.Hash, form, inside string, err error) {
	rest, named := strings.CutPrefix(encoded, wrapDjango)
	rest, ok := strings.CutPrefix(rest, wrapMark)
	if after, hasForm := strings.CutPrefix(rest, wrapForm); hasForm {
		form, rest, _ = strings.Cut(after, "$")
		rest = "$" + rest
		ok = ok && form != ""
	}
	ok = ok && named == isDjango(form)

	parts := strings.SplitN(rest, "$", 7) // "", argon2id, v=19, m=...,t=...,p=..., salt, sum, inner
	if ok && len(encoded) <= format.MaxLen && len(parts) == 7 && !isWrapped(parts[6]) {
		outer, err = format.Parse(strings.Join(parts[:6], "$"))
		inside = parts[6]
	}
	if inside == "" || err != nil || outer.Algorithm != format.Argon2id || outer.Version != format.V19 || outer.Form != format.PHC {
		err = fmt.Errorf("%w: a wrapped hash; want %s$argon2id$v=19$m=M,t=T,p=P$salt$sum$ and the inner string, at most %d bytes, "+
			"and %s before it if the form is Django's", ErrMalformed, wrapMark, format.MaxLen, wrapDjango)
	}
	return outer, form, inside, err
}

// wrapped is an argon2id of another hash's sum.
type wrapped struct {
	nativeHasher        // the argon2id
	inner        hasher // whose sum takes the password's place
	form         string // the name of the Format that reads it; empty: this package does
	inside       string // its string without the sum
}

// readWrapped is readExactly for a wrapped hash.
func (p Policy) readWrapped(encoded string) (hasher, []byte, error) {
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
	return &wrapped{hasherOf(&outer), inner, form, inside}, outer.Sum, nil
}

// effort tells kinds apart by the inner form's name and argon2id's units.
func (k *wrapped) effort(n int) effort {
	outer := k.nativeHasher.effort(n)
	inner := k.inner.effort(n)
	took := outer.time + inner.time
	if c, ok := k.inner.(*computed); ok && c.Also != nil {
		took += outer.time
	}

	id := kind{algorithm: Foreign, form: "wrapped-" + inner.kind.name()}
	id.cost[0] = uint32(min(outer.units, math.MaxUint32))
	if inner.kind.form != "" {
		id.cost[1] = inner.kind.cost[1]
	}
	return effort{
		kind:   id,
		units:  float64(max(1, took)),
		time:   took,
		varies: inner.time,
		memory: outer.memory,
	}
}

func (k *wrapped) unlock(keys *KeyRing) error {
	if err := k.nativeHasher.unlock(keys); err != nil {
		return err
	}
	return k.inner.unlock(keys)
}

func (k *wrapped) input(password []byte) input { return k.inner.input(password) }

func (k *wrapped) text(sum []byte) string {
	text := k.mark() + k.nativeHasher.text(sum) + "$" + k.inside
	if isDjango(k.form) {
		return wrapDjango + text
	}
	return text
}

// sum computes the inner sum and then argon2id of it, for each alternative, even after a match.
func (k *wrapped) sum(j *job) (sum []byte) {
	exact := []bool{j.exact, j.exactAlternative}
	for i, key := range [][]byte{j.key, j.alternative} {
		if key == nil {
			continue
		}

		inner := job{hasher: k.inner, input: input{key: key}, gone: j.gone}
		within := inner.compute()
		j.failed = inner.failed
		if within == nil {
			return nil
		}

		outer := *j
		outer.hasher = k.nativeHasher
		outer.input = input{key: k.key(within)}
		erase.Wipe(within)
		one := outer.compute()
		outer.wipe()
		if one == nil {
			return nil
		}

		sum = j.keepRight(sum, one, exact[i])
	}
	return sum
}
