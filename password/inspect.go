// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"fount/password/internal/format"
)

// Info is what a stored hash says about itself. It holds nothing of salt or sum.
type Info struct {
	Algorithm Algorithm `json:"-"`
	Name      string    `json:"algorithm"`         // Algorithm's
	Form      string    `json:"form,omitempty"`    // of the Format that has read it; "": this package's own
	Variant   string    `json:"variant,omitempty"` // bcrypt: "2a", "2b" or "2y"
	PreHash   string    `json:"prehash,omitempty"` // what the password becomes before: "HMAC-SHA-384" or -256, or what Form makes of it
	Wraps     string    `json:"wraps,omitempty"`   // what a wrapped hash's inner one is computed as: an algorithm, or a form that a Format computes; Algorithm and its costs are the outer one's
	KeyID     string    `json:"key_id,omitempty"`  // the pepper it names

	// As in Policy. A number too large for an int is the largest int. Foreign has a Cost alone, which is Parsed.Cost.
	Cost        int `json:"cost,omitempty"`
	Memory      int `json:"memory_kib,omitempty"`
	Iterations  int `json:"iterations,omitempty"`
	BlockSize   int `json:"block_size,omitempty"`
	Parallelism int `json:"parallelism,omitempty"`

	SaltLen int   `json:"salt_bytes"` // 0 for Foreign, whose Format alone knows it
	SumLen  int   `json:"sum_bytes"`
	Bytes   int64 `json:"memory_bytes"` // held while it is computed; 0 for bcrypt and PBKDF2

	// Time is about what it takes, for a password of 12 bytes, on the machine of which Limits speaks; at most the longest Duration. The forms of
	// package legacy took half of it to twice as long. Of argon2, scrypt and PBKDF2 it is portable code's time: a third to a sixth is taken where the processor has
	// instructions for them.
	Time time.Duration `json:"-"`
	// Times are those of what a Format computes, for passwords of 1 and of 1024 bytes, and of a wrapped hash those of its inner one: works
	// of one form and cost that differ in either are two, and Options.Stored needs one of each. Zeros for all others.
	Times [2]time.Duration `json:"-"`
	// Digests is how many digests a PBKDF2's sum is long. Each takes all iterations, and a Policy makes one: of hashes
	// with more Options.Stored needs one. 0 for all others.
	Digests int `json:"-"`

	Truncates  bool `json:"truncates"`   // only the password's first 72 bytes count
	OverLimits bool `json:"over_limits"` // the Limits refuse it: ErrCost
	BelowOWASP bool `json:"below_owasp"` // cheaper than each of OWASP's, or of no algorithm that OWASP names
}

// Inspect takes a stored hash apart, of this package's own forms and those that p.Formats read, by p's Limits,
// and computes nothing. The error is ErrMalformed.
func (p Policy) Inspect(encoded string) (Info, error) {
	if strings.HasPrefix(encoded, wrapName) {
		return p.inspectWrapped(encoded)
	}
	limits := p.Limits.filled()
	h, err := format.Parse(encoded)
	if err == nil {
		return inspect(&h, limits), nil
	}
	parsed, form, err := p.Formats.parse(encoded, err)
	switch {
	case err != nil:
	case parsed.Hash == "":
		return Info{
			Algorithm: Foreign, Name: Foreign.String(), Form: formName(form), Cost: clampInt(parsed.Cost),
			SumLen: len(parsed.Sum), Bytes: parsed.Memory, Time: parsed.Time(12), Times: shortAndLong(parsed.Time), BelowOWASP: true,
			OverLimits: limits.allow(formName(form), parsed.Time(1), parsed.Memory) != nil,
		}, nil
	default:
		if h, err = format.Parse(parsed.Hash); err == nil {
			i := inspect(&h, limits)
			i.Form = formName(form)
			if parsed.Prepare != nil {
				i.PreHash, i.Truncates = i.Form+"'s own", false
			}
			return i, nil
		}
		err = fmt.Errorf("%s: %w", formName(form), err)
	}
	return Info{}, fmt.Errorf("%w: %w", ErrMalformed, err)
}

func (p Policy) inspectWrapped(encoded string) (Info, error) {
	if err := p.Check(encoded); errors.Is(err, ErrMalformed) {
		return Info{}, err
	}
	outer, inside, err := unwrap(encoded)
	if err != nil {
		return Info{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	inner, err := p.Inspect(inside)
	if err != nil {
		return Info{}, err
	}
	i := inspect(&outer, p.Limits.filled())
	i.Wraps, i.Times = inner.Form, inner.Times
	if inner.Algorithm != Foreign { // whatever dress it is stored in
		i.Wraps, i.Times = inner.Name, [2]time.Duration{inner.Time, inner.Time}
	}
	i.Time += min(inner.Time, math.MaxInt64-i.Time)
	i.Truncates, i.OverLimits = inner.Truncates, i.OverLimits || inner.OverLimits
	return i, nil
}

// shortAndLong are the times of passwords by which a stage is told from others.
func shortAndLong(took func(n int) time.Duration) [2]time.Duration {
	return [2]time.Duration{took(1), took(defaultMaxPassword)}
}

func inspect(h *format.Hash, limits Limits) Info {
	i := Info{
		Algorithm:   Algorithm(h.Algorithm),
		Name:        Algorithm(h.Algorithm).String(),
		KeyID:       h.KeyID,
		Cost:        clampInt(h.Cost),
		Memory:      clampInt(h.Memory),
		Iterations:  clampInt(h.Iterations),
		BlockSize:   clampInt(h.BlockSize),
		Parallelism: clampInt(h.Parallelism),
		SaltLen:     len(h.Salt),
		SumLen:      len(h.Sum),
		OverLimits:  limits.check(h) != nil,
		Time:        timeOf(h),
	}
	if !i.OverLimits {
		i.Bytes = memoryOf(h)
	}
	if h.Minor != 0 {
		i.Variant = "2" + string(rune(h.Minor))
	}
	switch {
	case h.Form == format.PasslibSHA256:
		i.PreHash = "HMAC-SHA-256"
	case h.KeyID != "" && !i.Algorithm.argon2():
		i.PreHash = "HMAC-SHA-384"
	}
	if i.Algorithm.pbkdf2() {
		i.Digests = digestsOf(h)
	}
	i.Truncates = i.Algorithm == Bcrypt && i.PreHash == ""
	i.BelowOWASP = !policyOf(h).meetsOWASP()
	return i
}

func clampInt(n uint32) int { return int(min(uint64(n), math.MaxInt)) }
