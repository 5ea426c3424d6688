// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"context"
	"testing"
	"time"
)

// No match locks the owner out, however far what was typed is from the owner's password: the hash is
// replaced only if no other password matches by the same reading.
func TestOwnerIsNotLockedOut(t *testing.T) {
	const head = "0123456789ab0123456789ab0123456789ab0123456789ab0123456789ab0123456789ab" // 72 bytes
	const owner = head + "-owner"
	const any = "toy$1$00"

	hashOf := func(p Policy, password string) string {
		encoded := must(Hash(p, []byte(password)))(t)
		return encoded
	}
	bcrypt := func(password string) string { return hashOf(cheapest, password) }
	pbkdf2 := hashOf(Policy{Algorithm: PBKDF2SHA256, Iterations: 10}, "secret")
	scrypt := hashOf(Policy{Algorithm: Scrypt, Cost: 1, BlockSize: 1}, "secret")
	long := bcrypt(head) // as other makers' bcrypts of owner
	argon2 := hashOf(Policy{Algorithm: Argon2id, Memory: 8, Iterations: 1}, "secret\x00")

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
	encodes := computed(func(c *Computed) { c.Prepare, c.Also = latin1, asTyped })
	trims := computed(func(c *Computed) { c.Also = func(p []byte) []byte { return bytes.TrimSpace(p) } })
	folds := computed(func(c *Computed) { c.Prepare, c.Also = lower, asTyped })
	trimmed := func(hash string) Format {
		return toy{name: "toy", as: func(*Computed) *Translated { return &Translated{Hash: hash, Prepare: trim} }}
	}

	for _, c := range []struct {
		name         string
		form         Format // if not nil
		stored       string // of the owner's password
		owner, typed string
		replaced     bool
	}{
		{"bcrypt of 71 bytes", nil, bcrypt(head[:71]), head[:71], head[:71], true},
		{"bcrypt of 72 bytes, which may be a head", nil, long, owner, head, false},
		{"bcrypt of the owner's 78 bytes", nil, long, owner, owner, false},
		{"bcrypt of another tail", nil, long, owner, head + "-typo", false},
		{"bcrypt of a NUL", nil, bcrypt("a"), "a", "a\x00a", false},
		{"PBKDF2", nil, pbkdf2, "secret", "secret", true},
		{"PBKDF2 and a NUL", nil, pbkdf2, "secret", "secret\x00", false},
		{"scrypt and a NUL", nil, scrypt, "secret", "secret\x00", false},
		{"argon2 and a NUL", nil, argon2, "secret\x00", "secret\x00", true},

		{"perhaps trimmed", trims, toyHash("secret", 1), "secret", "secret ", false},
		{"perhaps trimmed, with nothing to trim", trims, toyHash("secret", 1), "secret", "secret", true},
		{"perhaps trimmed, and was not", trims, toyHash("secret ", 1), "secret ", "secret ", true},
		{"perhaps folded", folds, toyHash("secret", 1), "Secret", "SECRET", false},
		{"perhaps folded, with nothing to fold", folds, toyHash("secret", 1), "Secret", "secret", false},
		{"encoded", encodes, toyHash("\xe9", 1), "é", "é", true},
		{"not encoded", encodes, toyHash("é", 1), "é", "é", true},

		{"translated and trimmed", trimmed(bcrypt("secret")), any, "secret", "secret ", false},
		{"translated, with nothing to trim", trimmed(bcrypt("secret")), any, "secret", "secret", true},
		{"translated, with another tail", trimmed(long), any, owner, head + "-typo", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := wrapPolicy(t)
			if c.form != nil {
				p.Formats = formats(t, c.form)
			}
			wrapped := c.stored
			if c.stored != any { // package legacy wraps such
				wrapped = wrappedOf(t, p, c.stored)
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
	pool := newPool(t, Options{Policy: p, MaxWait: time.Hour})
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
