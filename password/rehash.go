// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "fount/password/internal/format"

// NeedsRehash reports whether a hash by p should replace encoded: because it has another algorithm,
// key or cost, unless p's hash would be easier to attack.
//
// Within a family (bcrypt, argon2, scrypt, PBKDF2), a hash stays if it takes more memory or more
// work than p's, even if it has another key, form or digest. Work is bcrypt's rounds, argon2's
// memory times passes, scrypt's N·r·p, and PBKDF2's iterations in multiples of OWASP's for the
// digest. Memory is argon2's and scrypt's N·r.
//
// Across families, work is compared in multiples of OWASP's choices, which are meant to be equally
// hard: a hash stays if its multiple is more than twice p's. So with Default, a bcrypt of cost 12,
// four times OWASP's, stays, and one of cost 11 is replaced. In both cases, if only one of the two
// is as hard as a choice of OWASP's, that one wins.
//
// The salt, the lengths of salt and sum, and bcrypt's minor version don't count. NeedsRehash is
// true if p is invalid, if encoded can't be read or is above p's Limits, and for hashes that a
// Format reads, unless a Translated's Hash would stay for its cost. Replace a hash only after a
// match whose Result.NeedsRehash is true too.
func NeedsRehash(p Policy, encoded string) bool {
	want, err := p.unsalted()
	if err != nil {
		return true
	}

	stored, _, err := p.read(encoded)
	return err != nil || p.Limits.check(stored, 0) != nil || outdated(stored, want.hash())
}

// replaces reports whether a new hash of password by want, a policy's hasher, should replace the
// stored one.
func replaces(want nativeHasher, stored hasher, password []byte) bool {
	return outdated(stored, want.hash()) && checkPassword(want, password) == nil
}

// outdated reports whether a hash such as want, by a policy, should replace a stored one.
func outdated(stored hasher, want *format.Hash) bool {
	switch of := stored.(type) {
	case *translated:
		return !weakens(of.hash(), want)
	case *computed, *wrapped:
		return true
	}

	h := stored.(nativeHasher).hash()
	if weakens(h, want) {
		return false
	}

	_, isBcrypt := stored.(*bcryptHash)
	otherInput := isBcrypt && h.Form != want.Form
	otherWay := otherInput || h.Loose || h.Version != want.Version || h.KeyID != want.KeyID
	return otherWay || policyOf(h) != policyOf(want)
}

// weakens reports whether want would be easier to attack than h.
func weakens(h, want *format.Hash) bool {
	has := policyOf(h).strength()
	wanted := policyOf(want).strength()
	of := &algorithms[h.Algorithm]
	wantedOf := &algorithms[want.Algorithm]

	switch {
	case (has > 0) != (wanted > 0):
		return has > 0
	case of.family == wantedOf.family:
		memory, work := of.expense(h)
		wantedMemory, wantedWork := wantedOf.expense(want)
		return wantedMemory < memory || wantedWork < work
	}
	return has > 2*wanted
}
