// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto"
	"errors"
	"slices"
	"strings"
	"testing"

	"fount/password"
)

// described is a policy that reads d alone.
func described(t *testing.T, d DigestForm) password.Policy {
	t.Helper()
	f, err := Digest(d)
	if err != nil {
		t.Fatal(err)
	}
	formats, err := password.NewFormats(f)
	if err != nil {
		t.Fatal(err)
	}
	return password.Policy{Algorithm: password.Bcrypt, Cost: 15, Formats: formats}
}

// What other makers hashed once is read by its description too.
func TestDigestOfMakers(t *testing.T) {
	const kratosPrefix = "$sha1$pf=e1NBTFR9e1BBU1NXT1JEfQ==$"
	for _, d := range []DigestForm{
		{"django-md5", crypto.MD5, "{salt}{password}", "md5${salt}${sum:hex}"},
		{"django-sha1", crypto.SHA1, "{salt}{password}", "sha1${salt}${sum:hex}"},
		{"ldap-sha", crypto.SHA1, "{password}", "{SHA}{sum:base64}"},
		{"kratos-sha1", crypto.SHA1, "{salt}{password}", kratosPrefix + "{salt:base64}${sum:base64}"},
		{"kratos-percent", crypto.SHA1, "{password}%%{salt}", "$sha1$pf=e1BBU1NXT1JEfSUle1NBTFR9${salt:base64}${sum:base64}"},
		{"kratos-dollar", crypto.SHA1, "${password}${salt}$", "$sha1$pf=JHtQQVNTV09SRH0ke1NBTFR9JA==${salt:base64}${sum:base64}"},
		{"kratos-sha512", crypto.SHA512, "{salt}{password}", "$sha512$pf=e1NBTFR9e1BBU1NXT1JEfQ==${salt:base64}${sum:base64}"},
		{"kratos-sha256", crypto.SHA256, "{salt}{password}", "$sha256$pf=e1NBTFR9e1BBU1NXT1JEfQ==${salt:base64}${sum:base64}"},
	} {
		p, seen := described(t, d), 0
		prefix := d.Stored[:strings.Index(d.Stored, "{s")]
		for _, v := range readVectors(t) {
			if !strings.HasPrefix(v.encoded, prefix) {
				continue
			}
			seen++
			if _, err := password.Verify(p, v.password, v.encoded); err != nil {
				t.Errorf("%s: %s: %v", d.Name, v.encoded, err)
			}
			if _, err := password.Verify(p, append(slices.Clone(v.password), 'x'), v.encoded); !errors.Is(err, password.ErrMismatch) {
				t.Errorf("%s: %s with another password: %v", d.Name, v.encoded, err)
			}
		}
		if seen == 0 {
			t.Errorf("no vector of %s", d.Name)
		}
	}
}

// What md5sum and its siblings of coreutils 9.1 make of printf's output, with nothing around it,
// with the salt in hexadecimal, twice, before the sum and after it, and in capitals.
func TestDigestOfSums(t *testing.T) {
	for _, c := range []struct {
		DigestForm
		password, encoded string
	}{
		{DigestForm{"bare", crypto.MD5, "{password}", "{sum:hex}"}, "pässwörd €", "ef3fb7c474b0972dcb2757c6e8f8270b"},
		{DigestForm{"hex", crypto.SHA1, "{salt}{password}", "{salt:hex}:{sum:hex}"}, "pw", "01Ff10:2eae48b7fab19c645cf99e4aeea5bcf28b613d6d"},
		{DigestForm{"twice", crypto.SHA384, "{salt}{password}{salt}", "{sum:hex}{salt}"}, "pw", "5b634cf9b6c42c8b7c6e1cf4e94dd9be6138bad79c17f72f5ab83a6159efeb8cd206024a82be10bd89e15609d1d293d0salt"},
		{DigestForm{"capitals", crypto.SHA224, "{salt}{password}", "{salt}{sum:hex}"}, "pw", "salt5A4F541BEA25DA1B1361ED40352F00736EE1574739584ABE39D7D37C"},
		{DigestForm{"pepper", crypto.SHA224, "sal{password}", "x{sum:hex}y"}, "tpw", "x5A4F541BEA25DA1B1361ED40352F00736EE1574739584ABE39D7D37Cy"},
	} {
		p := described(t, c.DigestForm)
		if r, err := password.Verify(p, []byte(c.password), c.encoded); err != nil || !r.NeedsRehash {
			t.Errorf("%s: %+v, %v", c.Name, r, err)
		}
		if _, err := password.Verify(p, []byte(c.password+" "), c.encoded); !errors.Is(err, password.ErrMismatch) {
			t.Errorf("%s with another password: %v", c.Name, err)
		}
		for _, other := range []string{c.encoded + "\n", c.encoded[1:], c.encoded[:len(c.encoded)-1], c.encoded + strings.Repeat("x", 70)} {
			if _, err := password.Verify(p, []byte(c.password), other); err == nil {
				t.Errorf("%s: %q is a match", c.Name, other)
			}
		}
	}
}

// A description that can't be is refused, with what would be right and nothing of the Input, which
// may have a pepper.
func TestDigestForm(t *testing.T) {
	good := DigestForm{"shop", crypto.SHA1, "pepper{salt}{password}", "sha1:{salt}:{sum:hex}"}
	described(t, good)
	for want, change := range map[string]func(*DigestForm){
		"want crypto.MD5":         func(d *DigestForm) { d.Hash = crypto.SHA3_256 },
		"Hash is":                 func(d *DigestForm) { d.Hash = 0 },
		"{password} 0 times":      func(d *DigestForm) { d.Input = "pepper{salt}" },
		"{password} 2 times":      func(d *DigestForm) { d.Input = "pepper{password}{salt}{password}" },
		"{sum:hex} or":            func(d *DigestForm) { d.Stored = "sha1:{salt}:{sum}" },
		"or {sum:base64}":         func(d *DigestForm) { d.Stored = "{salt}:{sum:hex}:{sum:base64}" },
		"in both or in neither":   func(d *DigestForm) { d.Stored = "sha1:{sum:hex}" },
		"Input 0 times":           func(d *DigestForm) { d.Input = "pepper{password}" },
		"once in Stored":          func(d *DigestForm) { d.Stored = "{salt}{salt:hex}{sum:hex}" },
		"Input has 206 bytes":     func(d *DigestForm) { d.Input += strings.Repeat("x", 200) },
		"32 lower-case letters, ": nil,
	} {
		d := good
		if change == nil {
			d.Name = "The Shop"
		} else {
			change(&d)
		}
		f, err := Digest(d)
		if err == nil {
			_, err = password.NewFormats(f)
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "pepper") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A salt's 64 bytes are bytes, in whatever alphabet.
func TestDigestOfLongSalts(t *testing.T) {
	p := described(t, DigestForm{"shop", crypto.SHA1, "{salt}{password}", "{salt}:{sum:hex}"})
	for salt, want := range map[string]error{
		strings.Repeat("x", 64): nil, strings.Repeat("é", 32): nil, strings.Repeat("\xff", 64): nil,
		strings.Repeat("x", 65): password.ErrMalformed, strings.Repeat("é", 33): password.ErrMalformed, strings.Repeat("\xff", 65): password.ErrMalformed,
	} {
		if err := p.Check(salt + ":" + strings.Repeat("0", 40)); !errors.Is(err, want) {
			t.Errorf("%q, %d bytes: %v; want %v", salt, len(salt), err, want)
		}
	}
}

// A sum is wrapped in whatever letters it is written, and wherever in the string.
func TestDigestWrapped(t *testing.T) {
	const sum = "5ebe2294ecd0e0f08eab7690d2a6ee69" // of secret
	for stored, encoded := range map[string]string{
		"md5:{sum:hex}": "md5:" + sum, "MD5:{sum:hex}": "MD5:" + strings.ToUpper(sum), "{sum:hex}, mixed": strings.ToUpper(sum[:16]) + sum[16:] + ", mixed",
		"{sum:base64}.": "Xr4ilOzQ4PCOq3aQ0qbuaQ==.",
	} {
		p := described(t, DigestForm{"shop", crypto.MD5, "{password}", stored})
		p.Algorithm, p.Memory, p.Iterations = password.Argon2id, 8, 1
		wrapped, err := password.Wrap(p, encoded)
		if err != nil || wrapped == encoded {
			t.Errorf("%s: %s, %v", encoded, wrapped, err)
		}
		if !matches(t, p, "secret", wrapped) || matches(t, p, "Secret", wrapped) {
			t.Errorf("%s is not of its password alone", wrapped)
		}
	}
}

// A string of another form is left to others, and one that only begins as described is named.
func TestDigestOfOthers(t *testing.T) {
	f, err := Digest(DigestForm{"shop", crypto.SHA1, "{salt}{password}", "sha1:{salt}:{sum:hex}"})
	if err != nil {
		t.Fatal(err)
	}
	if parsed, err := f.Parse("$6$saltsalt$"); parsed != nil || err != nil {
		t.Errorf("another form: %+v, %v", parsed, err)
	}
	if _, err := f.Parse("sha1:salt:"); !errors.Is(err, errNotStored) {
		t.Errorf("half a form: %v", err)
	}
}
