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

// $2y$ is written by those who end a password at a NUL or refuse it: one with a NUL does not match,
// wrapped neither. Where a NUL is a byte like others "a\x00a" is "a", as bcrypt repeats its key.
func TestBcryptNUL(t *testing.T) {
	encoded := must(Hash(cheapest, []byte("a")))(t)
	y := strings.Replace(encoded, "$2b$", "$2y$", 1)
	if err := bcrypt.CompareHashAndPassword([]byte(encoded), []byte("a\x00a")); err != nil {
		t.Errorf("x/crypto, $2b$ with a NUL: %v", err)
	}

	p := wrapPolicy(t)
	for name, c := range map[string]struct {
		stored, password string
		want             error
	}{
		"$2y$":                   {stored: y, password: "a"},
		"$2y$, NUL":              {stored: y, password: "a\x00a", want: ErrMismatch},
		"$2b$, NUL":              {stored: encoded, password: "a\x00a"}, // as x/crypto and Python
		"$2b$, NUL, another end": {stored: encoded, password: "a\x00b", want: ErrMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			for _, stored := range []string{c.stored, wrappedOf(t, p, c.stored)} {
				if _, err := Verify(p, []byte(c.password), stored); err != c.want {
					t.Errorf("%s: %v; want %v", stored, err, c.want)
				}
			}
		})
	}
}

// The 22nd character of a salt has four bits that no byte has. x/crypto drops
// them; crypt_blowfish drops them too (libxcrypt 4.4.33 answers the same sum for
// ...u, ...v and ...z).
func TestBcryptUnusedBits(t *testing.T) {
	p := Policy{Algorithm: Bcrypt, Cost: 5}
	if r, err := Verify(p, []byte("hello"), goodBcrypt); err != nil || r.NeedsRehash {
		t.Errorf("canonical: %+v, %v", r, err)
	}

	for _, c := range "vwxyz012345678" {
		loose := goodBcrypt[:28] + string(c) + goodBcrypt[29:]
		if err := bcrypt.CompareHashAndPassword([]byte(loose), []byte("hello")); err != nil {
			t.Errorf("x/crypto: salt ends with %c: %v", c, err)
		}
		if r, err := Verify(p, []byte("hello"), loose); err != nil || !r.NeedsRehash {
			t.Errorf("salt ends with %c: %+v, %v; want a match that needs a rehash", c, r, err)
		}
	}

	for _, c := range "bcd" {
		if _, err := Verify(p, []byte("hello"), goodBcrypt[:59]+string(c)); !errors.Is(err, ErrMalformed) {
			t.Errorf("sum ends with %c: %v; want ErrMalformed", c, err)
		}
	}
}
