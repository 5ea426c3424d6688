// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
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

// A Format reads stored hashes of a form that this package does not read. They have the same
// limits, queue and statistics as all others. New hashes are never made in the form: one that
// matches needs a rehash, unless another password might match as well (see Result.NeedsRehash).
// Package fount/password/legacy has the forms of many programs.
//
// Any goroutine may call its methods. A panic in them, in Prepare, Computed.Time or Computed.Also
// propagates to Verify's caller. Errors must contain no part of encoded, which may be a hash, or a
// password passed by mistake.
type Format interface {
	// Name returns the form's name in statistics, always the same: 1 to 32 lower-case letters,
	// digits, '-', '_' and '.', such as "sha512-crypt".
	Name() string

	// Parse parses a stored string of 1 to 640 bytes, in microseconds. For a string of another form
	// it returns nil and no error. For a damaged one the error says what to do: Verify returns it
	// with Name before it, wrapped in ErrMalformed.
	Parse(encoded string) (Parsed, error)
}

// Parsed is a stored hash that a Format has parsed: a *Translated or a *Computed.
type Parsed interface {
	check() error
	blank() string
}

// Translated is a stored hash that this package can compute once it is written in a form that the
// package reads. It has the limits and statistics of Hash.
type Translated struct {
	// Hash is the same hash in a form that this package reads: "$2b$12$...".
	Hash string

	// Prepare returns what was hashed instead of the password, such as its SHA-256, in
	// microseconds. It gets a copy, which it must not keep but may return; the copy and the result
	// are wiped. If nil, the password itself was hashed.
	//
	// exact reports whether no other password gives the same: always for a digest or an encoding,
	// for a trim if there was nothing to trim, never for lower case. If it is false, a match does
	// not replace the stored hash, as the owner's password may be another. If Hash is a bcrypt, its
	// own rule counts too: 72 bytes of prepared are never exact. See Result.NeedsRehash.
	Prepare func(password []byte) (prepared []byte, exact bool)

	// Blank is as Computed's, for the sum of Hash.
	Blank string
}

// Computed is a stored hash that the Format computes.
type Computed struct {
	// Sum is the stored sum: at least 16 bytes.
	Sum []byte

	// Prepare is as Translated's: if not nil, Compute gets what it returns.
	Prepare func(password []byte) (prepared []byte, exact bool)

	// Compute returns the password's sum, which the package compares with Sum in constant time. It
	// gets a copy of the password, and Memory zero bytes; the package wipes both. Compute must not
	// keep them, start goroutines or end its own. What is not exact, such as lower case, is
	// Prepare's to do. Every 20 to 100 µs Compute must call yield, which lets other goroutines run.
	// If yield returns false, the caller has left, and Compute must return nil. If Compute panics,
	// Verify returns an error that says so.
	Compute func(password, memory []byte, yield func() bool) []byte

	// Cost is shown in statistics with the form's name: iterations, or their logarithm. Hashes of
	// one form and Cost must take equally long for the same password.
	Cost uint32

	// Time returns about how long Compute takes for a password of n bytes on a core that computes a
	// bcrypt of cost 10 in 54 ms. It is compared with Limits.Time; a Pool measures for itself.
	Time func(n int) time.Duration

	// Memory is how many bytes Compute needs, but for a few KiB. They count for Options.Memory.
	Memory int64

	// Also, if not nil, returns an alternative password to try, for programs that may or may not
	// have changed the password first, such as by trimming spaces. Compute always runs for both,
	// even if they are the same. Also gets a copy and may return a part of it; both are wiped.
	//
	// A match of the alternative alone replaces the stored hash only if it is the password
	// unchanged. So for an encoding, or for lower case, do the change in Prepare, and return the
	// password here.
	Also func(password []byte) []byte

	// Blank is the end of the stored string, from the sum on, with zeros instead of the sum. Wrap
	// stores it, as it must not store the sum. Parse must read the string with that end as the same
	// hash with a Sum of zeros, or of characters '0' or '.' if Sum is text. If Blank is empty, the
	// hash can't be wrapped.
	Blank string
}

func (t *Translated) blank() string { return t.Blank }
func (c *Computed) blank() string   { return c.Blank }

// check finds mistakes of a Format by which every password would match, or none.
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

// A partial Format reads some strings only where it is named, as others write the same with other
// sums. Those of package legacy's List are partial.
type partial interface {
	Format
	Named() Format // that reads all; itself if this one does
}

// isPart reports whether whole reads all that f reads, and more.
func isPart(f, whole Format) bool {
	p, ok := f.(partial)
	return ok && p.Named() == whole && Format(p) != whole
}

// Formats is an immutable list of Formats, for Policy.Formats. Any goroutine may use it. A nil
// *Formats is empty.
type Formats struct{ list []Format }

// NewFormats returns a list of formats, whose names must differ; but a form that package legacy
// returns by itself takes the place of its part in legacy.List. If several can read a string, the
// first wins; but those that find the same Sum in it, and have no Prepare, are computed too, and
// each one's password matches. The forms that this package reads itself come before all.
func NewFormats(formats ...Format) (*Formats, error) {
	f := &Formats{}
	for i, one := range formats {
		if one == nil {
			return nil, fmt.Errorf("password: Format %d of %d is nil; want a Format there, or nothing", i+1, len(formats))
		}

		name := one.Name()
		same := slices.IndexFunc(f.list, func(f Format) bool { return f.Name() == name })
		switch {
		case same >= 0 && isPart(f.list[same], one):
			f.list[same] = one
			continue
		case same >= 0 && isPart(one, f.list[same]):
			continue
		case len(name) < 1 || len(name) > 32 || strings.Trim(name, formNameChars) != "" || same >= 0:
			return nil, fmt.Errorf("password: a Format is named %q; want a name of its own of 1 to 32 characters of %s", name, formNameChars)
		}

		f.list = append(f.list, one)
	}
	return f, nil
}

const formNameChars = "abcdefghijklmnopqrstuvwxyz0123456789-_."

// parse returns the result and the name of the first Format that reads encoded. own is the error of
// this package's parser. If no Format reads encoded, the error joins own and those of the Formats
// that know the form.
func (f *Formats) parse(encoded string, own error) (Parsed, string, error) {
	if f == nil || encoded == "" || len(encoded) > format.MaxLen {
		return nil, "", own
	}

	var wrong formErrors
	for _, one := range f.list {
		parsed, err := one.Parse(encoded)
		if parsed != nil && err == nil {
			err = parsed.check()
		}

		switch {
		case err != nil:
			wrong.add(one.Name(), err)
		case parsed != nil:
			return parsed, one.Name(), nil
		}
	}

	if _, unknown := errors.AsType[format.Foreign](own); unknown && len(wrong) > 0 {
		own = nil
	}
	return nil, "", wrong.join(own)
}

// A formError is what Formats say that know a form.
type formError struct {
	names string // of all that say so
	err   error
}

type formErrors []formError

func (all *formErrors) add(name string, err error) {
	for i := range *all {
		if same := &(*all)[i]; same.err.Error() == err.Error() {
			same.names += ", " + name
			return
		}
	}
	*all = append(*all, formError{name, err})
}

// join returns first, if not nil, and all errors, as one.
func (all formErrors) join(first error) error {
	for _, e := range all {
		err := fmt.Errorf("%s: %w", e.names, e.err)
		if first != nil {
			err = fmt.Errorf("%w; or %w", first, err)
		}
		first = err
	}
	return first
}

// read returns the hasher of a hash that a Format reads, and the stored sum.
func (f *Formats) read(encoded string, err error) (hasher, []byte, error) {
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

	return &translated{hasherOf(&h), form, t.Prepare}, h.Sum, nil
}

// only returns a list of the Format with the name, or nil. A wrapped hash names it.
func (f *Formats) only(name string) *Formats {
	if f == nil {
		return nil
	}

	for _, one := range f.list {
		if one.Name() != name {
			continue
		}
		if p, ok := one.(partial); ok {
			one = p.Named()
		}
		return &Formats{list: []Format{one}}
	}
	return nil
}

// readers names the Formats that read encoded, each in a way of its own.
func (f *Formats) readers(encoded string) (names []string) {
	if f == nil {
		return nil
	}

	same := map[string]bool{} // hashes that are read without a Prepare
	for _, one := range f.list {
		parsed, err := one.Parse(encoded)
		if err != nil || parsed == nil || parsed.check() != nil {
			continue
		}

		if t, ok := parsed.(*Translated); ok && t.Prepare == nil {
			if same[t.Hash] {
				continue
			}
			same[t.Hash] = true
		}

		names = append(names, one.Name())
	}
	return names
}

// others returns what other Formats make of a sum that form has read already.
func (f *Formats) others(encoded string, first *Computed, form string) (all []*Computed) {
	for _, one := range f.list {
		if one.Name() == form {
			continue
		}

		parsed, err := one.Parse(encoded)
		c, ok := parsed.(*Computed)
		if err != nil || !ok || c.check() != nil || c.Prepare != nil || first.Prepare != nil {
			continue
		}
		if c.Memory <= first.Memory && bytes.Equal(c.Sum, first.Sum) {
			all = append(all, c)
		}
	}
	return all
}

// A translated is a hash of this package, perhaps of what a Format makes of the password.
type translated struct {
	nativeHasher
	form    string // the Format's name
	prepare func([]byte) ([]byte, bool)
}

func (t *translated) input(password []byte) input {
	return preparedInput(t.prepare, password, t.nativeHasher.input)
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

	return effort{
		kind:   kind{algorithm: Foreign, form: c.form, cost: [3]uint32{c.Cost}, long: long},
		units:  float64(max(1, took)),
		time:   took,
		varies: took,
		memory: c.Memory,
	}
}

func (c *computed) unlock(*KeyRing) error { return nil }

func (c *computed) input(password []byte) input {
	k := inputBy(c.Prepare, password)
	if c.Also == nil {
		return k
	}

	unchanged := func(given []byte) ([]byte, bool) {
		also := c.Also(given)
		return also, bytes.Equal(also, password)
	}
	alternative := inputBy(unchanged, password)
	k.alternative = alternative.key
	k.exactAlternative = alternative.exact
	return k
}

// inputBy returns the input that prepare makes of a password, or the password's own if nothing is
// left of it: an empty password matches nothing.
func inputBy(prepare func([]byte) ([]byte, bool), password []byte) input {
	in := preparedInput(prepare, password, plainInput)
	if in.neverMatches {
		return plainInput(password)
	}
	return in
}

func (c *computed) text([]byte) string { return "" } // nothing is written in it

// sum has the Format compute all alternatives, so that a right password takes as long as a wrong
// one. After a panic there is none.
func (c *computed) sum(j *job) []byte {
	defer func() {
		if recover() != nil {
			j.failed = fmt.Errorf("password: the Format %s panicked", c.form)
		}
	}()

	var memory []byte
	if c.Memory > 0 {
		memory = j.scratch.zeros(int(c.Memory))
		defer erase.Large(memory)
	}

	var turn turn.Turn
	turn.Start(1, j.gone)
	var sum []byte
	compute := func(of *Computed, key []byte, exact bool) {
		if key == nil || turn.GivenUp() {
			return
		}
		if sum != nil {
			erase.Large(memory)
		}
		given := bytes.Clone(key)
		defer erase.Wipe(given)

		next := of.Compute(given, memory, func() bool { return turn.Did(1) })
		sum = j.keepRight(sum, next, exact)
	}

	exact := j.exact // keepRight changes it
	compute(c.Computed, j.key, exact)
	compute(c.Computed, j.alternative, j.exactAlternative)
	for _, other := range c.others {
		compute(other, j.key, exact)
	}

	switch {
	case turn.GivenUp():
		return nil
	case sum == nil:
		return []byte{}
	}
	return sum
}
