// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fount/password"
	"fount/password/legacy"
)

// The password of each is "correct horse". Django 5.2 made those that name a hasher of its, with 1,000 iterations, 4
// rounds, 64 KiB and N = 16; Python's bcrypt 5.0 the fourth, PHP 8.2's password_hash the fifth and the last, passlib 1.7.4 phpass's.
const imported = `# address, hash
#!Ada@example.org,$2b$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2
pbkdf2@example.org,pbkdf2_sha256$1000$seasaltseasaltsea12345$G45U2yzmyJV37MIHdf2RZ5+3SBOxwYux2pMUWiQQIoA=
bcrypt@example.org,bcrypt$$2b$04$sCvz4f2bdllPkzhFdcrM9u7QNLsgpYo1pZS8vtA5F.GQsStSxi9tC
argon2@example.org,argon2$argon2id$v=19$m=64,t=1,p=1$c2Vhc2FsdHNlYXNhbHQ$KFjpyjz2bIvzLO3nzmUHYyVdmFJAQzchDPVpwlCc0G0
python@example.org,$2b$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2
PHP@example.org,$2y$04$KOU0DlejjBMNhSrlZkIetud8/PdLIpz9887r12TCPGRnFqiQ41ipC
sha1@example.org,pbkdf2_sha1$1000$vpDeeLEYCeYVJ6LlrTPHl5$1Aci7KINlvsQWDz3pk9UtTO3AQk=
bcrypt_sha256@example.org,bcrypt_sha256$$2b$04$/hDfEuN8biCBjsaZe8dj.O2/6VVlDKCMsAsB1NSX7JXLfdcr9wJZa
scrypt@example.org,scrypt$16$iNertgHtjG7ZrvDNophM9I$8$5$6CdZbPBRDSVbpMDeZ3nLfvAZ9dC2EEfzT1Mhfv270JBRf14zzU3KMcU0jlf9jcMYqL7m/0KnNK8OgESin4XAUQ==
md5@example.org,md5$lJXUjzKfOGKnnpxQMhVRWg$d8e1035dd58b161819a9fc169edc23aa
phpass@example.org,$P$5IqTdZES05TSk8N2ZDN8c/WO/X70Sb0
php8@example.org,$argon2id$v=19$m=64,t=1,p=1$QW5YUU9oQUp0TWlYSnlvWQ$s6lF0kFAMJTQSuHf3ugvLUif8lOC2yJgclFQnRfPHM0
`

const imports = 12 // of which one begins with #

// Who was imported signs in with the former password, and then has a hash of the policy. Who has no password at the other maker has
// none here.
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
	var out, errs bytes.Buffer
	if run(t.Context(), []string{"--database", database, "import", file}, &out, &errs) != 0 ||
		out.String() != fmt.Sprintf("imported %d users, skipped 1 lines of comment\n", imports+len(without)) {
		t.Fatalf("import: %s%s", out.String(), errs.String())
	}
	s := start(t, database)
	for email := range without {
		for _, given := range []string{"", "!", right} {
			s.visitor().post(wrong, "/login", "email", email, "password", given)
		}
	}
	users, _, err := readUsers(strings.NewReader(imported))
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range users {
		v := s.visitor()
		v.post(wrong, "/login", "email", u.Email, "password", better)
		v.post(done, "/login", "email", u.Email, "password", right)
		for password.NeedsRehash(cheap, u.hash) { // after the answer; a busy pool leaves it to the next sign-in
			v.post(done, "/login", "email", u.Email, "password", right)
			if u, err = s.store.byEmail(t.Context(), u.Email); err != nil {
				t.Fatal(err)
			}
		}
		v.post(done, "/login", "email", u.Email, "password", right)
		v.is(u.Email)
	}
}

// Quotes, Windows' ends of lines and Excel's mark at the beginning change nothing.
func TestImportForms(t *testing.T) {
	want, _, err := readUsers(strings.NewReader(imported))
	if err != nil || len(want) != imports {
		t.Fatal(len(want), err)
	}
	quoted := regexp.MustCompile(`(?m)^([^,]*),(.*)$`).ReplaceAllString(imported, `"$1","$2"`)
	for name, text := range map[string]string{
		"quotes": quoted, "CRLF": strings.ReplaceAll(imported, "\n", "\r\n"), "no end": strings.TrimSuffix(imported, "\n"),
		"mark": "\ufeff" + imported, "mark before a line": "\ufeff" + strings.TrimPrefix(imported, "# address, hash\n"),
	} {
		if got, _, err := readUsers(strings.NewReader(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, want)
		}
	}
}

// Whatever a file holds, what is taken of it are addresses that a sign-in finds, and hashes that it can verify.
func FuzzReadUsers(f *testing.F) {
	f.Add(imported)
	f.Add("a@b,\nc@d,!iHbF0\n")
	f.Add("\ufeff\"a@b\",$2b$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		users, _, err := readUsers(strings.NewReader(text))
		if err != nil && users != nil {
			t.Errorf("%d users and %v", len(users), err)
		}
		for _, u := range users {
			if email, err := parseEmail(u.Email); err != nil || email != u.Email {
				t.Errorf("%q is stored as %q, %v", u.Email, email, err)
			}
			if u.hash == "" {
				continue
			}
			info, err := password.Policy{Formats: legacy.All()}.Inspect(u.hash)
			if err != nil || info.OverLimits {
				t.Errorf("%q: %+v, %v", u.hash, info, err)
			}
		}
	})
}

// A file with a hash that can't be read, or costs too much, imports nobody, and the line is named.
func TestImportRefuses(t *testing.T) {
	for hash, want := range map[string]error{
		"bcrypt_sha256$$2b$31$5mChNnVo5bBnUfwzS2caS.l9k/3UTqB34IwTkFq7PdcMqjRjV1gwW": password.ErrCost,
		"pbkdf2_sha1$1000$seasalt$sum":       password.ErrMalformed,
		"pbkdf2_sha256$1000$seasalt$!":       password.ErrMalformed,
		"scrypt$16$seasalt$8$5$VBIK7Th4Lc":   password.ErrMalformed,
		"$P$ZB55bVnRXKjEGXXF7mRm2z0rjQSAGn1": password.ErrMalformed,
		"crypt$secret":                       password.ErrMalformed,
		"secret":                             password.ErrMalformed,
		"$2b$31$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2": password.ErrCost,
	} {
		_, _, err := readUsers(strings.NewReader(imported + "x@example.org," + hash + "\n"))
		if !errors.Is(err, want) || !strings.Contains(err.Error(), "line 14: ") {
			t.Errorf("%s: %v; want the line and %v", hash, err, want)
		}
	}
	for address, want := range map[string]error{"": errEmail, "ada": errEmail, "a\x00da@example.org": errEmail,
		"\xe9@example.org": errEmail, "\"ada@example.org\nBcc: x\"": errEmail, strings.Repeat("x", 1<<20) + "@example.org": errEmail} {
		_, _, err := readUsers(strings.NewReader(imported + address + ",$2y$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2\n"))
		if !errors.Is(err, want) || !strings.Contains(err.Error(), "line 14: ") {
			t.Errorf("%.40q: %v; want the line and %v", address, err, want)
		}
	}
	if _, _, err := readUsers(strings.NewReader(imported + "ada@example.org $2y$04$\n")); err == nil || !strings.Contains(err.Error(), "line 14: ") {
		t.Errorf("without a comma: %v; want the line", err)
	}
	s := start(t)
	users, _, err := readUsers(strings.NewReader(imported + "php@example.org,$2y$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2\n"))
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

// The service's pool is told: a wrong password costs a hash of each stored policy, whoever's it is.
func TestPoolKnowsStored(t *testing.T) {
	users, _, err := readUsers(strings.NewReader(imported))
	if err != nil {
		t.Fatal(err)
	}
	s := start(t)
	policy := cheap
	policy.Formats = legacy.All()
	for i, hash := range []string{ // none of which may keep the service from starting
		"$2b$31$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2",
		"$6$rounds=2000000$saltsalt$" + strings.Repeat(".", 86), // 0.6 s, but 7.6 s for 1 KiB
	} {
		users = append(users, user{Email: fmt.Sprintf("planted%d@example.org", i), hash: hash})
	}
	if err := s.store.add(t.Context(), users...); err != nil {
		t.Fatal(err)
	}
	pool, err := openPool(t.Context(), policy, s.store)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())
	if _, err := pool.Verify(t.Context(), password.Login{}, []byte(better), ""); !errors.Is(err, password.ErrMismatch) {
		t.Fatal(err)
	}
	if n := len(pool.Stats().Hashes); n != 7 { // a work for each, and the policy's
		t.Errorf("an unknown user costs %d kinds of hashes; want 7", n)
	}
}
