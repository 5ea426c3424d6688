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

	"fount/examples/login/internal/store"
	"fount/password"
	"fount/password/legacy"
)

// The password of each is "correct horse". Django 5.2 made those that name a hasher of its, with 1,000 iterations, 4
// rounds, 64 KiB and N = 16; Python's bcrypt 5.0 the fourth, PHP 8.2's password_hash the fifth and the last, passlib 1.7.4 phpass's.
const imported = `# address, hash
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

// What these are.
const (
	importedUsers = 11
	nextLine      = "line 13: "
	works         = 7 // that differ
)

// Who was imported signs in with the former password, and then has a hash of the policy.
func TestImport(t *testing.T) {
	users, err := readUsers(strings.NewReader(imported))
	if err != nil || len(users) != importedUsers {
		t.Fatal(len(users), err)
	}
	s := start(t)
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

// Who has no password at the other maker is imported without one, and is counted.
func TestImportWithoutPassword(t *testing.T) {
	dir := t.TempDir()
	file, database := filepath.Join(dir, "users.csv"), filepath.Join(dir, "login.db")
	text := imported + "unusable@example.org,!Q7zSWFKxQ1Ng1tqvWYZmnzlC9tZfK5Jm0dRDpZzX\nlocked@example.org,*\nnone@example.org,\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if run(t.Context(), []string{"--database", database, "import", file}, &out, &errs) != 0 || !strings.Contains(out.String(), "\n3 of them have no password") {
		t.Fatalf("import: %s%s", out.String(), errs.String())
	}
	s := start(t, database)
	for _, email := range []string{"unusable@example.org", "locked@example.org", "none@example.org"} {
		if u, err := s.store.ByEmail(t.Context(), email); err != nil || u.ID == "" || u.Hash != "" {
			t.Errorf("%s: %+v, %v", email, u, err)
		}
		for _, given := range []string{"", "!", right} {
			s.visitor().want(wrong, "POST", "/login", "email", email, "password", given)
		}
	}
}

// Whatever a file holds, what is taken of it are addresses that a sign-in finds, and hashes that it can verify.
func FuzzReadUsers(f *testing.F) {
	f.Add(imported)
	f.Add("a@b,\nc@d,!iHbF0\n")
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
			if u.Hash == "" {
				continue
			}
			info, err := password.Policy{Formats: legacy.All()}.Inspect(u.Hash)
			if err != nil || info.OverLimits {
				t.Errorf("%q: %+v, %v", u.Hash, info, err)
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
		_, err := readUsers(strings.NewReader(imported + "x@example.org," + hash + "\n"))
		if !errors.Is(err, want) || !strings.Contains(err.Error(), nextLine) {
			t.Errorf("%s: %v; want the line and %v", hash, err, want)
		}
	}
	for address, want := range map[string]error{"": store.ErrEmail, "ada": store.ErrEmail, "a\x00da@example.org": store.ErrEmail,
		"\xe9@example.org": store.ErrEmail, "\"ada@example.org\nBcc: x\"": store.ErrEmail, strings.Repeat("x", 1<<20) + "@example.org": store.ErrEmail} {
		_, err := readUsers(strings.NewReader(imported + address + ",$2y$04$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2\n"))
		if !errors.Is(err, want) || !strings.Contains(err.Error(), nextLine) {
			t.Errorf("%.40q: %v; want the line and %v", address, err, want)
		}
	}
	if _, err := readUsers(strings.NewReader(imported + "ada@example.org $2y$04$\n")); err == nil || !strings.Contains(err.Error(), nextLine) {
		t.Errorf("without a comma: %v; want the line", err)
	}
	s := start(t)
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

// The pool is told once of each work that stored hashes take, whoever made them, of the most frequent first; and of none that it would refuse.
func TestSamples(t *testing.T) {
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
		for _, hash := range []string{"secret", "", "$2b$31$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2"} {
			if err := f(hash); err != nil {
				return err
			}
		}
		return nil
	}
	policy := cheap
	policy.Formats = legacy.All()
	samples, err := samplesOf(hashes, policy)
	if err != nil || len(samples) != works || !strings.HasPrefix(samples[0], "bcrypt$$2b$04$") {
		t.Errorf("%q, %v; want first bcrypt, and one each of PBKDF2-SHA256 and -SHA1, scrypt, md5, phpass, argon2id", samples, err)
	}
}

// each is a store of hashes.
func each(hashes []string) func(func(string) error) error {
	return func(f func(string) error) error {
		for _, hash := range hashes {
			if err := f(hash); err != nil {
				return err
			}
		}
		return nil
	}
}

// A wrapped hash takes other work than one of the same argon2id, and than another wrapped form.
func TestSamplesOfWrapped(t *testing.T) {
	policy := password.Policy{Algorithm: password.Argon2id, Memory: 64, Iterations: 1, Formats: legacy.All()}
	var stored []string
	for _, weak := range []string{"md5$$f5531bef9f3687d0ccf0f617f0e25573", "md5$$f5531bef9f3687d0ccf0f617f0e25574", "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/"} {
		wrapped, err := password.Wrap(policy, weak)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, wrapped)
	}
	plain, err := password.Hash(policy, []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	stored = append(stored, plain)
	for _, iterations := range []int{1000, 100_000} { // two works of one inner form
		weak, err := password.Hash(password.Policy{Algorithm: password.PBKDF2SHA256, Iterations: iterations}, []byte("secret"))
		if err != nil {
			t.Fatal(err)
		}
		wrapped, err := password.Wrap(policy, weak)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, wrapped)
	}
	samples, err := samplesOf(each(stored), policy)
	want := append([]string{stored[0]}, stored[2:]...)
	slices.Sort(want[1:]) // as frequent as each other
	if err != nil || !slices.Equal(samples, want) {
		t.Errorf("%q, %v; want %q", samples, err, want)
	}
}

// A PBKDF2 with a sum of two digests takes other work than one of as many iterations.
func TestSamplesOfLongSums(t *testing.T) {
	policy := cheap
	policy.Formats = legacy.All()
	const head = "$pbkdf2-sha256$i=1000$c2FsdHNhbHRzYWx0$"
	stored := []string{head + strings.Repeat("A", 43), head + strings.Repeat("A", 86), head + strings.Repeat("B", 85) + "A"}
	samples, err := samplesOf(each(stored), policy)
	if want := []string{stored[1], stored[0]}; err != nil || !slices.Equal(samples, want) {
		t.Errorf("%q, %v; want %q", samples, err, want)
	}
}

// Drupal's hash of an MD5 takes as long as one of the password, but for long passwords.
func TestSamplesOfTwoTimes(t *testing.T) {
	policy := cheap
	policy.Formats = legacy.All()
	stored := []string{"$S$5saltsalt" + strings.Repeat("a", 43), "U$S$5saltsalt" + strings.Repeat("a", 43)}
	if samples, err := samplesOf(each(stored), policy); err != nil || !slices.Equal(samples, stored) {
		t.Errorf("%q, %v; want both", samples, err)
	}
}

// A store of as many costs as users makes no refusal long: the most frequent are told of.
func TestSamplesAreFew(t *testing.T) {
	const costs = 600
	of := func(i int) string {
		return fmt.Sprintf("pbkdf2_sha256$%d$seasaltseasaltsea12345$G45U2yzmyJV37MIHdf2RZ5+3SBOxwYux2pMUWiQQIoA=", 1000+i)
	}
	hashes := func(f func(string) error) error {
		for i := range costs {
			for range 1 + max(0, i-costs+2*mostSamples) { // those stored last are the most
				if err := f(of(i)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	policy := cheap
	policy.Formats = legacy.All()
	samples, err := samplesOf(hashes, policy)
	if err != nil || len(samples) != mostSamples {
		t.Fatalf("%d samples, %v; want %d", len(samples), err, mostSamples)
	}
	for i, sample := range samples {
		if sample != of(costs-1-i) {
			t.Errorf("sample %d is %s, want %s", i, sample, of(costs-1-i))
		}
	}
}

// Nor do they take long together: a pool takes them.
func TestSamplesAreCheap(t *testing.T) {
	policy := cheap
	policy.Formats = legacy.All()
	hashes := func(f func(string) error) error {
		for i := range mostSamples { // 0.5 s each
			if err := f(fmt.Sprintf("pbkdf2_sha256$%d$seasaltseasaltsea12345$G45U2yzmyJV37MIHdf2RZ5+3SBOxwYux2pMUWiQQIoA=", 1_000_000+i)); err != nil {
				return err
			}
		}
		return f("md5$seasalt$f5531bef9f3687d0ccf0f617f0e25573")
	}
	samples, err := samplesOf(hashes, policy)
	if err != nil || len(samples) != 8 || !slices.Contains(samples, "md5$seasalt$f5531bef9f3687d0ccf0f617f0e25573") {
		t.Fatalf("%q, %v; want 7 of 0.5 s and the MD5", samples, err)
	}
	pool, err := password.NewPool(password.Options{Policy: policy, Stored: samples})
	if err != nil {
		t.Fatal(err)
	}
	if err := pool.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// The service's pool is told: a wrong password costs a hash of each stored policy, whoever's it is.
func TestPoolKnowsStored(t *testing.T) {
	users, err := readUsers(strings.NewReader(imported))
	if err != nil {
		t.Fatal(err)
	}
	s := start(t)
	for i, hash := range []string{ // none of which may keep the service from starting
		"$2b$31$XUDw8vRmJA9o2rI8tjEEk.wqIvf.bGzKw0CtP9YxvJYgoy.Hz0SZ2",
		"$6$rounds=2000000$saltsalt$" + strings.Repeat(".", 86), // 0.6 s, but 7.6 s for 1 KiB
	} {
		users = append(users, store.User{Email: fmt.Sprintf("planted%d@example.org", i), Hash: hash})
	}
	if err := s.store.Import(t.Context(), users); err != nil {
		t.Fatal(err)
	}
	pool, err := openPool(t.Context(), cheap, s.store)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())
	if _, err := pool.Verify(t.Context(), password.Login{}, []byte(better), ""); !errors.Is(err, password.ErrMismatch) {
		t.Fatal(err)
	}
	if n := pool.Stats().Total().Filler; n != works-1 { // one is the policy's
		t.Errorf("an unknown user costs %d hashes beside the policy's; want %d", n, works-1)
	}
}
