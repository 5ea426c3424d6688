// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"testing"

	"fount/internal/test/require"
)

// In a process that may use nothing but what FIPS 140 approves, a password below
// 14 bytes still verifies: it is HMAC's key, for which crypto/hmac panics.
func TestFIPSOnly(t *testing.T) {
	if !require.FIPSOnly(t) {
		return
	}
	for _, p := range cheapOnes() {
		for _, p.Keys = range []*KeyRing{nil, ring(t, vectorKey())} {
			encoded := must(Hash(p, []byte("x")))(t)
			if _, err := Verify(p, []byte("x"), encoded); err != nil {
				t.Errorf("%s: %v", encoded, err)
			}
		}
		pool := newPool(t, Options{Policy: p})
		if _, err := pool.Verify(t.Context(), Login{}, []byte("x"), ""); err != ErrMismatch {
			t.Errorf("%v: an unknown user: %v", p.Algorithm, err)
		}
	}
	for _, v := range readVectors(t) {
		if _, err := Verify(Policy{Keys: ring(t, vectorKey())}, v.password, v.encoded); err != nil {
			t.Errorf("%s: %v", v.encoded, err)
		}
	}
}
