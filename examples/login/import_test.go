// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fount/examples/login/internal/hashing"
	"fount/examples/login/internal/store"
	"fount/password"
	"fount/password/legacy"
)

// The password of each is "correct horse". Django 5.2.0 made the first three with its hashers' encode, with 1,000 iterations, 4
// rounds and 64 KiB; Python's bcrypt 5.0 the fourth. The fifth is the fourth with the prefix that PHP's password_hash writes: PHP
// did not make it. The sixth is Django's again, and the last is hashlib's MD5 as Django writes it.
const imported = `# address, hash
pbkdf2@example.org,pbkdf2_sha256$1000$seasaltseasaltsea12345$G45U2yzmyJV37MIHdf2RZ5+3SBOxwYux2pMUWiQQIoA=
bcrypt@example.org,bcrypt$$2b$04$sCvz4f2bdllPkzhFdcrM9u7QNLsgpYo1pZS8vtA5F.GQsStSxi9tC
argon2@example.org,argon2$argon2id$v=19$m=64,t=1,p=1$c2Vhc2FsdHNlYXNhbHQ$KFjpyjz2bIvzLO3nzmUHYyVdmFJAQzchDPVpwlCc0G0
python@example.org,$2b$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2
PHP@example.org,$2y$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2
sha256@example.org,bcrypt_sha256$$2b$04$5mChNnVo5bBnUfwzS2caS.l9k/3UTqB34IwTkFq7PdcMqjRjV1gwW
md5@example.org,md5$seasaltseasalt$52887f2115be09d23078eb52b03b0cff
`

// Who was imported signs in with the former password, and then has a hash of the policy.
func TestImport(t *testing.T) {
	users, err := readUsers(strings.NewReader(imported))
	if err != nil || len(users) != 7 {
		t.Fatal(len(users), err)
	}
	s := start(t, filepath.Join(t.TempDir(), "login.db"), hashing.Pool)
	if err := s.store.Import(t.Context(), users); err != nil {
		t.Fatal(err)
	}
	for _, u := range users {
		v := s.visitor()
		v.want(wrong, "POST", "/login", "email", u.Email, "password", better)
		v.want(200, "POST", "/login", "email", u.Email, "password", right)
		for password.NeedsRehash(cheap, u.Hash) { // after the answer; a busy pool leaves it to the next sign-in
			v.want(200, "POST", "/login", "email", u.Email, "password", right)
			if u, err = s.store.ByEmail(t.Context(), u.Email); err != nil {
				t.Fatal(err)
			}
		}
		v.want(200, "GET", "/me")
		v.want(200, "POST", "/login", "email", u.Email, "password", right)
	}
}

// Quotes, Windows' ends of lines and Excel's mark at the beginning change nothing.
func TestImportForms(t *testing.T) {
	want, err := readUsers(strings.NewReader(imported))
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile(`(?m)^([^#,]*),(.*)$`).ReplaceAllString(imported, `"$1","$2"`)
	for name, text := range map[string]string{
		"quotes": quoted, "CRLF": strings.ReplaceAll(imported, "\n", "\r\n"), "no end": strings.TrimSuffix(imported, "\n"),
		"mark": "\ufeff" + imported, "mark before a line": "\ufeff" + strings.TrimPrefix(imported, "# address, hash\n"),
	} {
		if got, err := readUsers(strings.NewReader(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, want)
		}
	}
}

// Whatever a file holds, what is taken of it are addresses that a sign-in finds, and hashes that it can verify.
func FuzzReadUsers(f *testing.F) {
	f.Add(imported)
	f.Add("\ufeff\"a@b\",$2b$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		users, err := readUsers(strings.NewReader(text))
		if err != nil && users != nil {
			t.Errorf("%d users and %v", len(users), err)
		}
		for _, u := range users {
			if email, err := store.ParseEmail(u.Email); err != nil || email != u.Email {
				t.Errorf("%q is stored as %q, %v", u.Email, email, err)
			}
			if info, err := (password.Policy{Formats: legacy.All()}).Inspect(u.Hash); err != nil || info.OverLimits {
				t.Errorf("%q: %+v, %v", u.Hash, info, err)
			}
		}
	})
}

// A file with a hash that can't be read, or costs too much, imports nobody, and the line is named.
func TestImportRefuses(t *testing.T) {
	for hash, want := range map[string]error{
		"pbkdf2_sha1$1000$seasalt$sum":                                 password.ErrMalformed,
		"pbkdf2_sha256$1000$seasalt$!":                                 password.ErrMalformed,
		"scrypt$16$seasalt$8$5$VBIK7Th4Lc":                             password.ErrMalformed,
		"$P$B55bVnRXKjEGXXF7mRm2z0rjQSAGn1":                            password.ErrMalformed, // a character short
		"$P$S5bVnRXKjEGXXF7mRm2z0rjQSAGn1xx":                           password.ErrCost,      // 2^30 rounds
		"secret":                                                       password.ErrMalformed,
		"$2b$31$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2": password.ErrCost,
	} {
		_, err := readUsers(strings.NewReader(imported + "x@example.org," + hash + "\n"))
		if !errors.Is(err, want) || !strings.Contains(err.Error(), "line 9: ") {
			t.Errorf("%s: %v; want line 9 and %v", hash, err, want)
		}
	}
	for address, want := range map[string]error{"": store.ErrEmail, "ada": store.ErrEmail, "a\x00da@example.org": store.ErrEmail,
		"\xe9@example.org": store.ErrEmail, "\"ada@example.org\nBcc: x\"": store.ErrEmail, strings.Repeat("x", 1<<20) + "@example.org": store.ErrEmail} {
		_, err := readUsers(strings.NewReader(imported + address + ",$2y$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2\n"))
		if !errors.Is(err, want) || !strings.Contains(err.Error(), "line 9: ") {
			t.Errorf("%.40q: %v; want line 9 and %v", address, err, want)
		}
	}
	if _, err := readUsers(strings.NewReader(imported + "ada@example.org $2y$04$\n")); err == nil || !strings.Contains(err.Error(), "line 9: ") {
		t.Errorf("without a comma: %v; want line 9", err)
	}
	s := start(t, filepath.Join(t.TempDir(), "login.db"), hashing.Pool)
	users, err := readUsers(strings.NewReader(imported + "php@example.org,$2y$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.Import(t.Context(), users); !errors.Is(err, store.ErrTaken) {
		t.Errorf("one address twice: %v", err)
	}
	if u, err := s.store.ByEmail(t.Context(), users[0].Email); err != nil || u.ID != "" {
		t.Errorf("half of a file was imported: %v, %v", u, err)
	}
}

// The pool is told of each policy in the store once, the most frequent first, and of none twice.
func TestStoredPolicies(t *testing.T) {
	users, err := readUsers(strings.NewReader(imported))
	if err != nil {
		t.Fatal(err)
	}
	hashes := func(f func(string) error) error {
		for _, u := range users {
			if err := f(u.Hash); err != nil {
				return err
			}
		}
		return nil
	}
	got, samples, err := waysOf(hashes, password.Policy{Algorithm: password.Argon2id, Memory: 64, Iterations: 1, Parallelism: 1})
	if err != nil || len(got) != 2 || got[0] != cheap || got[1].Algorithm != password.PBKDF2SHA256 || got[1].Iterations != 1000 {
		t.Errorf("%+v, %v; want bcrypt of cost 4, and PBKDF2", got, err)
	}
	if len(samples) != 1 || samples[0] != users[6].Hash {
		t.Errorf("%d samples; want Django's MD5", len(samples))
	}
	if got, _, err := waysOf(hashes, cheap); err != nil || len(got) != 2 {
		t.Errorf("%+v, %v; want argon2id and PBKDF2", got, err)
	}
	fresh, err := password.Hash(password.Policy{}, []byte(right))
	if err != nil {
		t.Fatal(err)
	}
	one := func(f func(string) error) error { return f(fresh) }
	if got, _, err := waysOf(one, password.Default()); err != nil || len(got) != 0 {
		t.Errorf("beside the default: %+v, %v; want none", got, err)
	}
}

// The service's pool is told: a wrong password costs a hash of each stored policy, whoever's it is.
func TestPoolKnowsStored(t *testing.T) {
	users, err := readUsers(strings.NewReader(imported))
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, filepath.Join(t.TempDir(), "login.db"), hashing.Pool)
	if err := s.store.Import(t.Context(), users); err != nil {
		t.Fatal(err)
	}
	hasher, err := openHasher(t.Context(), config{hash: hashing.Pool, policy: cheap}, s.store)
	if err != nil {
		t.Fatal(err)
	}
	defer hasher.Close(t.Context())
	if _, err := hasher.Verify(t.Context(), password.Login{}, []byte(better), ""); !errors.Is(err, password.ErrMismatch) {
		t.Fatal(err)
	}
	if n := hasher.(*password.Pool).Stats().Total().Filler; n == 0 {
		t.Error("an unknown user costs no hash of a stored policy")
	}
}
