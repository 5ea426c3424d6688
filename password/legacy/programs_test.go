// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The makers of testdata/formats, run: each hashes the passwords anew and judges its hashes and
// this module's. What is not installed is skipped, and says so; FOUNT_REQUIRE makes it an error.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fount/internal/test/require"
	"fount/password"
)

// A program answers the questions of testdata/formats/README.md.
type program struct {
	file    string
	word    string // of FOUNT_REQUIRE
	command []string
	ours    []verifiable
}

// A verifiable is a hash of this module that the maker verifies, after its own prefix.
type verifiable struct {
	prefix string
	policy password.Policy
}

func programs() []program {
	bcrypt := password.Policy{Algorithm: password.Bcrypt, Cost: 4}
	pbkdf2 := func(a password.Algorithm) password.Policy { return password.Policy{Algorithm: a, Iterations: 1000} }
	argon2 := func(a password.Algorithm) password.Policy {
		return password.Policy{Algorithm: a, Memory: 64, Iterations: 2, Parallelism: 2}
	}
	argon2s := []verifiable{{policy: argon2(password.Argon2id)}, {policy: argon2(password.Argon2i)}, {policy: argon2(password.Argon2d)}}

	python := cmp.Or(os.Getenv("FOUNT_PYTHON"), "python3")
	return []program{
		{
			file:    "django",
			word:    "formats",
			command: []string{python, "make_django.py"},
			ours:    []verifiable{{"bcrypt$", bcrypt}, {"argon2", argon2(password.Argon2id)}},
		},
		{
			file:    "werkzeug",
			word:    "formats",
			command: []string{python, "make_werkzeug.py"},
		},
		{
			file:    "passlib",
			word:    "formats",
			command: []string{python, "make_passlib.py"},
			ours: append([]verifiable{
				{policy: bcrypt},
				{policy: pbkdf2(password.PBKDF2SHA256)},
				{policy: pbkdf2(password.PBKDF2SHA512)},
				{policy: password.Policy{Algorithm: password.Scrypt, Cost: 8}},
			}, argon2s...),
		},
		{
			file:    "bcrypt",
			word:    "formats",
			command: []string{python, "make_bcrypt.py"},
			ours:    []verifiable{{policy: bcrypt}},
		},
		{
			file:    "argon2-cffi",
			word:    "formats",
			command: []string{python, "make_argon2_cffi.py"},
			ours:    argon2s,
		},
		{
			file:    "htpasswd",
			word:    "formats",
			command: []string{python, "make_htpasswd.py"},
			ours:    []verifiable{{policy: bcrypt}},
		},
		{
			file:    "crypt",
			word:    "formats",
			command: []string{"perl", "make_crypt.pl"},
			ours:    []verifiable{{policy: bcrypt}},
		},
		{
			file:    "php",
			word:    "formats",
			command: []string{"php", "make_php.php"},
			ours:    []verifiable{{policy: bcrypt}, {policy: argon2(password.Argon2id)}, {policy: argon2(password.Argon2i)}},
		},
		{
			file:    "node-argon2",
			word:    "npm",
			command: []string{"node", "make_argon2.js"},
			ours:    argon2s,
		},
		{
			file:    "bcryptjs",
			word:    "npm",
			command: []string{"node", "make_bcryptjs.js"},
			ours:    []verifiable{{policy: bcrypt}},
		},
		{
			file:    "spring",
			word:    "maven",
			command: []string{"java", "-cp", os.Getenv("FOUNT_JARS") + "/*", "MakeSpring.java"},
			ours:    []verifiable{{"{bcrypt}", bcrypt}, {"{argon2}", argon2(password.Argon2id)}},
		},
	}
}

// ask runs the maker once, and returns its version and what it answers.
func (m program) ask(questions string) (version string, answers []string, err error) {
	c := exec.Command(m.command[0], m.command[1:]...)
	c.Dir = filepath.FromSlash(formats)
	c.Env = append(os.Environ(), "NODE_PATH="+os.Getenv("FOUNT_NODE_MODULES"), "PYTHONDONTWRITEBYTECODE=1")
	c.Stdin = strings.NewReader(questions)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w: %s", m.file, err, stderr.String())
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	return lines[0], lines[1:], nil
}

// made has the maker hash the passwords, and adds hashes of ours.
func (m program) made(t *testing.T, all [][]byte) file {
	t.Helper()
	var questions strings.Builder
	for i, given := range all {
		fmt.Fprintf(&questions, "make | %x\n", given)
		if i == 0 {
			fmt.Fprintf(&questions, "default | %x\n", given)
		}
	}

	version, answers, err := m.ask(questions.String() + "published\n")
	if err != nil {
		t.Fatal(err)
	}
	f, err := parseFile("# " + version + "\n" + strings.Join(answers, " | \n") + " | \n")
	if err != nil {
		t.Fatalf("%s: %v", m.file, err)
	}

	for _, d := range m.ours {
		for _, given := range all {
			encoded, err := password.Hash(d.policy, given)
			if err == nil { // else it is empty, or a bcrypt's is too long or has a NUL
				f.lines = append(f.lines, stored{form: "fount " + d.policy.Algorithm.String(), password: given, encoded: d.prefix + encoded})
			}
		}
	}
	slices.SortStableFunc(f.lines, func(a, b stored) int { return cmp.Compare(kind(a.form), kind(b.form)) })
	return f
}

// judged has the maker judge what is in the file.
func (m program) judged(t *testing.T, f file) {
	t.Helper()
	var questions strings.Builder
	counts := make([]int, len(f.lines))
	for i, s := range f.lines {
		if _, refused := s.refused(); refused {
			continue
		}

		all := candidates(s.password)
		switch {
		case errors.Is(namedPolicy().Check(s.encoded), password.ErrMalformed): // nothing to compare
			all = all[:1]
		case kind(s.form) > 0 && !s.ours(): // at their maker's cost: one takes up to a second
			all = all[:2]
		}
		counts[i] = len(all)
		for _, candidate := range all {
			fmt.Fprintf(&questions, "check | %s | %x | %s\n", s.form, candidate, s.encoded)
		}
	}

	_, answers, err := m.ask(questions.String())
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range counts {
		if len(answers) < n {
			t.Fatalf("%s: too few answers", m.file)
		}
		for _, answer := range answers[:n] {
			verdict, _, _ := strings.Cut(answer, " ")
			if len(verdict) != 1 || !strings.Contains("yn!", verdict) {
				t.Fatalf("%s: the verdict is %q; want y, n, or ! and why", m.file, answer)
			}
			f.lines[i].verdicts += verdict
		}
		answers = answers[n:]
	}
	if len(answers) > 0 {
		t.Fatalf("%s: %d answers too many", m.file, len(answers))
	}
}

// kind sorts forms: made at a low cost, at the maker's default, in the maker's tests, and ours.
func kind(form string) int {
	switch {
	case strings.HasPrefix(form, "fount "):
		return 3
	case strings.HasSuffix(form, " tests"):
		return 2
	case strings.HasSuffix(form, " default"):
		return 1
	}
	return 0
}

// Each maker answers as it did when its file was written, and this module verifies what it made
// now. Another version than the file's may answer otherwise, unless FOUNT_REQUIRE asks for it.
func TestMakers(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" && !require.Names("formats") {
		t.Skip("set FOUNT_LONG=1 or FOUNT_REQUIRE=formats: other programs hash anew, in 12 s of a core")
	}
	all := passwords(t)
	for _, m := range programs() {
		t.Run(m.file, func(t *testing.T) {
			t.Parallel()
			if _, _, err := m.ask(""); err != nil {
				require.Skip(t, m.word, "not all is installed: "+err.Error())
			}

			f := m.made(t, all)
			m.judged(t, f)
			for _, r := range f.rows() {
				r.check(t, f.maker)
			}

			path := formats + m.file + ".txt"
			if *update {
				if err := os.WriteFile(path, []byte(f.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}

			before := readFile(t, path)
			if f.maker != before.maker && !require.Names(m.word) {
				t.Skipf("%s is of %s, and this is %s (FOUNT_REQUIRE=%s compares them)", path, before.maker, f.maker, m.word)
			}
			if len(before.lines) != len(f.lines) {
				t.Fatalf("%s: %d lines; %s has %d", f.maker, len(f.lines), path, len(before.lines))
			}
			for i, was := range before.lines {
				if is := f.lines[i]; !is.as(was) {
					t.Errorf("%s:\n%s and was, by %s,\n%s", f.maker, is, before.maker, was)
				}
			}
		})
	}
}

// as reports whether a maker says what it said, and this module reads the hash if it read that.
// There may be more verdicts: of a form that is read since.
func (s stored) as(was stored) bool {
	_, refused := s.refused()
	_, before := was.refused()
	if refused || before {
		return s.String() == was.String()
	}
	return s.form == was.form && bytes.Equal(s.password, was.password) && strings.HasPrefix(s.verdicts, was.verdicts) &&
		(namedPolicy().Check(s.encoded) == nil) == (namedPolicy().Check(was.encoded) == nil)
}
