// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Inspect takes a stored hash apart, of this package's own forms and those that p.Formats read, by
// p's Limits, and computes nothing. The error is ErrMalformed.
func (p Policy) Inspect(encoded string) (Info, error) {
	k, sum, err := p.read(encoded)
	if err != nil {
		return Info{}, err
	}
	i := inspect(k, p.Limits.filled())
	i.SumLen = len(sum)
	return i, nil
}

// inspect returns what a kind says.
func inspect(k kind, limits Limits) Info {
	switch k := k.(type) {
	case *computed:
		need := k.effort(1)
		return Info{
			Algorithm: Foreign, Name: Foreign.String(), Form: k.form, Cost: clampInt(k.Cost), Bytes: k.Memory, BelowOWASP: true,
			OverLimits: limits.check(k, 1) != nil || need.took < 0,
		}
	case *translated:
		i := inspect(k.own, limits)
		i.Form = k.form
		if k.prepare != nil {
			i.PreHash, i.Truncates = k.form+"'s own", false
		}
		return i
	case *wrapped:
		inner, i := inspect(k.inner, limits), inspect(k.own, limits)
		i.Wraps = inner.Form
		if inner.Algorithm != Foreign { // whatever form it is stored in
			i.Wraps = inner.Name
		}
		i.Truncates, i.OverLimits = inner.Truncates, i.OverLimits || inner.OverLimits
		return i
	}
	of := k.(own)
	h := of.hash()
	p := policyOf(h)
	i := Info{
		Algorithm: p.Algorithm, Name: p.Algorithm.String(), KeyID: h.KeyID,
		Cost: p.Cost, Memory: p.Memory, Iterations: p.Iterations, BlockSize: p.BlockSize, Parallelism: p.Parallelism,
		SaltLen: len(h.Salt), OverLimits: limits.check(k, 1) != nil, BelowOWASP: !p.meetsOWASP(),
	}
	if !i.OverLimits {
		i.Bytes = of.effort(1).memory
	}
	of.inspect(&i)
	return i
}
