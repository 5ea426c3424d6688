// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "fount/password/internal/format"

// outdated reports whether a hash of the filled policy, want, should replace one of a kind, of
// which the password was truncated or not.
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
