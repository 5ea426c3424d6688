// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "fount/password/internal/format"

// NeedsRehash tells whether p would make another hash than encoded: of another
// algorithm, with other costs, higher or lower, or under another key. Salt, the
// lengths of salt and sum, and bcrypt's minor version don't count. It is true
// for what can't be read, and for any hash if p can't be followed.
func NeedsRehash(p Policy, encoded string) bool {
	p, err := p.filled()
	if err != nil {
		return true
	}
	h, err := format.Parse(encoded)
	return err != nil || p.needsRehash(&h)
}

// needsRehash is NeedsRehash for the filled policy.
func (p Policy) needsRehash(h *format.Hash) bool {
	want, err := p.blank()
	if err != nil || h.Loose {
		return true
	}
	if h.Algorithm == format.Bcrypt && h.Form != want.Form {
		return true // another thing is hashed
	}
	return h.Algorithm != want.Algorithm || h.KeyID != want.KeyID ||
		h.Cost != want.Cost || h.Memory != want.Memory || h.Iterations != want.Iterations ||
		h.BlockSize != want.BlockSize || h.Parallelism != want.Parallelism
}
