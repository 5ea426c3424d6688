// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fount/password"
	"fount/password/legacy"
)

// The password of each is "correct horse". Django 5.2, PHP 8.2 and passlib 1.7.4 made the hashes.
const imported = `# address, "hash
#!Ada@example.org,$2b$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2
pbkdf2@example.org,pbkdf2_sha256$1000$seasaltseasaltsea12345$G45U2yzmyJV37MIHdf2RZ5+3SBOxwYux2pMUWiQQIoA=
bcrypt@example.org,bcrypt$$2b$04$sCvz4f2bdllPkzhFdcrM9u7QNLsgpYo1pZS8vtA5F.GQsStSxi9tC
argon2@example.org,argon2$argon2id$v=19$m=64,t=1,p=1$c2Vhc2FsdHNlYXNhbHQ$KFjpyjz2bIvzLO3nzmUHYyVdmFJAQzchDPVpwlCc0G0
PHP@example.org,$2y$04$KOU0DlejjBMNhSrlZkIetud8/PdLIpz9887r12TCPGRnFqiQ41ipC
phpass@example.org,$P$5IqTdZES05TSk8N2ZDN8c/WO/X70Sb0
`

// Who was imported signs in with the former password, and then has a hash of the policy. Who had no
// password has none here. The time of a refusal tells none of them from others.
func TestImport(t *testing.T) {
	dir := t.TempDir()
	file, database := filepath.Join(dir, "users.csv"), filepath.Join(dir, "login.db")
	without := map[string]string{"unusable@example.org": "!Q7zSWFKxQ1Ng1tqvWYZmnzlC9tZfK5Jm0dRDpZzX", "locked@example.org": "*", "none@example.org": ""}
	text := imported
	for email, hash := range without {
		text += email + "," + hash + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"--database", database, "import", file}); err != nil {
		t.Fatal(err)
	}
	s := start(t, database)
	policy := cheap
	policy.Formats = legacy.All()
	pool, err := openPool(t.Context(), policy, s.store)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())
	_, _ = pool.Verify(t.Context(), password.Login{}, []byte(better), "")
	if n := len(pool.Stats().Hashes); n != 4 { // one of each kind that is stored
		t.Errorf("an unknown user costs %d kinds of hashes; want 4", n)
	}
	for email := range without {
		for _, given := range []string{"", "!", right} {
			s.visitor().post(wrong, "/login", "email", email, "password", given)
		}
	}
	users, skipped, err := readUsers("\ufeff" + imported)
	if err != nil || len(users) != 6 || skipped != 1 {
		t.Fatal(len(users), skipped, err)
	}
	for _, u := range users {
		v := s.visitor()
		v.post(wrong, "/login", "email", u.Email, "password", better)
		v.post(done, "/login", "email", u.Email, "password", right)
		for password.NeedsRehash(cheap, u.hash) { // which a busy pool leaves to the next sign-in
			v.post(done, "/login", "email", u.Email, "password", right)
			if u, err = s.store.byEmail(t.Context(), u.Email); err != nil {
				t.Fatal(err)
			}
		}
		v.post(done, "/login", "email", u.Email, "password", right)
		v.is(u.Email)
	}
}

// A file with an address or a hash that can't be used imports nobody, and the error names the line.
func TestImportRefuses(t *testing.T) {
	const fine = "$2y$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2"
	for line, want := range map[string]error{
		"x@example.org,pbkdf2_sha1$1000$seasalt$sum":        password.ErrMalformed,
		"x@example.org,$2b$31$" + fine[7:]:                  password.ErrCost,
		"ada," + fine:                                       errEmail,
		"\xe9@example.org," + fine:                          errEmail,
		"\"ada@example.org\nBcc: x\"," + fine:               errLine,
		strings.Repeat("x", 1<<20) + "@example.org," + fine: errEmail,
	} {
		_, _, err := readUsers(imported + line + "\n")
		if !errors.Is(err, want) || !strings.Contains(err.Error(), "line 8: ") {
			t.Errorf("%.80q: %v; want the line and %v", line, err, want)
		}
	}
	s := start(t)
	users, _, err := readUsers(imported + "php@example.org," + fine + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.add(t.Context(), users...); !errors.Is(err, errTaken) {
		t.Errorf("one address twice: %v", err)
	}
	if u, err := s.store.byEmail(t.Context(), users[0].Email); err != nil || u.id != "" {
		t.Errorf("half of a file was imported: %v, %v", u, err)
	}
}
