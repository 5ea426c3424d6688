// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"testing"
	"time"
)

// Estimates are those of Stats, for the kinds that it names.
func TestEstimates(t *testing.T) {
	p := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 4}})
	for _, other := range []Policy{{Algorithm: Argon2id, Memory: 64, Iterations: 1, Parallelism: 2}, {Algorithm: Scrypt, Cost: 4, BlockSize: 3, Parallelism: 1},
		{Algorithm: PBKDF2SHA256, Iterations: 1000}} {
		encoded, err := Hash(other, []byte("p"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Verify(t.Context(), Login{}, []byte("p"), encoded); err != nil {
			t.Fatal(err)
		}
	}
	e, s := p.Estimates(), p.Stats()
	if len(e.Kinds) != 4 || len(s.Hashes) != 4 {
		t.Fatalf("%+v; want 4 kinds", e)
	}
	for i, k := range e.Kinds {
		own, err := k.Policy.filled()
		if err != nil {
			t.Error(err)
			continue
		}
		w, err := own.plan([]byte("p"))
		if err != nil {
			t.Error(err)
			continue
		}
		h := s.Hashes[i]
		if kind := kindOf(&w); h.Algorithm != w.alg.String() || h.Cost != costString(kind) || h.Alone != k.Alone || h.Alone <= 0 || k.Drain <= 0 {
			t.Errorf("%+v of %s; Stats has %s %s, %v", k, costString(kind), h.Algorithm, h.Cost, h.Alone)
		}
		if off := k.Drain - h.Drain/time.Duration(s.Workers); h.Algorithm != "argon2id" && (off < -10 || off > 10) {
			t.Errorf("%s: Drain is %v; Stats has %v for one of %d workers", h.Algorithm, k.Drain, h.Drain, s.Workers)
		}
	}
}
