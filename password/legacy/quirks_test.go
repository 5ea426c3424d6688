// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What makers do to a password first, and what two of them write alike.

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

// A salted SHA-1 is wrapped where Django alone is named, and has the same password, also if others
// are named later.
func TestWrapDjangoAlone(t *testing.T) {
	both := policyOf(t, List()...)
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

// Several passwords match a $2x$, so a new hash replaces it whatever it costs.
func TestOldBcryptIsReplaced(t *testing.T) {
	p := policyOf(t, List()...)
	p.Algorithm, p.Cost = password.Bcrypt, 4
	const encoded = "$2x$05$/OK.fbVrR/bpIqNJ5ianF.CE5elHaaO4EbggVDjb8P19RukzXSM3e"         // crypt_blowfish's test of "\xa3"
	for _, encoded := range []string{encoded, "{CRYPT}" + encoded, "{BCRYPT}" + encoded} { // Spring's has no $2x$
		if r, err := password.Verify(p, []byte("\xa3"), encoded); err != nil || !r.NeedsRehash || !password.NeedsRehash(p, encoded) {
			t.Errorf("%s: %+v, %v; want a rehash", encoded, r, err)
		}
	}
}

// Sun's MD5, which Kratos' begins like, is not called a damaged one of Kratos'. The strings are
// libxcrypt's and passlib's.
func TestSunMD5(t *testing.T) {
	for _, encoded := range []string{"$md5$1xMeE.at$$KmAqE3KH7rI83mi9/l1HL1", "$md5$RPgLa6IJ$WTvAlUJ7MqH5xak2FMEwS/"} {
		if err := anyPolicy().Check(encoded); !errors.Is(err, errSun) {
			t.Errorf("%s: %v; want %v", encoded, err, errSun)
		}
	}
}
