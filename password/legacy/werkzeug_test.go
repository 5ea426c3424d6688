// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
	"testing"

	"fount/password"
)

// Before its version 3, Werkzeug wrote HMACs under the salt, of "pässword" here, by
// Python's hmac.new(salt, password, method), as its _hash_internal did.
var werkzeugHMACs = []string{
	"md5$9Xq2ZLbT$225cced2cb010aec39773f16802e298c",
	"sha1$9Xq2ZLbT$3f4cf68057ad136165b879545babb1ace8a0dcb6",
	"sha224$9Xq2ZLbT$53fa0ca39a94a9234353b7586f5b7e1dd94d98b4c2744374603d0508",
	"sha256$9Xq2ZLbT$b4c53e16f1aa917792927e9b364bd1d4ce362c5fb9c1b306fbcd01d29a3ed419",
	"sha384$9Xq2ZLbT$120c16a1ba90e95a00e32fdb5d318a4acf588649425db7a4eb2d0f01a47ce0862ff898e7d180545a14b437a2c5baaa0b",
	"sha512$9Xq2ZLbT$1e3dd046741aeb69235da9747ee6ddf64e6d9801d81f0157e8384a953c5d5e5de50f8ebbbdf7318d87f1e642ff976dcde7dbafab227742558eb761bb3c60d683",
}

func policyOf(t *testing.T, formats ...password.Format) password.Policy {
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

// Werkzeug's are read, alone and where Django, which writes md5$ and sha1$ as well, is read too;
// and Django's as before.
func TestWerkzeugHMAC(t *testing.T) {
	both := policyOf(t, List()...)
	for _, p := range []password.Policy{policyOf(t, Werkzeug()), both, policyOf(t, Werkzeug(), Django())} {
		for _, encoded := range werkzeugHMACs {
			if !matches(t, p, "pässword", encoded) || matches(t, p, "password", encoded) {
				t.Errorf("%s is not of its password alone", encoded)
			}
		}
	}
	const django = "sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8" // of "lètmein", in its tests
	for _, p := range []password.Policy{policyOf(t, Django()), both, policyOf(t, Werkzeug(), Django())} {
		if !matches(t, p, "lètmein", django) || matches(t, p, "letmein", django) {
			t.Errorf("%s is not of its password alone", django)
		}
	}
}

// What may be of two makers is not wrapped: the sum would be lost if it was the other's. With one
// of them named it is, and has the same password.
func TestWrapOfTwoMakers(t *testing.T) {
	both, werkzeug := policyOf(t, List()...), policyOf(t, Werkzeug())
	for i, encoded := range werkzeugHMACs {
		wrapped, err := password.Wrap(both, encoded)
		if ambiguous := i < 2; (err != nil) != ambiguous {
			t.Errorf("%s: %q, %v", encoded, wrapped, err)
		}
		if wrapped, err = password.Wrap(werkzeug, encoded); err != nil {
			t.Errorf("%s, of Werkzeug alone: %v", encoded, err)
			continue
		}
		if !matches(t, werkzeug, "pässword", wrapped) || matches(t, werkzeug, "password", wrapped) {
			t.Errorf("%s is not of its password alone", wrapped)
		}
	}
	const django = "sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8"
	wrapped, err := password.Wrap(policyOf(t, Django()), django)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []password.Policy{policyOf(t, Django()), both} {
		if !matches(t, p, "lètmein", wrapped) || matches(t, p, "letmein", wrapped) {
			t.Errorf("%s is not of its password alone", wrapped)
		}
	}
}

// Passwords are what the maker's forms made of them. The hashes are passlib's and bcrypt's for
// Python, of what WordPress (wp_magic_quotes, trim) and phpBB (htmlspecialchars) make of given.
func TestFormsOfPHP(t *testing.T) {
	const given = ` it's "\<5 & 6>" `
	p := policyOf(t, List()...)
	for _, encoded := range []string{
		"$P$5saltsaltxiniJ0W/VhbQ8HOTP6nIU0", // of it's \"\\<5 & 6>\" behind a backslash
		"$P$5saltsaltFNEzx5ZW8M0ZOlkVOKOs4.", // of given, as others write
		"$H$5saltsaltsScWhT1XwWqqlx7ujCje7/", // of " it's &quot;\&lt;5 &amp; 6&gt;&quot; "
		"$wp$2y$04$VzJT8AjFG7u6zchPM/WVAel9zUm9/HOqI0KPySiBmt6wvGFpfUvuy",
	} {
		wrapped, err := password.Wrap(p, encoded)
		if err != nil {
			t.Error(err)
		}
		for _, encoded := range []string{encoded, wrapped} {
			if !matches(t, p, given, encoded) || matches(t, p, given+"x", encoded) || matches(t, p, "its 5  6", encoded) {
				t.Errorf("%s is not of its password alone", encoded)
			}
		}
	}
}

// Names that servers of directories and mail write before hashes. The hashes are passlib's,
// bcrypt's for Python and libxcrypt's.
func TestNamesOfLDAP(t *testing.T) {
	p := policyOf(t, List()...)
	for _, encoded := range []string{
		"{sha256}NHgme1YSeRtAmIkGs6eJfrarUB4EuV7TL5nQr99mnZw=",
		"{CRYPT}$y$j75$saltsalt$rU1Bn6BfyMIl9gqJcvIBvpcA0DoWXp8Q4ifs.GUhQy0",
		"{crypt}$7$2/..../....saltsalt$pGKkIIQfLXHPkTFCYop2Tt9SpVwfGfdHF7z03s/eoP6",
		"{SHA512-CRYPT}$6$rounds=1000$saltsalt$GRg0cJEHso4LJZYmvs6cl1YziCrkl3pvdLeF58R.fERGV/fOgD8w6F4Ljko0wttVnHPN.v.Sy4JUmYierjxw6/",
		"{BLF-CRYPT}$2y$04$ryBzyqViEgkRic6BnVeFN.46I3eTv1ZrayWiXHg37OdfB9xw2ap52",
		"{ARGON2}$argon2id$v=19$m=64,t=1,p=1$vbdWSiml9L6XknJuTQkBYA$myNPFwE+zecSEyt35CcQPhTE+4iMGG91l+PTc8Ypq9E",
		"{ARGON2I}$argon2i$v=19$m=64,t=1,p=1$R+i915qzlpKy9j6HUEopJQ$cik7FegBOA8SYr0pQZ/C/F4fM/rggTSaW9u4hERmnGc",
		"{PBKDF2-SHA256}10$c2FsdHNhbHRzYWx0c2FsdA$C4tsZz9zsZB91pJ8CtAYtCbQiCKeCneKB33pgR8gigQ",
	} {
		if !matches(t, p, "pässword", encoded) || matches(t, p, "password", encoded) {
			t.Errorf("%s is not of its password alone", encoded)
		}
	}
}

// Several passwords match a $2x$, so a new hash replaces it whatever it costs.
func TestOldBcryptIsReplaced(t *testing.T) {
	p := policyOf(t, List()...)
	p.Algorithm, p.Cost = password.Bcrypt, 4
	const encoded = "$2x$05$/OK.fbVrR/bpIqNJ5ianF.CE5elHaaO4EbggVDjb8P19RukzXSM3e" // crypt_blowfish's test of "\xa3"
	for _, encoded := range []string{encoded, "{CRYPT}" + encoded} {
		if r, err := password.Verify(p, []byte("\xa3"), encoded); err != nil || !r.NeedsRehash || !password.NeedsRehash(p, encoded) {
			t.Errorf("%s: %+v, %v; want a rehash", encoded, r, err)
		}
	}
}
