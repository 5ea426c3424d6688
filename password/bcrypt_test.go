// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"
)

// With Keys, bytes behind the 72nd count too.
func TestBcryptWithKeysTakesAll(t *testing.T) {
	p := cheapest
	p.Keys = ring(t, vectorKey())
	longer := []byte(ten[:73])
	encoded := must(Hash(p, longer))(t)
	if r, err := Verify(p, longer, encoded); err != nil || r != (Result{}) {
		t.Errorf("73 bytes: %+v, %v", r, err)
	}
	if _, err := Verify(p, longer[:72], encoded); !errors.Is(err, ErrMismatch) {
		t.Errorf("the first 72 bytes alone: %v; want ErrMismatch", err)
	}
}

// $2y$ is written by those who end a password at a NUL or refuse it.
func TestBcryptNUL(t *testing.T) {
	encoded := must(Hash(cheapest, []byte("a")))(t)
	y := strings.Replace(encoded, "$2b$", "$2y$", 1)
	if _, err := Verify(Policy{}, []byte("a"), y); err != nil {
		t.Errorf("$2y$: %v", err)
	}

	// bcrypt repeats its key, so where a NUL is a byte like others "a" is this:
	repeated := []byte("a\x00a")
	if err := bcrypt.CompareHashAndPassword([]byte(encoded), repeated); err != nil {
		t.Errorf("x/crypto, $2b$ with a NUL: %v", err)
	}
	if _, err := Verify(Policy{}, repeated, encoded); err != nil {
		t.Errorf("$2b$ with a NUL: %v; want x/crypto's and Python's answer", err)
	}
	if _, err := Verify(Policy{}, repeated, y); !errors.Is(err, ErrMismatch) {
		t.Errorf("$2y$ with a NUL: %v; want ErrMismatch", err)
	}
	if _, err := Verify(Policy{}, []byte("a\x00b"), encoded); !errors.Is(err, ErrMismatch) {
		t.Errorf("$2b$ with a NUL and another end: %v; want ErrMismatch", err)
	}
}

// The 22nd character of a salt has four bits that no byte has. x/crypto drops
// them; crypt_blowfish drops them too (libxcrypt 4.4.33 answers the same sum for
// ...u, ...v and ...z).
func TestBcryptUnusedBits(t *testing.T) {
	const canonical = goodBcrypt // of "hello", by libxcrypt 4.4.33
	p := Policy{Algorithm: Bcrypt, Cost: 5}
	if r, err := Verify(p, []byte("hello"), canonical); err != nil || r.NeedsRehash {
		t.Errorf("canonical: %+v, %v", r, err)
	}

	for _, c := range "vwxyz012345678" {
		loose := canonical[:28] + string(c) + canonical[29:]
		if err := bcrypt.CompareHashAndPassword([]byte(loose), []byte("hello")); err != nil {
			t.Errorf("x/crypto: salt ends with %c: %v", c, err)
		}
		if r, err := Verify(p, []byte("hello"), loose); err != nil || !r.NeedsRehash {
			t.Errorf("salt ends with %c: %+v, %v; want a match that needs a rehash", c, r, err)
		}
	}

	for _, c := range "bcd" {
		if _, err := Verify(p, []byte("hello"), canonical[:59]+string(c)); !errors.Is(err, ErrMalformed) {
			t.Errorf("sum ends with %c: %v; want ErrMalformed", c, err)
		}
	}
}
