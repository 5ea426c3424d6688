// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"fount/password/internal/format"
)

// Info is what a stored hash says about itself. It holds nothing of salt or sum.
type Info struct {
	Algorithm Algorithm `json:"-"`
	Name      string    `json:"algorithm"`         // Algorithm's
	Form      string    `json:"form,omitempty"`    // of the Format that has read it; "": of none
	Variant   string    `json:"variant,omitempty"` // bcrypt: "2a", "2b" or "2y"
	PreHash   string    `json:"prehash,omitempty"` // what is hashed in the password's place
	Wraps     string    `json:"wraps,omitempty"`   // algorithm or form inside of a wrapped hash
	KeyID     string    `json:"key_id,omitempty"`  // the pepper it names

	// As in Policy; of a wrapped hash, the outer one's. A number too large for an int is the
	// largest int. Foreign has a Cost alone, which is Parsed.Cost.
	Cost        int `json:"cost,omitempty"`
	Memory      int `json:"memory_kib,omitempty"`
	Iterations  int `json:"iterations,omitempty"`
	BlockSize   int `json:"block_size,omitempty"`
	Parallelism int `json:"parallelism,omitempty"`

	SaltLen int   `json:"salt_bytes"` // 0 for Foreign, whose Format alone knows it
	SumLen  int   `json:"sum_bytes"`
	Bytes   int64 `json:"memory_bytes"` // held while it is computed; 0 for bcrypt and PBKDF2

	// Digests is how many digests a PBKDF2's sum is long. Each takes all iterations, and a Policy
	// makes one.
	Digests int `json:"-"`

	Truncates  bool `json:"truncates"`   // only the password's first 72 bytes count
	OverLimits bool `json:"over_limits"` // the Limits refuse it: ErrCost
	BelowOWASP bool `json:"below_owasp"` // cheaper than all of OWASP's
}

// Inspect takes a stored hash apart, of this package's own forms and those that p.Formats read, by
// p's Limits, and computes nothing. The error is ErrMalformed.
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
	if err != nil {
		return Info{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if parsed.Hash == "" {
		return Info{
			Algorithm: Foreign, Name: Foreign.String(), Form: form, Cost: clampInt(parsed.Cost),
			SumLen: len(parsed.Sum), Bytes: parsed.Memory, BelowOWASP: true,
			OverLimits: limits.allow(form, parsed.Time(1), parsed.Memory) != nil,
		}, nil
	}
	h, err = format.Parse(parsed.Hash)
	if err != nil {
		return Info{}, fmt.Errorf("%w: %s: %w", ErrMalformed, form, err)
	}
	i := inspect(&h, limits)
	i.Form = form
	if parsed.Prepare != nil {
		i.PreHash, i.Truncates = form+"'s own", false
	}
	return i, nil
}

func (p Policy) inspectWrapped(encoded string) (Info, error) {
	if err := p.Check(encoded); errors.Is(err, ErrMalformed) {
		return Info{}, err
	}
	outer, inside, err := unwrap(encoded)
	if err != nil {
		return Info{}, err
	}
	inner, err := p.Inspect(inside)
	if err != nil {
		return Info{}, err
	}
	i := inspect(&outer, p.Limits.filled())
	i.Wraps = inner.Form
	if inner.Algorithm != Foreign { // whatever form it is stored in
		i.Wraps = inner.Name
	}
	i.Truncates, i.OverLimits = inner.Truncates, i.OverLimits || inner.OverLimits
	return i, nil
}

func inspect(h *format.Hash, limits Limits) Info {
	p := policyOf(h)
	i := Info{
		Algorithm: p.Algorithm, Name: p.Algorithm.String(), KeyID: h.KeyID,
		Cost: p.Cost, Memory: p.Memory, Iterations: p.Iterations, BlockSize: p.BlockSize, Parallelism: p.Parallelism,
		SaltLen: len(h.Salt), SumLen: len(h.Sum),
		OverLimits: limits.check(h) != nil, BelowOWASP: !p.meetsOWASP(),
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
	return i
}

func clampInt(n uint32) int { return int(min(uint64(n), math.MaxInt)) }
