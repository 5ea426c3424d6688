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
// Its methods may be called from any goroutine. A panic in them, in Translated's Prepare or in
// Computed's Time or Also propagates to Verify's caller. Errors must hold no part of encoded, which
// may be a hash, or a password in its place.
type Format interface {
	// Name returns the form's name in statistics: 1 to 32 lower-case letters, digits, '-', '_' and
	// '.', such as "sha512-crypt". It is always the same.
	Name() string

	// Parse takes a stored string of 1 to 640 bytes apart, in microseconds, and computes nothing.
	// For a string of another form it returns nil and no error, and for one that is damaged or
	// can't be read an error that says what to do: Verify returns it within ErrMalformed, after
	// Name.
	Parse(encoded string) (Parsed, error)
}

// Parsed is a stored hash that a Format has taken apart: a *Translated or a *Computed.
type Parsed interface {
	check() error
	blank() string
}

// Translated is a stored hash that this package computes, in another form than those that it reads.
// It is limited, queued and counted as Hash.
type Translated struct {
	// Hash is the same hash in a form that this package reads: "$2b$12$...".
	Hash string

	// Replace says that Hash may match other passwords too: a new one replaces it at any cost.
	Replace bool

	// Prepare returns what was hashed instead of the password: its SHA-256, say. It takes
	// microseconds, gets a copy that is its own, and does not keep it; the copy and what it returns
	// are wiped. If nil, the password itself was hashed.
	Prepare func(password []byte) []byte

	// Blank is as Computed's, for the sum of Hash.
	Blank string
}

// Computed is a stored hash that the Format computes.
type Computed struct {
	// Sum is what is stored: at least 16 bytes.
	Sum []byte

	// Compute returns the password's sum, which the package compares with Sum in constant time. It
	// gets a copy of the password and Memory bytes of zeros, and wipes neither: the package does.
	// It keeps nothing, starts no goroutine and does not end its own, which is the pool's. Every 20
	// to 100 µs it calls yield, which lets others run; once that returns false, nobody waits for
	// the sum, and Compute returns nil. If it panics, Verify returns an error that says so.
	Compute func(password, memory []byte, yield func() bool) []byte

	// Cost is what statistics show with the form's name: iterations, or a logarithm of them. Hashes
	// of one form and Cost take equally long for one password.
	Cost uint32

	// Time returns about how long Compute takes for a password of n bytes on a core that computes a
	// bcrypt of cost 10 in 54 ms. It is for Limits.Time; a Pool measures for itself.
	Time func(n int) time.Duration

	// Memory is how many bytes Compute needs beside a few KiB. They count for Options.Memory.
	Memory int64

	// Also, if not nil, returns an alternative to the password, for a form whose makers may or may
	// not have changed it first, as by trimming spaces. Compute always runs for both, even if they
	// are the same. Also gets a copy and may return a part of it; both are wiped.
	Also func(password []byte) []byte

	// Blank replaces the end of the stored string, from the sum on, for Wrap, which stores no sum:
	// it has as many bytes, and zeros instead of the sum. Parse reads the string with that end as
	// the same hash with a Sum of zeros, or of characters '0' or '.' where Sum is text. If empty,
	// the hash can't be wrapped.
	Blank string
}

func (t *Translated) blank() string { return t.Blank }
func (c *Computed) blank() string   { return c.Blank }

// check finds the mistakes of a Format that would let every password in, or none.
func (t *Translated) check() error {
	if t == nil || t.Hash == "" {
		return errors.New("the Format returns a Translated without a Hash")
	}
	_, err := format.Parse(t.Hash) // another Format may read what this one only seems to
	return err
}

func (c *Computed) check() error {
	switch {
	case c == nil || c.Compute == nil || c.Time == nil || c.Memory < 0:
		return errors.New("the Format returns a Computed without Compute and Time, or a Memory below 0")
	case len(c.Sum) < format.MinSum:
		return errors.New("a sum of less than 16 bytes, which other passwords may match")
	}
	return nil
}

// Formats is an immutable list of Formats, for Policy.Formats. It may be used from any goroutine. A
// nil *Formats is empty.
type Formats struct{ list []Format }

// NewFormats returns a list of formats, each with a name of its own. If several can read a string,
// the first wins; those that find the same sum in it are computed too, and the password of each is
// right. This package's own forms come before all.
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

// parse returns what the first Format that reads encoded makes of it, and that Format's name. If
// none does, the error is own, of this package's parser, and those of the Formats that know the
// form: several makers may have one beginning.
func (f *Formats) parse(encoded string, own error) (Parsed, string, error) {
	if f == nil || encoded == "" || len(encoded) > format.MaxLen {
		return nil, "", own
	}
	var wrong, last error
	var names string // of those whose error is last
	for _, one := range f.list {
		parsed, err := one.Parse(encoded)
		if parsed != nil && err == nil {
			err = parsed.check()
		}
		switch {
		case err == nil && parsed != nil:
			return parsed, one.Name(), nil
		case err == nil:
		case last != nil && last.Error() == err.Error():
			names += ", " + one.Name()
			wrong = fmt.Errorf("%s: %w", names, err)
		case last == nil:
			names, last = one.Name(), err
			wrong = fmt.Errorf("%s: %w", names, err)
		default:
			wrong = fmt.Errorf("%w; or %s: %w", wrong, one.Name(), err)
		}
	}
	switch _, unknown := errors.AsType[format.Foreign](own); {
	case wrong == nil:
		return nil, "", own
	case unknown:
		return nil, "", wrong
	}
	return nil, "", fmt.Errorf("%w; or %w", own, wrong)
}

// read returns the kind of what a Format reads, and the sum that is stored.
func (f *Formats) read(encoded string, err error) (kind, []byte, error) {
	parsed, form, err := f.parse(encoded, err)
	if err != nil {
		return nil, nil, err
	}
	if c, ok := parsed.(*Computed); ok {
		return &computed{c, form, f.others(encoded, c, form)}, c.Sum, nil
	}
	t := parsed.(*Translated)
	h, err := format.Parse(t.Hash)
	if err != nil {
		return nil, nil, err // parse has checked it
	}
	return &translated{ownOf(&h), form, t.Prepare, t.Replace}, h.Sum, nil
}

// only returns the Formats of one name; nil: there is none.
func (f *Formats) only(name string) *Formats {
	if f != nil {
		for _, one := range f.list {
			if one.Name() == name {
				return &Formats{list: []Format{one}}
			}
		}
	}
	return nil
}

// readers names the Formats that read encoded.
func (f *Formats) readers(encoded string) string {
	var names []string
	for _, one := range f.list {
		if parsed, err := one.Parse(encoded); err == nil && parsed != nil {
			names = append(names, one.Name())
		}
	}
	return strings.Join(names, ", ")
}

// others returns what other Formats make of a sum that form has read already.
func (f *Formats) others(encoded string, first *Computed, form string) (all []*Computed) {
	for _, one := range f.list {
		if one.Name() == form {
			continue
		}
		parsed, err := one.Parse(encoded)
		c, ok := parsed.(*Computed)
		if err == nil && ok && c.check() == nil && c.Memory <= first.Memory && bytes.Equal(c.Sum, first.Sum) {
			all = append(all, c)
		}
	}
	return all
}

// A translated is a hash of this package, perhaps of what a Format makes of the password.
type translated struct {
	own
	form    string // the Format's name
	prepare func([]byte) []byte
	replace bool
}

func (t *translated) keyed(password []byte) keyed {
	if t.prepare == nil {
		return t.own.keyed(password)
	}
	given := bytes.Clone(password)
	defer erase.Wipe(given)
	key := t.prepare(given)
	defer erase.Wipe(key)
	return t.own.keyed(key)
}

// A computed is a hash that a Format computes.
type computed struct {
	*Computed
	form   string
	others []*Computed // what other Formats make of the same sum
}

func (c *computed) effort(n int) effort {
	took := c.Time(n)
	long := uint32(bits.Len64(uint64(max(1, took/max(1, c.Time(1))))) - 1)
	if c.Also != nil {
		took *= 2
	}
	for _, other := range c.others {
		took += other.Time(n)
	}
	id := kindID{algorithm: Foreign, form: c.form, cost: [3]uint32{c.Cost, long}}
	return effort{kind: id, units: float64(max(1, took)), took: took, varies: took, memory: c.Memory}
}

func (c *computed) unlock(*KeyRing) error { return nil }

func (c *computed) keyed(password []byte) keyed {
	k := given(password)
	if c.Also != nil {
		given := bytes.Clone(password)
		defer erase.Wipe(given)
		also := c.Also(given)
		defer erase.Wipe(also)
		k.also = append(make([]byte, 0, len(also)+1), also...) // never nil
	}
	return k
}

func (c *computed) text([]byte) string { return "" } // nothing is written in it

// sum has the Format compute all that the hash may be of, so that a right password takes as long as
// a wrong one. The sum of one that panics matches nothing.
func (c *computed) sum(w *work) (sum []byte) {
	defer func() {
		if recover() != nil {
			w.failed, sum = fmt.Errorf("password: the Format %s panicked", c.form), []byte{}
		}
	}()
	var memory []byte
	if c.Memory > 0 {
		memory = w.scratch.zeros(int(c.Memory))
		defer erase.Large(memory)
	}
	var turn turn.Turn
	turn.Start(1, w.gone)
	compute := func(of *Computed, key []byte) {
		if key == nil || turn.GivenUp() {
			return
		}
		if sum != nil {
			erase.Large(memory)
		}
		given := bytes.Clone(key)
		defer erase.Wipe(given)
		sum = w.keep(sum, of.Compute(given, memory, func() bool { return turn.Did(1) }))
	}
	compute(c.Computed, w.key)
	compute(c.Computed, w.also)
	for _, other := range c.others {
		compute(other, w.key)
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
	if first != nil && subtle.ConstantTimeCompare(first, w.want) == 1 {
		first, second = second, first
	}
	erase.Wipe(first)
	return second
}
