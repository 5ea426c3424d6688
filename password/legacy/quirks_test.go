// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What makers do to a password first, and what two of them write alike.

import (
	"errors"
	"testing"

	"fount/password"
)

// Passwords are what the maker's forms made of them. The hashes are passlib's and bcrypt's for
// Python, of what WordPress (wp_magic_quotes, trim) and phpBB (htmlspecialchars) make of given.
func TestFormsOfPHP(t *testing.T) {
	const given = ` it's "\<5 & 6>" `
	p := policyOf(t, whole()...)
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
	p := policyOf(t, whole()...)
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

// An empty password matches nothing, also if it is empty only after the maker's trim. The hashes are
// of the empty password: phpass' by Python's hashlib, WordPress' by libxcrypt.
func TestEmptyAfterTrim(t *testing.T) {
	p := policyOf(t, List()...)
	for _, encoded := range []string{
		"$P$5saltsalt/VyEB6TNW7sFL3r0f4uQ31",
		"$wp$2y$04$VzJT8AjFG7u6zchPM/WVAe1yjXfEyAitGr0lv1UEtFmnKpq.MRrQG",
	} {
		wrapped, err := password.Wrap(p, encoded)
		if err != nil {
			t.Error(err)
		}
		for _, stored := range []string{encoded, wrapped} {
			for _, given := range []string{"", " ", "\t \n", "\r\x0b"} {
				if matches(t, p, given, stored) {
					t.Errorf("%q opens %s", given, stored)
				}
			}
		}
	}
}
