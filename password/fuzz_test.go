// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"testing"
	"time"
)

// Whatever is stored and given: an answer, none of it in an error's text, and no
// memory above the limits, as measured.
func FuzzVerify(f *testing.F) {
	limits := Limits{Time: time.Millisecond, Memory: 64 << 10}
	p := Policy{Algorithm: Bcrypt, Cost: 4, Keys: ring(f, vectorKey()), Limits: limits}

	for _, v := range readVectors(f) {
		f.Add(v.password, v.encoded)
	}
	for _, b := range bad {
		if len(b.encoded) < 1000 {
			f.Add([]byte("p4ssw0rd"), b.encoded)
		}
	}
	for _, cheap := range cheapOnes() {
		encoded := must(Hash(cheap, []byte("p4ssw0rd")))(f)
		f.Add([]byte("p4ssw0rd"), encoded)
		f.Add([]byte("p4ssw0rd\x00"), encoded)
		f.Add([]byte(""), encoded)
		f.Add(bytes.Repeat([]byte("x"), 1025), encoded)
	}

	f.Fuzz(func(t *testing.T, password []byte, encoded string) {
		_, err := Verify(p, password, encoded)
		if ReasonOf(err) == ReasonOther {
			t.Errorf("%q, %q: %v", password, encoded, err)
		}
		if err != nil && len(password) > 12 && bytes.Contains([]byte(err.Error()), password) {
			t.Errorf("the error holds the password: %v", err)
		}

		if j, err := p.verifyJob(password, encoded); err == nil {
			if why := tooMuch(&j, limits); why != "" {
				t.Errorf("%q is let in: %s", encoded, why)
			}
			j.wipe()
		}

		p.Inspect(encoded)
		NeedsRehash(p, encoded)
	})
}
