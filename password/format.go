// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password/internal/format"
)

// A Format reads stored hashes of a form that this package does not, so that they are verified
// under the same guards, in the same queue and in the same statistics as all others. Nothing is
// ever written in it: a hash that matches needs a rehash. Package fount/password/legacy has those
// of other makers.
//
// Its methods may be called from any goroutine. A panic of theirs, and of Parsed's Prepare and
// Time, is the caller's. Their errors hold no part of encoded, which may be a hash, or a password
// in its place.
type Format interface {
	// Name is how statistics call the form: 1 to 32 lower-case letters, digits, '-', '_' and '.',
	// such as "sha512-crypt". It is always the same.
	Name() string

	// Parse takes a stored string of 1 to 320 bytes apart, in microseconds, and computes nothing.
	// It returns nil and no error for a string of another form, and an error, which Verify returns
	// within ErrMalformed behind Name, for one that is damaged or can't be read: that says what to
	// do with it.
	Parse(encoded string) (*Parsed, error)
}

// Parsed is a stored hash that a Format has taken apart: either another hash, which this package
// computes (Hash), or one that the Format computes (Compute, and what it costs).
type Parsed struct {
	// Hash is the same hash in a form that this package reads: "$2b$12$...". It is limited, queued,
	// computed and counted as that.
	Hash string

	// Replace: Hash may match other passwords too, so a new hash replaces it at whatever cost.
	Replace bool

	// Also returns what else may be hashed: what some makers made of the password first, where
	// nothing tells them from those that did not. Unless that is the password itself, Compute gets
	// both, in turn, whichever is right. The copy that Also gets and what it returns, which may be a
	// part of that, are wiped. Nil: the password alone.
	Also func(password []byte) []byte

	// Prepare returns what Hash is of: the password's SHA-256, say. It takes microseconds, gets a
	// copy that is its own, and does not keep it; the copy and what it returns are wiped. Nil: the
	// password as it is.
	Prepare func(password []byte) []byte

	// Cost is the number that statistics show with the form's name: iterations, or a logarithm of
	// them. Hashes of one form and one Cost take equally long for one password.
	Cost uint32

	// Time returns about how long Compute takes for a password of n bytes on a core that computes a
	// bcrypt of cost 10 in 54 ms. Limits.Time is compared with it; the pool measures.
	Time func(n int) time.Duration

	// Memory is how many bytes Compute needs beside some KiB. They come out of the pool's budget.
	Memory int64

	// Sum is what is stored: at least 16 bytes.
	Sum []byte

	// Blank says where the sum, Hash's or Sum, lies in the stored string, for Wrap: it is the end
	// of that, from the sum on, with zeros in the sum's place and as many bytes as before. Parse
	// reads what ends so as the same hash with a sum of zeros, or of characters '0' or '.' where
	// Sum is text. Empty: it can't be wrapped, as where another program may have written the same
	// string with another sum, which Wrap would destroy.
	Blank string

	// Compute returns what Sum is compared with, in constant time, or nil once yield has been
	// false. It gets a copy of the password and Memory bytes of zeros, both of which are wiped
	// after it, keeps nothing, starts no goroutine and does not end its own, which is the pool's.
	// Each 20 to 100 µs it calls yield, which lets others run now and then and is false once nobody
	// waits for the sum. If Compute panics, the password counts as wrong, and Verify's error says
	// so.
	Compute func(password, memory []byte, yield func() bool) []byte
}

// Formats are what Policy.Formats reads beside this package's own forms. They do not change and may
// be used from any goroutine. A nil *Formats has none.
type Formats struct{ list []Format }

// NewFormats returns the formats. Each has another name. Where two would read a string the first
// does, and its password is right also if it is the other's, where the sum is the same: both are
// computed, whichever is right. This package's own forms come before all.
func NewFormats(formats ...Format) (*Formats, error) {
	f := &Formats{}
	for i, one := range formats {
		if one == nil {
			return nil, fmt.Errorf("password: Format %d of %d is nil; want a Format there, or nothing", i+1, len(formats))
		}
		name := one.Name()
		same := func(f Format) bool { return f.Name() == name }
		if len(name) < 1 || len(name) > 32 || strings.Trim(name, formNameChars) != "" || slices.ContainsFunc(f.list, same) {
			return nil, fmt.Errorf("password: a Format is named %q; want a name of its own of 1 to 32 characters of %s", name, formNameChars)
		}
		f.list = append(f.list, one)
	}
	return f, nil
}

const formNameChars = "abcdefghijklmnopqrstuvwxyz0123456789-_."

// A foreign is a stored hash that a Format has read and computes.
type foreign struct {
	*Parsed
	form  string // its name
	class uint32 // log2 of how many times the work of a short password the given one takes

	other *Parsed // what another Format makes of the same sum; nil: there is none
}

// parse returns what the first Format that knows encoded makes of it, and that Format's name.
// Without one it returns own, the error of this package's parser.
func (f *Formats) parse(encoded string, own error) (*Parsed, string, error) {
	if f == nil || encoded == "" || len(encoded) > format.MaxLen {
		return nil, "", own
	}
	for _, one := range f.list {
		switch parsed, err := one.Parse(encoded); {
		case err != nil && errors.Is(own, format.ErrSpace):
			return nil, "", own
		case err != nil:
			return nil, "", fmt.Errorf("%s: %w", one.Name(), err)
		case parsed != nil:
			if err := parsed.check(); err != nil {
				return nil, "", fmt.Errorf("%s: %w", one.Name(), err)
			}
			return parsed, one.Name(), nil
		}
	}
	return nil, "", own
}

// other returns what another Format makes of a sum that form has read already, or nil.
func (f *Formats) other(encoded string, first *Parsed, form string) *Parsed {
	for _, one := range f.list {
		if one.Name() == form {
			continue
		}
		second, err := one.Parse(encoded)
		if err == nil && second != nil && second.Hash == "" && second.check() == nil &&
			second.Memory <= first.Memory && bytes.Equal(second.Sum, first.Sum) {
			return second
		}
	}
	return nil
}

// check finds the mistakes of a Format that would let every password in, or none.
func (p *Parsed) check() error {
	switch {
	case p.Hash != "":
		return nil
	case p.Compute == nil || p.Time == nil || p.Memory < 0:
		return errors.New("the Format returns neither a Hash nor Compute, Time and a Memory of 0 or more")
	case len(p.Sum) < format.MinSum:
		return errors.New("a sum of less than 16 bytes, which other passwords may match")
	}
	return nil
}

// The works of stored hashes that a Format has read.

// admitForeign is admit for what a Format reads, by the filled policy. The error of a string that
// none does is own.
func (p Policy) admitForeign(password []byte, encoded string, own error) (work, error) {
	parsed, form, err := p.Formats.parse(encoded, own)
	switch {
	case err != nil:
		return work{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	case parsed.Hash != "":
		return p.admitPrepared(password, parsed, form)
	}
	took := parsed.Time(len(password))
	class := uint32(bits.Len64(uint64(max(1, took/max(1, parsed.Time(1))))) - 1)
	other := p.Formats.other(encoded, parsed, form)
	if other != nil {
		took += other.Time(len(password))
	}
	also := parsed.alternative(password)
	if also != nil {
		took *= 2
	}
	if err := p.Limits.allow(form, took, parsed.Memory); err != nil {
		erase.Wipe(also)
		return work{}, err
	}
	_, refused := p.takes(password)
	return work{
		alg: Foreign, foreign: &foreign{parsed, form, class, other}, hash: format.Hash{Sum: parsed.Sum},
		units: float64(max(1, took)), memory: parsed.Memory, threads: 1, key: bytes.Clone(password), also: also,
		result: Result{NeedsRehash: refused == nil},
	}, nil
}

// admitPrepared is for a hash of this package's in the form called name, of a password that is
// prepared.
func (p Policy) admitPrepared(password []byte, parsed *Parsed, name string) (work, error) {
	h, err := format.Parse(parsed.Hash)
	if err != nil {
		return work{}, fmt.Errorf("%w: %s: %w", ErrMalformed, name, err)
	}
	if err := p.Limits.check(&h); err != nil {
		return work{}, err
	}
	given := bytes.Clone(password)
	defer erase.Wipe(given)
	key := given
	if parsed.Prepare != nil {
		key = parsed.Prepare(given)
		defer erase.Wipe(key)
	}
	w, err := p.work(h, key)
	if err != nil {
		return work{}, err
	}
	want, refused := p.takes(password)
	w.result.NeedsRehash = refused == nil && (parsed.Replace || !p.lowers(&h, &want))
	return w, nil
}

// foreignSum has the Format compute all that the hash may be of, so that a right password takes as
// long as a wrong one. It returns nil only if nobody waits any more. The sum of one that panics
// matches nothing.
func (w *work) foreignSum() (sum []byte) {
	defer func() {
		if recover() != nil {
			w.failed, sum = fmt.Errorf("password: the Format %s panicked", w.foreign.form), []byte{}
		}
	}()
	var memory []byte
	if w.memory > 0 {
		memory = w.scratch.zeros(int(w.memory))
		defer erase.Large(memory)
	}
	var turn turn.Turn
	turn.Start(1, w.gone)
	for i, one := range []struct {
		parsed *Parsed
		key    []byte
	}{{w.foreign.Parsed, w.key}, {w.foreign.Parsed, w.also}, {w.foreign.other, w.key}} {
		if one.parsed == nil || one.key == nil || turn.GivenUp() {
			continue
		}
		if i > 0 {
			erase.Large(memory)
		}
		sum = w.keep(sum, compute(one.parsed, one.key, memory, func() bool { return turn.Did(1) }))
	}
	switch {
	case turn.GivenUp():
		return nil
	case sum == nil:
		return []byte{}
	}
	return sum
}

// keep returns that of two sums which is stored, or else the second, and wipes the other.
func (w *work) keep(first, second []byte) []byte {
	if subtle.ConstantTimeCompare(first, w.hash.Sum) == 1 {
		first, second = second, first
	}
	erase.Wipe(first)
	return second
}

// compute has parsed compute the sum of a copy of the key.
func compute(parsed *Parsed, key, memory []byte, yield func() bool) []byte {
	given := bytes.Clone(key)
	defer erase.Wipe(given)
	return parsed.Compute(given, memory, yield)
}

// alternative returns what Also makes of the password, if that is something else.
func (p *Parsed) alternative(password []byte) []byte {
	if p.Also == nil {
		return nil
	}
	given := bytes.Clone(password)
	defer erase.Wipe(given)
	also := p.Also(given)
	defer erase.Wipe(also)
	if bytes.Equal(also, password) {
		return nil
	}
	return bytes.Clone(also)
}
