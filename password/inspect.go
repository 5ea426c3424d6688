// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Info describes a stored hash, without its salt and sum.
type Info struct {
	Algorithm Algorithm `json:"-"`
	Name      string    `json:"algorithm"`         // Algorithm's
	Form      string    `json:"form,omitempty"`    // Name of the Format that read it, if any
	Variant   string    `json:"variant,omitempty"` // bcrypt: "2a", "2b" or "2y"
	PreHash   string    `json:"prehash,omitempty"` // what is hashed instead of the password
	Wraps     string    `json:"wraps,omitempty"`   // algorithm or form inside a wrapped hash
	KeyID     string    `json:"key_id,omitempty"`  // the pepper it names

	// As in Policy; for a wrapped hash, those of the outer one. A number too large for an int is
	// math.MaxInt. Foreign has only Cost, which is Computed.Cost.
	Cost        int `json:"cost,omitempty"`
	Memory      int `json:"memory_kib,omitempty"`
	Iterations  int `json:"iterations,omitempty"`
	BlockSize   int `json:"block_size,omitempty"`
	Parallelism int `json:"parallelism,omitempty"`

	SaltLen int   `json:"salt_bytes"`   // 0 for Foreign: only its Format knows it
	SumLen  int   `json:"sum_bytes"`    // of the stored sum
	Bytes   int64 `json:"memory_bytes"` // held while it is computed; 0 for bcrypt and PBKDF2

	// Digests is the length of a PBKDF2's sum in digests, rounded up. Each takes all iterations. In
	// a Policy's hashes it is 1.
	Digests int `json:"-"`

	Truncates  bool `json:"truncates"`   // only the password's first 72 bytes count
	OverLimits bool `json:"over_limits"` // Verify refuses it: ErrCost
	BelowOWASP bool `json:"below_owasp"` // easier to attack than each of OWASP's choices
}

// Inspect describes a stored hash of any form that p reads. It computes no hash. The error is
// ErrMalformed.
func (p Policy) Inspect(encoded string) (Info, error) {
	h, sum, err := p.read(encoded)
	if err != nil {
		return Info{}, err
	}

	i := inspect(h, p.Limits)
	i.SumLen = len(sum)
	return i, nil
}

func inspect(of hasher, limits Limits) Info {
	overLimits := limits.check(of, 1) != nil

	switch of := of.(type) {
	case *computed:
		return Info{
			Algorithm: Foreign, Name: Foreign.String(), Form: of.form,
			Cost: clampInt(of.Cost), Bytes: of.Memory,
			OverLimits: overLimits, BelowOWASP: true,
		}
	case *translated:
		i := inspect(of.nativeHasher, limits)
		i.Form = of.form
		if of.prepare != nil {
			i.PreHash = of.form + "'s own"
			i.Truncates = false
		}
		return i
	case *wrapped:
		i := inspect(of.nativeHasher, limits)
		inner := inspect(of.inner, limits)
		i.Wraps = of.inner.effort(1).kind.name()
		i.Truncates = inner.Truncates
		i.OverLimits = i.OverLimits || inner.OverLimits
		return i
	}

	native := of.(nativeHasher)
	h := native.hash()
	p := policyOf(h)

	i := Info{
		Algorithm: p.Algorithm, Name: p.Algorithm.String(), KeyID: h.KeyID,
		Cost: p.Cost, Memory: p.Memory, Iterations: p.Iterations, BlockSize: p.BlockSize, Parallelism: p.Parallelism,
		SaltLen:    len(h.Salt),
		OverLimits: overLimits, BelowOWASP: !p.meetsOWASP(),
	}
	if !overLimits {
		i.Bytes = native.effort(1).memory
	}

	native.inspect(&i)
	return i
}
