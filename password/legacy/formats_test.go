// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The conformance suite: the files of testdata/formats, whose README.md says what is in them. This
// file reads and judges them; programs_test.go has the programs write them.

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fount/password"
)

var update = flag.Bool("update", false, "write anew, of testdata/formats, the files of the makers that are there")

const formats = "../../testdata/formats/"

// A stored is a line of a file: a hash, or why its maker refuses to make one.
type stored struct {
	form     string
	password []byte
	encoded  string
	verdicts string // the maker's on each of candidates(password), as far as it was asked: y, n, or ! for no answer
}

func (s stored) String() string {
	return fmt.Sprintf("%s | %x | %s | %s\n", s.form, s.password, s.encoded, s.verdicts)
}

// refused returns why the maker does not hash the password.
func (s stored) refused() (why string, ok bool) { return strings.CutPrefix(s.encoded, "! ") }

// ours reports whether it is a hash by this module, in the maker's dress.
func (s stored) ours() bool { return strings.HasPrefix(s.form, "fount ") }

// candidates returns the password and others: what could be taken for it.
func candidates(p []byte) [][]byte {
	all := [][]byte{p, append(bytes.Clone(p), 'x'), append(bytes.Clone(p), 0)}
	if len(p) > 0 {
		first := bytes.Clone(p)
		first[0] ^= 4
		all = append(all, p[:len(p)-1], first, nil)
	}
	return all
}

// A file is one of testdata/formats.
type file struct {
	maker string // and its version
	lines []stored
}

func splitLines(text string, fields int) (head string, all [][]string, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if comment, ok := strings.CutPrefix(line, "# "); ok {
			head = cmp.Or(head, comment)
			continue
		}
		field := strings.Split(line, " | ")
		if len(field) != fields {
			return "", nil, fmt.Errorf("%q has %d fields; want %d", line, len(field), fields)
		}
		all = append(all, field)
	}
	return head, all, nil
}

func parseFile(text string) (file, error) {
	maker, lines, err := splitLines(text, 4)
	f := file{maker: maker}
	for _, field := range lines {
		given, bad := hex.DecodeString(field[1])
		err = errors.Join(err, bad)
		if v := field[3]; strings.Trim(v, "yn!") != "" || len(v) > len(candidates(given)) {
			err = errors.Join(err, fmt.Errorf("%q: the verdicts are %q; want a letter of y, n and ! for each candidate", field[0], v))
		}
		f.lines = append(f.lines, stored{field[0], given, field[2], field[3]})
	}
	return f, err
}

func readFile(t *testing.T, path string) file {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parseFile(string(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

func (f file) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", f.maker)
	for _, s := range f.lines {
		b.WriteString(s.String())
	}
	return b.String()
}

// passwords are the lines of passwords.txt, which also names them.
func passwords(t testing.TB) (all [][]byte) {
	t.Helper()
	text, err := os.ReadFile(formats + "passwords.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, err := splitLines(string(text), 2)
	for _, field := range lines {
		given, bad := hex.DecodeString(field[1])
		err = errors.Join(err, bad)
		all = append(all, given)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A tally is what came out for a form of a maker.
type tally struct {
	form         string
	ours         bool // hashes by this module, which the maker judges
	hashes, read int
	asked, alike int  // verdicts on candidates
	wrong        int  // acceptances of what the other side refuses
	nul          bool // the verdicts differ on a password with NUL
	other        bool // or on any other that is not empty
}

// judge compares the maker's verdicts on a hash with Verify's: ours are right if they are the
// maker's, and the other way round for hashes of ours.
func (r *tally) judge(s stored) {
	if _, ok := s.refused(); ok {
		return
	}
	r.hashes++
	if namedPolicy().Check(s.encoded) != nil {
		return
	}
	r.read++

	for i, candidate := range candidates(s.password)[:len(s.verdicts)] {
		noAnswer := s.verdicts[i] == '!' && (i > 0 || r.ours)
		if noAnswer {
			continue
		}

		r.asked++
		_, err := password.Verify(namedPolicy(), candidate, s.encoded)
		isMatch := err == nil
		isMakersMatch := s.verdicts[i] != 'n' // its tests take a password for which the maker has no code any more
		if isMatch == isMakersMatch {
			r.alike++
			continue
		}

		isWrong := isMatch
		if r.ours {
			isWrong = isMakersMatch
		}
		if isWrong {
			r.wrong++
		}
		hasNUL := bytes.IndexByte(candidate, 0) >= 0
		r.nul = r.nul || hasNUL
		r.other = r.other || !hasNUL && len(candidate) > 0
	}
}

// rows judges a file, and returns a row for each of its forms.
func (f file) rows() []*tally {
	var all []*tally
	for _, s := range f.lines {
		i := slices.IndexFunc(all, func(r *tally) bool { return r.form == s.form })
		if i < 0 {
			i = len(all)
			all = append(all, &tally{form: s.form, ours: s.ours()})
		}
		all[i].judge(s)
	}
	return all
}

// Each hash of a maker is right for the passwords that the maker takes for its own, and for no
// other.
func TestFormats(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this computes 7,000 hashes, some at their makers' default cost")
	}
	paths, err := filepath.Glob(formats + "*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if filepath.Base(path) == "passwords.txt" {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			f := readFile(t, path)
			for _, r := range f.rows() {
				t.Logf("%s, %s: %d hashes, %d read, %d of %d verdicts alike, %d wrong acceptances",
					f.maker, r.form, r.hashes, r.read, r.alike, r.asked, r.wrong)
				r.check(t, f.maker)
			}
		})
	}
}

// check wants no wrong acceptance, and no verdict but the maker's on what is read, with two
// exceptions: no hash is an empty password's here, and what is written in C ends a password at its
// first NUL.
func (r *tally) check(t *testing.T, maker string) {
	t.Helper()
	endsAtNUL := r.ours && r.nul && !r.other
	if r.wrong != 0 && !endsAtNUL {
		t.Errorf("%s, %s: %d wrong acceptances", maker, r.form, r.wrong)
	}
	if r.other {
		t.Errorf("%s, %s: other verdicts than its maker's", maker, r.form)
	}
}
