// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "fount/password/internal/format"

// NeedsRehash reports whether a hash by p should replace encoded: it has another algorithm or key,
// or p's would be harder to attack. No hash is made cheaper.
//
// A hash stays that takes more memory or more work than p's of the same family (bcrypt, argon2,
// scrypt, PBKDF2), also where the key, the form or the digest is another. Work is bcrypt's rounds,
// argon2's memory times passes, scrypt's N·r·p and PBKDF2's iterations, as a part of OWASP's for
// the digest; memory is argon2's and scrypt's N·r.
//
// Of two families OWASP's rows, which are meant to be equally hard, are the measure: a hash stays
// whose work is more than twice as many times that of a row of its family as p's is. So a bcrypt of
// cost 12, four times OWASP's, stays beside Default, and one of cost 11 makes way. One that meets
// no row makes way for a p that meets one, and never the other way round.
//
// Salt, the lengths of salt and sum, and bcrypt's minor version don't count. NeedsRehash is true if
// encoded can't be read or is above p's Limits, for every hash if p is invalid, and for what a
// Format reads, unless that is another form of a hash that would stay for its cost.
func NeedsRehash(p Policy, encoded string) bool {
	p, err := p.filled()
	if err != nil {
		return true
	}
	want, err := p.blank()
	if err != nil {
		return true
	}
	k, _, err := p.read(encoded)
	return err != nil || p.Limits.check(k, 0) != nil || p.outdated(k, want.hash(), false)
}

// outdated reports whether a hash of the filled policy, want, should replace one of a kind, of which
// the password was truncated or not.
func (p Policy) outdated(k kind, want *format.Hash, truncated bool) bool {
	switch k := k.(type) {
	case *translated:
		return k.replace || !p.lowers(k.hash(), want)
	case *computed, *wrapped:
		return true
	}
	h := k.(own).hash()
	if p.lowers(h, want) {
		return false
	}
	_, bcrypt := k.(*bcryptHash)
	other := bcrypt && h.Form != want.Form // another thing is hashed
	return truncated || other || h.Loose || h.Version != want.Version || h.KeyID != want.KeyID || policyOf(h) != policyOf(want)
}

// lowers reports whether the filled policy's hash, want, would be easier to attack than h.
func (p Policy) lowers(h, want *format.Hash) bool {
	has, makes := policyOf(h).strength(), p.strength()
	of, wanted := &algorithms[h.Algorithm], &algorithms[want.Algorithm]
	switch {
	case (has > 0) != (makes > 0):
		return has > 0
	case of.family == wanted.family:
		memory, work := of.expense(h)
		wantMemory, wantWork := wanted.expense(want)
		return wantMemory < memory || wantWork < work
	}
	return has > 2*makes
}

// policyOf returns the policy that h was made by, as far as it shows. What is more than an int
// holds is the largest int.
func policyOf(h *format.Hash) Policy {
	return Policy{
		Algorithm: Algorithm(h.Algorithm), Cost: clampInt(h.Cost), Memory: clampInt(h.Memory),
		Iterations: clampInt(h.Iterations), BlockSize: clampInt(h.BlockSize), Parallelism: clampInt(h.Parallelism),
	}
}
