// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Hashes that others made, from testdata/hashes.txt: see testdata/make.py for the program or the
// file of each.

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fount/password"
)

type vector struct {
	maker    string
	password []byte
	encoded  string
}

func readVectors(t testing.TB) (all []vector) {
	t.Helper()
	text, err := os.ReadFile("testdata/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		field := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		if len(field) != 3 {
			t.Fatalf("testdata/hashes.txt: %q", line)
		}
		password, err := hex.DecodeString(field[1])
		if err != nil {
			t.Fatalf("testdata/hashes.txt: %q: %v", line, err)
		}
		all = append(all, vector{field[0], password, field[2]})
	}
	return all
}

// anyPolicy reads all forms, and makes what no form's hash is dearer than.
func anyPolicy() password.Policy {
	return password.Policy{Algorithm: password.Bcrypt, Cost: 15, Formats: All()}
}

// named returns the form with the name.
func named(name string) password.Format {
	f, err := Form(name)
	if err != nil {
		panic(err)
	}
	return f
}

// whole returns each form as if it were named alone.
func whole() (all []password.Format) {
	for _, name := range Names() {
		all = append(all, named(name))
	}
	return all
}

// namedPolicy reads what anyPolicy reads, and what is read only where its form is named.
var namedPolicy = sync.OnceValue(func() password.Policy {
	formats, err := password.NewFormats(whole()...)
	if err != nil {
		panic(err)
	}
	p := anyPolicy()
	p.Formats = formats
	return p
})

// form returns the form that made what several programs write, or nil.
func (v vector) form(t testing.TB) password.Format {
	t.Helper()
	if !errors.Is(anyPolicy().Check(v.encoded), errShared) {
		return nil
	}
	for _, f := range whole() {
		if _, err := password.Verify(policyOf(t, f), v.password, v.encoded); err == nil {
			return f
		}
	}
	t.Errorf("%s: no form reads %s", v.maker, v.encoded)
	return nil
}

// policy is anyPolicy, or of what several programs write, that of the form that made it alone.
func (v vector) policy(t testing.TB) password.Policy {
	t.Helper()
	p := anyPolicy()
	if f := v.form(t); f != nil {
		p.Formats = policyOf(t, f).Formats
	}
	return p
}

// takes reports whether v takes longer than that on the machine of password.Limits.
func (v vector) takes(limit time.Duration) bool {
	p := anyPolicy()
	p.Limits.Time = limit
	info, _ := p.Inspect(v.encoded)
	return info.OverLimits
}

// isOneOfSeveral reports whether other passwords match too: a bcrypt's that begin with the same 72
// bytes, and a $2x$'s of other bytes before one above 127.
func (v vector) isOneOfSeveral() bool {
	info, _ := anyPolicy().Inspect(v.encoded)
	hasHighByte := slices.ContainsFunc(v.password, func(c byte) bool { return c > 127 })
	return info.Truncates && len(v.password) >= 72 || strings.HasPrefix(v.encoded, "$2x$") && hasHighByte
}

// Each is right for its password, and for no other, where its form is among Formats. What takes
// more than 5 ms is asked of others, and what takes more than 40 ms of its own, only with
// FOUNT_LONG=1.
func TestVectors(t *testing.T) {
	long := os.Getenv("FOUNT_LONG") != ""
	for _, v := range readVectors(t) {
		t.Run(v.maker, func(t *testing.T) {
			v.checkWithoutFormats(t)
			if long || !v.takes(40*time.Millisecond) {
				v.checkItsPassword(t)
			}
			if long || !v.takes(5*time.Millisecond) {
				v.checkOtherPasswords(t)
			}
		})
	}
}

// checkWithoutFormats checks that the hash is not read, nor given up for lost.
func (v vector) checkWithoutFormats(t *testing.T) {
	without := anyPolicy()
	without.Formats = nil
	err := without.Check(v.encoded)

	isNative := strings.HasPrefix(v.encoded, "$bcrypt-sha256$v=2")
	if !isNative && !errors.Is(err, password.ErrMalformed) {
		t.Errorf("%s is read without Formats: %v", v.encoded, err)
	}
	if err != nil && strings.Contains(err.Error(), "new password") {
		t.Errorf("%s is given up for lost: %v", v.encoded, err)
	}
}

func (v vector) checkItsPassword(t *testing.T) {
	r, err := password.Verify(v.policy(t), v.password, v.encoded)
	if err != nil {
		t.Fatalf("%s: %v", v.encoded, err)
	}

	hashable := len(v.password) <= 72 && bytes.IndexByte(v.password, 0) < 0 // by anyPolicy's bcrypt
	if want := hashable && !v.isOneOfSeveral(); r.NeedsRehash != want {
		t.Errorf("%s: %+v; want a rehash: %v", v.encoded, r, want)
	}
}

func (v vector) checkOtherPasswords(t *testing.T) {
	if len(v.password) >= 72 && v.isOneOfSeveral() {
		return // bcrypt looks at 72 bytes
	}

	last := len(v.password) - 1
	others := [][]byte{append(bytes.Clone(v.password), 'x'), v.password[:last]}
	if !strings.HasPrefix(v.encoded, "$2x$") { // whose bug loses what is before a byte above 127
		flipped := bytes.Clone(v.password)
		flipped[0] ^= 4
		others = append(others, flipped)
	}

	for _, other := range others {
		if _, err := password.Verify(v.policy(t), other, v.encoded); !errors.Is(err, password.ErrMismatch) {
			t.Errorf("%s with another password: %v; want ErrMismatch", v.encoded, err)
		}
	}
}

// A pool runs several hashes of a form at once, and they share nothing: a sum, and what is hashed
// instead of a password, are the same whatever another call computes meanwhile or afterwards. What
// is shared for less than a call, the race detector sees, which CI has look.
func TestAtOnce(t *testing.T) {
	for _, v := range readVectors(t) {
		if v.takes(2 * time.Millisecond) {
			continue
		}
		for _, f := range whole() {
			if parsed, err := f.Parse(v.encoded); parsed != nil && err == nil {
				v.atOnce(t, f)
			}
		}
	}
}

// atOnce makes calls of a form that reads v, some of them with another password, each with what it
// parses for itself.
func (v vector) atOnce(t *testing.T, f password.Format) {
	other := append([]byte("another"), v.password...)
	call := func(given []byte, yield func() bool) (results [][]byte) {
		parsed, _ := f.Parse(v.encoded)
		prepare := func([]byte) ([]byte, bool) { return nil, true }
		switch parsed := parsed.(type) {
		case *password.Translated:
			if parsed.Prepare != nil {
				prepare = parsed.Prepare
			}
		case *password.Computed:
			results = append(results, parsed.Compute(bytes.Clone(given), make([]byte, parsed.Memory), yield))
			if parsed.Prepare != nil {
				prepare = parsed.Prepare
			}
		}
		prepared, _ := prepare(bytes.Clone(given))
		return append(results, prepared)
	}
	goOn := func() bool { return true }

	var want []string
	for _, result := range call(v.password, goOn) {
		want = append(want, string(result))
	}
	asked := 0
	got := call(v.password, func() bool {
		if asked++; asked == 1 {
			call(other, goOn)
		}
		return true
	})
	call(other, goOn)
	for i, result := range got {
		if string(result) != want[i] {
			t.Errorf("%s: %s: another call changes what a call computes", f.Name(), v.encoded)
		}
	}

	var running sync.WaitGroup
	start := make(chan struct{})
	for range 2 {
		running.Go(func() {
			<-start
			call(v.password, goOn)
		})
	}
	close(start)
	running.Wait()
}

// Each row has a vector: here, or in testdata/formats.
func TestRowsHaveVectors(t *testing.T) {
	all := readVectors(t)
	for _, m := range programs() {
		for _, s := range readFile(t, formats+m.file+".txt").lines {
			if len(s.password) > 0 && strings.HasPrefix(s.verdicts, "y") {
				all = append(all, vector{m.file, s.password, s.encoded})
			}
		}
	}

	seen := map[string]bool{}
	for _, v := range all {
		maker := v.form(t)
		for _, name := range Names() {
			if maker == nil || maker.Name() == name {
				seen[name+": "+Row(name, v.encoded)] = true
			}
		}
	}

	for _, f := range compiled() {
		for _, p := range f.patterns {
			_, err := p.method.hashOf(&values{})
			isRefused := err != nil && slices.Contains([]error{errSun, errPlain, errMD4}, err)
			if row := f.name + ": " + p.stored; !seen[row] && !isRefused {
				t.Errorf("no vector of the row %s", row)
			}
		}
	}
}

// What files and columns of a fixed width leave behind a hash is no part of it.
func TestPadded(t *testing.T) {
	for _, v := range readVectors(t) {
		p := v.policy(t)
		if v.takes(2*time.Millisecond) || len(v.password) >= 72 {
			continue
		}
		for _, end := range []string{"\n", "\r\n", "   ", "\x00\x00"} {
			isOfSalt := strings.HasSuffix(v.maker, "salt last") && strings.Trim(end, "\r\n") != ""
			if isOfSalt {
				continue
			}
			if !matches(t, p, string(v.password), v.encoded+end) || matches(t, p, string(v.password)+"x", v.encoded+end) {
				t.Errorf("%q is not of its password alone", v.encoded+end)
			}
		}
	}
}

// Cut or lengthened otherwise, none is taken for another hash of the password.
func TestCutAndExtended(t *testing.T) {
	for _, v := range readVectors(t) {
		p := v.policy(t)
		for _, encoded := range []string{
			v.encoded + "$", " " + v.encoded, v.encoded + "\t", v.encoded[:len(v.encoded)-1], v.encoded[1:],
		} {
			if _, err := password.Verify(p, v.password, encoded); err == nil {
				t.Errorf("%s: %q is a match", v.maker, encoded)
			}
		}
	}
}

func policyOf(t testing.TB, formats ...password.Format) password.Policy {
	t.Helper()
	p := password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1}
	var err error
	if p.Formats, err = password.NewFormats(formats...); err != nil {
		t.Fatal(err)
	}
	return p
}

func matches(t *testing.T, p password.Policy, given, encoded string) bool {
	t.Helper()
	_, err := password.Verify(p, []byte(given), encoded)
	if err != nil && !errors.Is(err, password.ErrMismatch) {
		t.Errorf("%s: %v", encoded, err)
	}
	return err == nil
}
