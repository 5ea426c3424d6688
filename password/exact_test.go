// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"
)

// No match locks the owner out, however far what was typed is from the owner's password: the hash
// is replaced only if no other password matches by the same reading.
func TestOwnerIsNotLockedOut(t *testing.T) {
	const head = "0123456789ab0123456789ab0123456789ab0123456789ab0123456789ab0123456789ab" // 72 bytes
	const owner = head + "-owner"
	const any = "toy$1$00"

	hashOf := func(p Policy, password string) string {
		return must(Hash(p, []byte(password)))(t)
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

	for name, c := range map[string]struct {
		form     Format
		owner    string   // the owner's password
		stored   string   // its hash
		replaces []string // what is typed and replaces it
		keeps    []string // what is typed, matches, and may be another's
	}{
		"bcrypt of 71 bytes": {owner: head[:71], stored: bcrypt(head[:71]), replaces: []string{head[:71]}},
		"bcrypt of more":     {owner: owner, stored: long, keeps: []string{head, owner, head + "-typo"}},
		"bcrypt and a NUL":   {owner: "a", stored: bcrypt("a"), keeps: []string{"a\x00a"}},
		"PBKDF2":             {owner: "secret", stored: pbkdf2, replaces: []string{"secret"}, keeps: []string{"secret\x00"}},
		"scrypt":             {owner: "secret", stored: scrypt, keeps: []string{"secret\x00"}},
		"argon2":             {owner: "secret\x00", stored: argon2, replaces: []string{"secret\x00"}},

		"perhaps trimmed":              {form: trims, owner: "secret", stored: toyHash("secret", 1), replaces: []string{"secret"}, keeps: []string{"secret "}},
		"perhaps trimmed, and was not": {form: trims, owner: "secret ", stored: toyHash("secret ", 1), replaces: []string{"secret "}},
		"perhaps folded":               {form: folds, owner: "Secret", stored: toyHash("secret", 1), keeps: []string{"SECRET", "secret"}},
		"encoded":                      {form: encodes, owner: "é", stored: toyHash("\xe9", 1), replaces: []string{"é"}},
		"not encoded":                  {form: encodes, owner: "é", stored: toyHash("é", 1), replaces: []string{"é"}},

		"translated and trimmed":  {form: trimmed(bcrypt("secret")), owner: "secret", stored: any, replaces: []string{"secret"}, keeps: []string{"secret "}},
		"translated bcrypt, more": {form: trimmed(long), owner: owner, stored: any, keeps: []string{head + "-typo"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := wrapPolicy(t)
			if c.form != nil {
				p.Formats = formats(t, c.form)
			}
			all := []string{c.stored}
			if c.stored != any { // package legacy wraps such
				all = append(all, wrappedOf(t, p, c.stored))
			}

			for _, stored := range all {
				for _, typed := range append(c.replaces, c.keeps...) {
					now := signInAndSave(t, p, typed, stored)
					if replaced := now != stored; replaced != slices.Contains(c.replaces, typed) {
						t.Errorf("after %q %s is replaced: %v", typed, stored, replaced)
					}
					if _, err := Verify(p, []byte(c.owner), now); err != nil {
						t.Errorf("the owner's %q, after %q has signed in: %v", c.owner, typed, err)
					}
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
