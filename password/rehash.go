// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "fount/password/internal/format"

// NeedsRehash reports whether a hash by p should replace encoded: encoded has
// another algorithm or key, or p's would be harder to attack. No hash is made
// cheaper: one of p's algorithm that takes more memory than p's, or more work, stays,
// unless it is below OWASP's minimum and p is not. Salt, the lengths of salt and
// sum, and bcrypt's minor version don't count. NeedsRehash is true if encoded can't
// be read or is above p's Limits, and for every hash if p is invalid.
//
// Work is bcrypt's rounds, argon2's memory times passes, scrypt's N·r·p and
// PBKDF2's iterations; memory is argon2's and scrypt's N·r.
func NeedsRehash(p Policy, encoded string) bool {
	p, err := p.filled()
	if err != nil {
		return true
	}
	h, err := format.Parse(encoded)
	if err != nil {
		return true
	}
	want, err := p.blank()
	return err != nil || p.replaces(&h, &want)
}

// replaces is NeedsRehash for the filled policy, whose blank hash is want.
func (p Policy) replaces(h, want *format.Hash) bool {
	switch {
	case h.Loose || p.Limits.check(h) != nil,
		h.Algorithm != want.Algorithm || h.KeyID != want.KeyID,
		h.Algorithm == format.Bcrypt && h.Form != want.Form: // another thing is hashed
		return true
	case h.Cost == want.Cost && h.Memory == want.Memory && h.Iterations == want.Iterations &&
		h.BlockSize == want.BlockSize && h.Parallelism == want.Parallelism:
		return false
	}
	memory, work := expense(h)
	wantMemory, wantWork := expense(want)
	return wantMemory >= memory && wantWork >= work || !policyOf(h).meetsOWASP() && p.meetsOWASP()
}

// expense returns what an attacker needs for each password, in KiB and in the units
// of the algorithm.
func expense(h *format.Hash) (memory, work uint64) {
	switch h.Algorithm {
	case format.Bcrypt:
		return 0, 1 << h.Cost
	case format.Argon2id, format.Argon2i, format.Argon2d:
		return uint64(h.Memory), uint64(h.Memory) * uint64(h.Iterations)
	case format.Scrypt:
		memory = scryptKiB(h)
		return memory, product(memory, uint64(h.Parallelism))
	}
	return 0, uint64(h.Iterations)
}

// policyOf returns the policy that h was made by, as far as it shows. What is more
// than an int holds is the largest int.
func policyOf(h *format.Hash) Policy {
	return Policy{
		Algorithm: Algorithm(h.Algorithm), Cost: clampInt(h.Cost), Memory: clampInt(h.Memory),
		Iterations: clampInt(h.Iterations), BlockSize: clampInt(h.BlockSize), Parallelism: clampInt(h.Parallelism),
	}
}
