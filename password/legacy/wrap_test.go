// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"fount/password"
)

// wrapPolicy is the cheapest that wraps.
func wrapPolicy() password.Policy {
	return password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Formats: All()}
}

// What is not strong and takes no memory is wrapped, whoever made it: its password alone verifies,
// nothing of the sum is left, and a plain new hash follows.
//
// Of those that take more than 2 ms, half a minute together, one of each form is tried unless
// FOUNT_LONG=1.
func TestWrap(t *testing.T) {
	quick := wrapPolicy()
	quick.Limits.Time = 2 * time.Millisecond
	wrapped := map[string]int{}
	for _, v := range readVectors(t) {
		p := wrapPolicy()
		if f := v.form(t); f != nil {
			p = policyOf(t, f)
		}

		quick.Formats = p.Formats
		inside, err := quick.Inspect(v.encoded)
		isSlow := inside.OverLimits && wrapped[inside.Form] > 0 && os.Getenv("FOUNT_LONG") == ""
		if err != nil || isSlow {
			continue
		}

		t.Run(v.maker, func(t *testing.T) {
			if v.checkWrapped(t, p) {
				wrapped[inside.Form]++
			}
		})
	}

	for _, f := range []string{"django", "werkzeug", "spring", "aspnet", "pbkdf2-sha1", "md5-crypt", "sha256-crypt", "sha512-crypt", "phpass", "drupal", "ldap"} {
		if wrapped[f] == 0 {
			t.Errorf("no vector of %s is wrapped", f)
		}
	}
}

// checkWrapped wraps v, and reports whether that was needed.
func (v vector) checkWrapped(t *testing.T, p password.Policy) bool {
	inside, _ := p.Inspect(v.encoded)
	text, err := password.Wrap(p, v.encoded)
	if err != nil {
		t.Fatalf("%s: %v", v.encoded, err)
	}
	if text == v.encoded {
		if inside.Bytes == 0 && inside.BelowOWASP {
			t.Errorf("%s is not wrapped", v.encoded)
		}
		return false
	}

	readBy := ""
	if strings.HasPrefix(inside.Form, "django") {
		readBy = "fount_wrap"
	}
	if dispatch, _, _ := strings.Cut(text, "$"); dispatch != readBy {
		t.Errorf("Django looks for the reader of %s by %q", text, dispatch)
	}
	for _, left := range remains(p, v) {
		if len(left) >= 8 && strings.Contains(text, left) {
			t.Errorf("%s leaves %s of the sum in %s", v.encoded, left, text)
		}
	}
	if i, err := p.Inspect(text); err != nil || i.Algorithm != password.Argon2id || i.Wraps == "" {
		t.Errorf("%s: %+v, %v", text, i, err)
	}

	r, err := password.Verify(p, v.password, text)
	if err != nil || r.NeedsRehash == v.isOneOfSeveral() || !password.NeedsRehash(p, text) {
		t.Errorf("%s: %+v, %v", text, r, err)
	}
	other := append([]byte("?"), v.password...)
	if _, err := password.Verify(p, other, text); !errors.Is(err, password.ErrMismatch) {
		t.Errorf("%s with another password: %v", text, err)
	}
	plain, err := password.Hash(p, v.password)
	if err != nil || password.NeedsRehash(p, plain) {
		t.Errorf("the new hash %s, %v", plain, err)
	}
	return true
}

// What several programs write, each with another sum, is read and wrapped only where its form is
// named; wrapped it names the form, and everybody reads it. Nothing else says whose it is.
func TestSharedTexts(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range readVectors(t) {
		f := v.form(t)
		if f == nil {
			continue
		}
		seen[f.Name()] = true
		beside := append(List(), f)
		for _, p := range []password.Policy{wrapPolicy(), policyOf(t, List()...)} {
			if _, err := password.Verify(p, v.password, v.encoded); !errors.Is(err, password.ErrMalformed) || !strings.Contains(err.Error(), f.Name()) {
				t.Errorf("%s is read by all: %v", v.encoded, err)
			}
			if text, err := password.Wrap(p, v.encoded); err == nil {
				t.Errorf("%s is wrapped, and nobody said whose it is: %s", v.encoded, text)
			}
		}
		if text, err := password.Wrap(policyOf(t, whole()...), v.encoded); err == nil && !strings.HasPrefix(v.encoded, "PBKDF2$sha1$") {
			t.Errorf("%s is wrapped, and several are named: %s", v.encoded, text)
		}
		text, err := password.Wrap(policyOf(t, beside...), v.encoded)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, p := range []password.Policy{policyOf(t, f), policyOf(t, beside...), policyOf(t, append([]password.Format{f}, List()...)...), wrapPolicy()} {
			if !matches(t, p, string(v.password), text) || matches(t, p, string(v.password)+"x", text) {
				t.Errorf("%s is not of its password alone", text)
			}
		}
	}
	if len(seen) != 10 {
		t.Errorf("%v", seen)
	}
}

// What stands behind a hash is not wrapped with it, and does no harm behind what Wrap returned. Of
// a plain salt that comes last the spaces are a part, and a line's end is not.
func TestWrapPadded(t *testing.T) {
	p := policyOf(t, append(List(), named("joomla"))...)
	joomla := hex.EncodeToString(newDigest(md5.New).sum(nil, []byte("secret"), []byte("salt-of-mine "))) + ":salt-of-mine "
	for encoded, ends := range map[string][]string{
		"md5$$5ebe2294ecd0e0f08eab7690d2a6ee69": {"\n", "\r\n", "  ", "\x00\x00", "  \r\n"},
		joomla:                                  {"\n", "\r\n"},
	} {
		for _, end := range ends {
			text, err := password.Wrap(p, encoded+end)
			if err != nil || strings.HasSuffix(text, end) {
				t.Errorf("%q is wrapped as %q, %v", encoded+end, text, err)
			}
			for _, stored := range []string{encoded + end, text, text + end} {
				if !matches(t, p, "secret", stored) || matches(t, p, "Secret", stored) {
					t.Errorf("%q is not of its password alone", stored)
				}
			}
		}
	}
}

// remains are texts of eight characters or more that a part of the vector's sum would be seen by.
func remains(p password.Policy, v vector) (texts []string) {
	for _, f := range whole() {
		some, err := f.Parse(v.encoded)
		parsed, ok := some.(*password.Computed)
		if !ok || err != nil {
			continue
		}
		sum := parsed.Sum
		half := sum[len(sum)/2:]
		texts = append(texts, string(sum[len(sum)-8:]), hex.EncodeToString(sum)[:8], hex.EncodeToString(half)[:8])
		for at := range 3 { // wherever it begins in a group of three
			b := base64.StdEncoding.EncodeToString(append(make([]byte, at), sum...))
			texts = append(texts, b[8:16], strings.ReplaceAll(b[8:16], "+", "."))
		}
	}
	return texts
}

// Whatever is stored: wrapped it has the same passwords.
func FuzzWrap(f *testing.F) {
	for _, v := range readVectors(f) {
		f.Add(v.password, v.encoded)
		if text, err := password.Wrap(wrapPolicy(), v.encoded); err == nil {
			f.Add(v.password, text)
		}
	}
	policy := wrapPolicy()
	policy.Limits = password.Limits{Time: time.Millisecond, Memory: 64 << 10}
	f.Fuzz(func(t *testing.T, given []byte, encoded string) {
		text, err := password.Wrap(policy, encoded)
		if err != nil {
			if len(encoded) > 24 && !strings.Contains(encoded, "$fount-wrap$") && strings.Contains(err.Error(), encoded[len(encoded)-24:]) {
				t.Errorf("%q: the error holds it: %v", encoded, err)
			}
			return
		}
		if again, err := password.Wrap(policy, text); err != nil || again != text {
			t.Errorf("%q is wrapped twice: %q, %v", encoded, again, err)
		}
		for _, given := range [][]byte{given, append(bytes.Clone(given), 'x')} {
			_, want := password.Verify(policy, given, encoded)
			_, got := password.Verify(policy, given, text)
			if errors.Is(got, password.ErrCost) && policy.Check(text) == nil {
				continue // so long a password takes too long now
			}
			if errors.Is(want, password.ErrMismatch) != errors.Is(got, password.ErrMismatch) ||
				(want == nil) != (got == nil) {
				t.Errorf("%q: %v; as %q: %v", encoded, want, text, got)
			}
		}
	})
}
