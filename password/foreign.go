// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// The works of stored hashes that a Format has read.

import (
	"bytes"
	"fmt"
	"math/bits"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password/internal/format"
)

// admitForeign is admit for what a Format reads, by the filled policy. The error of a string
// that none does is own.
func (p Policy) admitForeign(password []byte, encoded string, own error) (work, error) {
	parsed, form, err := p.Formats.parse(encoded, own)
	switch {
	case err != nil:
		return work{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	case parsed.Hash != "":
		return p.admitPrepared(password, parsed, formName(form))
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
	if err := p.Limits.allow(formName(form), took, parsed.Memory); err != nil {
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

// admitPrepared is for a hash of this package's, of a password that is prepared, in the dress of the form called name.
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

// checkLongest returns ErrCost if w is a Format's, or wraps one, and takes too long for the longest password: as a sample it would be
// refused for such a one after the stages before it, where a hash like it is refused at once.
func (p Policy) checkLongest(w *work) error {
	if w.inner != nil {
		w = w.inner
	}
	p, err := p.filled()
	f := w.foreign
	if err != nil || f == nil {
		return err
	}
	return p.Limits.allow(formName(f.form), f.Time(p.MaxPassword), f.Memory)
}

// foreignSum has the Format compute. It returns nil only if nobody waits any more. The sum of one that
// panics matches nothing.
func (w *work) foreignSum() (sum []byte) {
	defer func() {
		if recover() != nil {
			w.failed, sum = fmt.Errorf("password: the Format %s panicked", formName(w.foreign.form)), []byte{}
		}
	}()
	var memory []byte
	if w.memory > 0 {
		memory = w.scratch.forFormat(int(w.memory))
		defer erase.Large(memory)
	}
	var turn turn.Turn
	turn.Start(1, w.gone)
	yield := func() bool { return turn.Did(1) }
	sum = compute(w.foreign.Parsed, w.key, memory, yield)
	if w.also != nil && !turn.GivenUp() && !bytes.Equal(sum, w.hash.Sum) {
		clear(memory)
		sum = compute(w.foreign.Parsed, w.also, memory, yield)
	}
	if w.foreign.other != nil && !turn.GivenUp() && !bytes.Equal(sum, w.hash.Sum) {
		clear(memory)
		sum = compute(w.foreign.other, w.key, memory, yield)
	}
	switch {
	case turn.GivenUp():
		return nil
	case sum == nil:
		return []byte{}
	}
	return sum
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
