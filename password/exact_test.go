// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"context"
	"testing"
)

// No match locks the owner out, however far what was typed is from the owner's password: the hash is
// replaced only if no other password matches by the same reading.
func TestOwnerIsNotLockedOut(t *testing.T) {
	const head = "0123456789ab0123456789ab0123456789ab0123456789ab0123456789ab0123456789ab" // 72 bytes
	const owner = head + "-owner"

	hashOf := func(p Policy, password string) string {
		t.Helper()
		j, err := p.hashJob([]byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		j.input = j.kind.input([]byte(password)) // also one that Hash refuses and other makers take
		return j.text(j.compute())
	}
	bcrypt := func(password string) string { return hashOf(Policy{Algorithm: Bcrypt, Cost: 4}, password) }
	pbkdf2 := hashOf(Policy{Algorithm: PBKDF2SHA256, Iterations: 10}, "secret")
	scrypt := hashOf(Policy{Algorithm: Scrypt, Cost: 1, BlockSize: 1}, "secret")
	argon2 := hashOf(Policy{Algorithm: Argon2id, Memory: 8, Iterations: 1}, "secret\x00")
	keyed := hashOf(Policy{Algorithm: Bcrypt, Cost: 4, Keys: ring(t, vectorKey())}, owner)

	lower := func(password []byte) ([]byte, bool) { return bytes.ToLower(password), false }
	trim := func(password []byte) ([]byte, bool) {
		trimmed := bytes.TrimSpace(password)
		return trimmed, len(trimmed) == len(password)
	}
	latin1 := func(password []byte) ([]byte, bool) {
		return bytes.ReplaceAll(password, []byte("é"), []byte("\xe9")), true
	}
	asTyped := func(password []byte) []byte { return password }

	computed := func(change func(*Computed)) Format { return toy{name: "toy", change: change} }
	trims := computed(func(c *Computed) { c.Prepare = trim })
	folds := computed(func(c *Computed) { c.Prepare = lower })
	encodes := computed(func(c *Computed) { c.Prepare, c.Also = latin1, asTyped })
	mayTrim := computed(func(c *Computed) { c.Also = func(p []byte) []byte { return bytes.TrimSpace(p) } })
	mayFold := computed(func(c *Computed) { c.Also = bytes.ToLower })
	translated := func(password string, prepare func([]byte) ([]byte, bool)) Format {
		hash := bcrypt(password)
		return toy{name: "toy", as: func(*Computed) *Translated { return &Translated{Hash: hash, Prepare: prepare} }}
	}
	const any = "toy$1$00"

	for _, c := range []struct {
		name         string
		form         Format // if not nil
		stored       string // of the owner's password
		owner, typed string
		replaced     bool
	}{
		{"bcrypt of 71 bytes", nil, bcrypt(head[:71]), head[:71], head[:71], true},
		{"bcrypt of 72 bytes, which may be a head", nil, bcrypt(owner), owner, head, false},
		{"bcrypt of the owner's 78 bytes", nil, bcrypt(owner), owner, owner, false},
		{"bcrypt of another tail", nil, bcrypt(owner), owner, head + "-typo", false},
		{"bcrypt of a NUL", nil, bcrypt("a"), "a", "a\x00a", false},
		{"bcrypt of a digest", nil, keyed, owner, owner, true},
		{"PBKDF2", nil, pbkdf2, "secret", "secret", true},
		{"PBKDF2 and a NUL", nil, pbkdf2, "secret", "secret\x00", false},
		{"scrypt and a NUL", nil, scrypt, "secret", "secret\x00", false},
		{"argon2 and a NUL", nil, argon2, "secret\x00", "secret\x00", true},

		{"trimmed", trims, toyHash("secret", 1), "secret", " secret", false},
		{"trimmed, with nothing to trim", trims, toyHash("secret", 1), "secret", "secret", true},
		{"perhaps trimmed", mayTrim, toyHash("secret", 1), "secret", "secret ", false},
		{"perhaps trimmed, with nothing to trim", mayTrim, toyHash("secret", 1), "secret", "secret", true},
		{"perhaps trimmed, and was not", mayTrim, toyHash("secret ", 1), "secret ", "secret ", true},
		{"folded", folds, toyHash("secret", 1), "Secret", "SECRET", false},
		{"folded, with nothing to fold", folds, toyHash("secret", 1), "Secret", "secret", false},
		{"perhaps folded", mayFold, toyHash("secret", 1), "secret", "Secret", false},
		{"encoded", encodes, toyHash("\xe9", 1), "é", "é", true},
		{"not encoded", encodes, toyHash("é", 1), "é", "é", true},

		{"translated, another tail", translated(owner, nil), any, owner, head + "-typo", false},
		{"translated, trimmed", translated("secret", trim), any, "secret", "secret ", false},
		{"translated, with nothing to trim", translated("secret", trim), any, "secret", "secret", true},
		{"translated, with nothing to trim, another tail", translated(owner, trim), any, owner, head + "-typo", false},
		{"translated, folded", translated("secret", lower), any, "Secret", "secret", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := wrapPolicy(t)
			p.Keys = ring(t, vectorKey())
			if c.form != nil {
				p.Formats = formats(t, c.form)
			}
			wrapped, err := Wrap(p, c.stored)
			if c.stored == any { // package legacy wraps those
				wrapped, err = any, nil
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, stored := range []string{c.stored, wrapped} {
				now := signInAndSave(t, p, c.typed, stored)

				if (now != stored) != c.replaced {
					t.Errorf("%s is replaced by %s; want a new hash: %v", stored, now, c.replaced)
				}
				if _, err := Verify(p, []byte(c.owner), now); err != nil {
					t.Errorf("the owner's %q, after %q has signed in: %v", c.owner, c.typed, err)
				}
			}
		})
	}
}

// signInAndSave signs in with given, which must match stored, and returns what is stored after it.
func signInAndSave(t *testing.T, p Policy, given, stored string) (now string) {
	t.Helper()
	saved := make(chan string, 1)
	save := func(_ context.Context, _, hash string) (bool, error) {
		saved <- hash
		return true, nil
	}
	pool := newPool(t, Options{Policy: p})
	result, err := SignIn(t.Context(), pool, Login{}, given, stored, save)
	if err != nil {
		t.Fatalf("%q beside %s: %v", given, stored, err)
	}
	if alone, err := Verify(p, []byte(given), stored); err != nil || alone != result {
		t.Errorf("%q beside %s: %+v, %v; by a pool %+v", given, stored, alone, err, result)
	}

	if result.NeedsRehash {
		return <-saved
	}
	return stored
}
