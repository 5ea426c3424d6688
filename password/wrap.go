// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Weak hashes inside argon2id, so that a store is safe before its users sign in again.

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

// Wrap hashes the sum of a stored hash with p's argon2id, so that a store of weak hashes is safe at
// once, without the passwords. It returns the argon2id, and all of encoded but its sum. Verify
// reads the result if its policy has the same Formats: it computes the weak sum, and then the
// argon2id. NeedsRehash is true for it, so a plain new hash replaces it at the next sign-in, unless
// another password might match as well: see Result.NeedsRehash.
//
// Wrap wraps bcrypt and PBKDF2 below OWASP's minimum, and hashes of p.Formats with a Blank. It
// returns encoded as it is if it meets the minimum, takes memory, is wrapped already, or is a
// marker. A hash that is wrapped as another form than its own is lost. So name only the Formats
// that made the store, and verify one known password of each on the result before you change the
// store: fount password wrap does. Wrap refuses a hash that several of the Formats read.
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

	stored, err := p.verifyJob([]byte("x"), encoded)
	switch {
	case err != nil:
		return "", err
	case !isWeak(&stored):
		return encoded, nil
	}
	inside, err := p.withoutSum(encoded, &stored)
	if err != nil {
		return "", err
	}

	w := &wrapped{nativeHasher: outer, blanked: inside}
	draft := w.text(outer.hash().Sum) // with zeros for argon2id's sum
	if n := len(draft); n > format.MaxLen {
		return "", fmt.Errorf("password: wrapped, the hash has %d bytes; want at most %d", n, format.MaxLen)
	}
	if err := p.Check(draft); err != nil {
		return "", fmt.Errorf("password: wrapped, the hash would be refused: %w", err)
	}

	key := w.key(stored.storedSum)
	defer erase.Wipe(key)
	j := newJob(outer, nil, key)
	defer j.wipe()
	return w.text(j.compute()), nil
}

// isWeak reports whether Wrap wraps the job's stored hash.
func isWeak(j *job) bool {
	if j.dummy || j.need.memory > 0 {
		return false
	}

	switch of := j.hasher.(type) {
	case *wrapped:
		return false
	case nativeHasher: // a translated one too
		return !policyOf(of.hash()).meetsOWASP()
	}
	return true
}

// A blanked is a stored hash without its sum.
type blanked struct {
	form    string // the name of the Format that reads it; empty: this package does
	encoded string // with zeros instead of the sum
}

// withoutSum takes the sum out of a stored hash, whose job is given.
func (p Policy) withoutSum(encoded string, stored *job) (blanked, error) {
	_, _, encoded, _ = p.readPadded(encoded) // without padding
	b, err := p.Formats.withoutSum(encoded)
	if err != nil {
		return blanked{}, err
	}

	if !p.readsAs(b.encoded, stored) {
		readAs := cmp.Or(b.form, stored.need.kind.name())
		return blanked{}, fmt.Errorf("password: a hash that is read as %s can't be wrapped: its Format does not say where the sum is; let its user sign in", readAs)
	}
	return b, nil
}

// withoutSum takes the sum out of a hash, as the Format that reads it says.
func (f *Formats) withoutSum(encoded string) (blanked, error) {
	h, err := format.Parse(encoded)
	if err == nil {
		h.Sum = make([]byte, len(h.Sum))
		return blanked{encoded: h.String()}, nil
	}

	if readers := f.readers(encoded); len(readers) > 1 {
		return blanked{}, fmt.Errorf("password: several forms read this hash, %s: name the one that made it", strings.Join(readers, ", "))
	}
	parsed, form, err := f.parse(encoded, err)
	if err != nil {
		return blanked{}, err
	}

	before := max(0, len(encoded)-len(parsed.blank()))
	return blanked{form, encoded[:before] + parsed.blank()}, nil
}

// readsAs reports whether a blank string is read as the stored hash, but for the sum.
func (p Policy) readsAs(blank string, stored *job) bool {
	j, err := p.verifyJob([]byte("x"), blank)
	if err != nil || j.dummy {
		return false
	}

	// A text has the salt, too, but for a Format's hash there is none.
	sum := j.storedSum
	isSame := j.need.kind == stored.need.kind && j.text(sum) == stored.text(sum)
	return isSame && len(sum) == len(stored.storedSum) && isBlank(sum)
}

// isBlank reports whether sum is all zeros, or all '0' or '.' of a sum that is text.
func isBlank(sum []byte) bool {
	return bytes.Count(sum, sum[:1]) == len(sum) && (sum[0] == 0 || sum[0] == '.' || sum[0] == '0')
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

// A wrapped is an argon2id of another hash's sum.
type wrapped struct {
	nativeHasher        // the argon2id
	inner        hasher // whose sum takes the password's place
	blanked             // its stored hash
}

// mark returns the beginning of the string, up to the argon2id.
func (w *wrapped) mark() string {
	if w.form == "" {
		return wrapMark
	}
	return wrapMark + wrapForm + w.form
}

// key returns argon2id's input instead of the password. It has the inner string, so that different
// strings have different inputs.
func (w *wrapped) key(sum []byte) []byte {
	mark := w.mark()
	key := make([]byte, 0, len(mark)+len(w.encoded)+2+2*len(sum))
	key = fmt.Appendf(key, "%s$%s$", mark, w.encoded)
	return hex.AppendEncode(key, sum)
}

func (w *wrapped) text(sum []byte) string {
	text := w.mark() + w.nativeHasher.text(sum) + "$" + w.encoded
	if isDjango(w.form) {
		return wrapDjango + text
	}
	return text
}

var errWrapped = fmt.Errorf("%w: a wrapped hash; want %s$argon2id$v=19$m=M,t=T,p=P$salt$sum$ and the inner string, at most %d bytes, "+
	"and %s before it if the form is Django's", ErrMalformed, wrapMark, format.MaxLen, wrapDjango)

// unwrap parses a wrapped hash. The error is ErrMalformed.
func unwrap(encoded string) (outer format.Hash, inside blanked, err error) {
	rest, isDjangos := strings.CutPrefix(encoded, wrapDjango)
	rest, isMarked := strings.CutPrefix(rest, wrapMark)
	after, hasForm := strings.CutPrefix(rest, wrapForm)
	if hasForm {
		inside.form, rest, _ = strings.Cut(after, "$")
		rest = "$" + rest
	}

	parts := strings.SplitN(rest, "$", 7) // "", argon2id, v=19, m=...,t=...,p=..., salt, sum, inner
	isWhole := isMarked && len(parts) == 7 && len(encoded) <= format.MaxLen
	isNamed := hasForm == (inside.form != "") && isDjangos == isDjango(inside.form)
	if !isWhole || !isNamed {
		return outer, inside, errWrapped
	}

	inside.encoded = parts[6]
	outer, err = format.Parse(strings.Join(parts[:6], "$"))
	isPlain := outer.Algorithm == format.Argon2id && outer.Version == format.V19 && outer.Form == format.PHC
	if err != nil || !isPlain || inside.encoded == "" || isWrapped(inside.encoded) {
		return outer, inside, errWrapped
	}
	return outer, inside, nil
}

// readWrapped is readExactly for a wrapped hash.
func (p Policy) readWrapped(encoded string) (hasher, []byte, error) {
	outer, inside, err := unwrap(encoded)
	if err != nil {
		return nil, nil, err
	}

	p.Formats = p.Formats.only(inside.form)
	if inside.form != "" && p.Formats == nil {
		return nil, nil, fmt.Errorf("%w: a wrapped hash of a form that Policy.Formats do not have", ErrMalformed)
	}

	inner, sum, err := p.readExactly(inside.encoded)
	if err != nil {
		return nil, nil, err
	}
	if inner.effort(0).memory > 0 || !isBlank(sum) {
		return nil, nil, fmt.Errorf("%w: a wrapped hash whose inner form takes memory, or has its sum still", ErrMalformed)
	}
	return &wrapped{hasherOf(&outer), inner, inside}, outer.Sum, nil
}

// effort tells kinds apart by the inner form's name, argon2id's units, and what the password's
// length does to the inner hash.
func (w *wrapped) effort(n int) effort {
	outer := w.nativeHasher.effort(n)
	inner := w.inner.effort(n)
	took := outer.time + inner.time
	if c, ok := w.inner.(*computed); ok && c.Also != nil { // argon2id, too, runs twice
		took += outer.time
	}

	argon2Units := uint32(min(outer.units, math.MaxUint32))
	return effort{
		kind: kind{
			algorithm: Foreign,
			form:      "wrapped-" + inner.kind.name(),
			cost:      [3]uint32{argon2Units},
			long:      inner.kind.long,
		},
		units:  float64(max(1, took)),
		time:   took,
		varies: inner.time,
		memory: outer.memory,
	}
}

func (w *wrapped) unlock(keys *KeyRing) error {
	if err := w.nativeHasher.unlock(keys); err != nil {
		return err
	}
	return w.inner.unlock(keys)
}

func (w *wrapped) input(password []byte) input { return w.inner.input(password) }

// sum returns argon2id of the inner sum: of the password's or, if that is not the stored one, of
// the alternative's. It computes both, even after a match.
func (w *wrapped) sum(j *job) []byte {
	first := w.sumOf(j, j.key)
	if first == nil || j.alternative == nil {
		return first
	}

	second := w.sumOf(j, j.alternative)
	if second == nil {
		return nil
	}
	return j.keepRight(first, second, j.exactAlternative)
}

// sumOf returns argon2id of the inner sum of key.
func (w *wrapped) sumOf(j *job, key []byte) []byte {
	inner := job{hasher: w.inner, input: input{key: key}, gone: j.gone}
	innerSum := inner.compute()
	j.failed = inner.failed
	if innerSum == nil {
		return nil
	}

	outer := *j
	outer.hasher = w.nativeHasher
	outer.input = input{key: w.key(innerSum)}
	defer outer.wipe()
	erase.Wipe(innerSum)
	return outer.compute()
}
