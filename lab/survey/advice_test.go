// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// Tests of what is advised for a pool, against pools.

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/internal/policytext"
	"fount/password"
)

// advised are the options of a pool that follows the report.
func advised(t *testing.T, s *Survey, r *Report) password.Options {
	t.Helper()
	o := password.Options{Policy: s.policy}
	for _, w := range r.Unknown.Stored {
		p, err := policytext.Parse(w.Name)
		if err != nil {
			t.Fatal(err)
		}
		o.Stored = append(o.Stored, p)
	}
	for _, w := range r.Unknown.Samples {
		for k, one := range s.kinds {
			if k.name() == w.Name {
				o.Samples = append(o.Samples, one.sample)
				break
			}
		}
	}
	if len(o.Samples) != len(r.Unknown.Samples) {
		t.Fatalf("%d of %d samples are in the store", len(o.Samples), len(r.Unknown.Samples))
	}
	return o
}

// others is how many hashes an unknown user takes beside the policy's.
func others(t *testing.T, o password.Options) int {
	t.Helper()
	pool, err := password.NewPool(o)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())
	if _, err := pool.Verify(t.Context(), password.Login{}, []byte("x"), ""); !errors.Is(err, password.ErrMismatch) {
		t.Fatal(err)
	}
	return int(pool.Stats().Total().Filler)
}

// What the survey counts as one work is one for a pool, in every form, dress and wrapping, and what it counts as two is two: a pool that
// follows it knows all works of the store, and each once.
func TestWorksAreThePools(t *testing.T) {
	sum := func(n int) string { return base64.RawStdEncoding.EncodeToString(bytes.Repeat([]byte{1}, n)) }
	all := append(hashes(t),
		"$pbkdf2-sha256$i=1000$c2FsdHNhbHRzYWx0$"+sum(64), // Keycloak's sums have two digests
		"pbkdf2_sha256$1000$seasaltseasaltsea12345$"+base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 32)),
		"$pbkdf2-sha1$i=1000,l=20$c2FsdHNhbHRzYWx0$"+sum(20), // Kratos has more than one work of a cost
		"$sha512-crypt$rounds=1000$salt$"+strings.Repeat("a", 86),
		"$argon2i$v=16$m=2040,t=1,p=255$c2FsdHNhbHRzYWx0$"+sum(32),
		"$argon2d$v=19$m=64,t=2,p=8$c2FsdHNhbHRzYWx0$"+sum(32),
		"$scrypt$ln=1,r=1,p=10$c2FsdHNhbHRzYWx0$"+sum(32),
	)
	p := bcrypt12()
	p.Cost = 4
	all = slices.DeleteFunc(all, func(encoded string) bool {
		i, err := p.Inspect(encoded)
		return err != nil || p.Check(encoded) != nil || i.Time > 5*time.Millisecond
	})
	outer := password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Formats: p.Formats}
	for _, encoded := range all {
		if wrapped, err := password.Wrap(outer, encoded); err == nil {
			all = append(all, wrapped)
		}
	}
	s := New(p)
	for i, encoded := range all {
		s.Add(int64(i), encoded)
	}
	r, err := s.Report(t.Context(), Terms{}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	listed := len(r.Unknown.Stored) + len(r.Unknown.Samples)
	known, works := others(t, advised(t, s, r)), others(t, password.Options{Policy: p, Samples: all})
	if listed < 50 || known != listed || works != listed || len(r.Unknown.Refused) > 0 || r.Refused > 0 {
		t.Errorf("of %d hashes %d works are listed, a pool knows %d of them, and one of all hashes %d: %+v", len(all), listed, known, works, r.Unknown)
	}
}
