// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What makers do to a password first, and what two of them write alike.

import (
	"errors"
	"strings"
	"testing"

	"fount/password"
)

// A password is taken as its maker took it, and a match replaces the hash only if no other password
// matches so: the owner, whose password may be another, could not sign in any more.
//
// The hashes of quoted are passlib's and bcrypt's for Python, of what WordPress (wp_magic_quotes,
// trim) and phpBB (htmlspecialchars) make of it; those of $2x$ are libxcrypt's and
// crypt_blowfish's.
func TestReplacedOnlyIfExact(t *testing.T) {
	const quoted = ` it's "\<5 & 6>" `
	trimmed := strings.TrimSpace(quoted)
	x72 := strings.Repeat("x", 72)
	const of72 = "$2b$04$4VyYfMq76l1SUQM0EG7UK.7hKFFi4cimbLqmvLhMlYN6HOgg810eq" // Django's, of x72
	const above127 = "$2x$05$/OK.fbVrR/bpIqNJ5ianF.CE5elHaaO4EbggVDjb8P19RukzXSM3e"

	p := policyOf(t, whole()...)
	for _, c := range []struct {
		name, encoded  string
		replaced, kept string // passwords that match, if any
		wrong          string
	}{
		{
			name:     "WordPress before 6.8",
			encoded:  "$P$5saltsaltxiniJ0W/VhbQ8HOTP6nIU0",
			replaced: trimmed,
			kept:     quoted,
			wrong:    quoted + "x",
		},
		{
			name:     "phpass",
			encoded:  "$P$5saltsaltFNEzx5ZW8M0ZOlkVOKOs4.",
			replaced: quoted,
			wrong:    trimmed,
		},
		{
			name:     "phpBB",
			encoded:  "$H$5saltsaltsScWhT1XwWqqlx7ujCje7/",
			replaced: quoted,
			wrong:    trimmed,
		},
		{
			name:     "WordPress",
			encoded:  "$wp$2y$04$VzJT8AjFG7u6zchPM/WVAel9zUm9/HOqI0KPySiBmt6wvGFpfUvuy",
			replaced: trimmed,
			kept:     quoted,
			wrong:    "its 5  6",
		},
		{
			name:     "bcrypt with the bug",
			encoded:  "$2x$05$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a",
			replaced: "hello",
			wrong:    "Hello",
		},
		{
			name:    "bcrypt with the bug, above 127",
			encoded: above127,
			kept:    "\xa3",
			wrong:   "\xa4",
		},
		{
			name:    "bcrypt with the bug, another password",
			encoded: "{CRYPT}" + above127,
			kept:    "\xff\xff\xa3",
			wrong:   "\xff",
		},
		{
			name:    "bcrypt of 72 bytes",
			encoded: "{BCRYPT}" + of72,
			kept:    x72,
			wrong:   x72[1:],
		},
		{
			name:    "bcrypt of 72 bytes, another tail",
			encoded: "bcrypt$" + of72,
			kept:    x72 + "typo",
			wrong:   x72[1:],
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrapped, err := password.Wrap(p, c.encoded)
			if err != nil {
				t.Fatal(err)
			}
			for _, encoded := range []string{c.encoded, wrapped} {
				for _, given := range []string{c.replaced, c.kept, c.wrong} {
					if given == "" {
						continue
					}
					r, err := password.Verify(p, []byte(given), encoded)
					if (err == nil) != (given != c.wrong) || r.NeedsRehash != (given == c.replaced) {
						t.Errorf("%q beside %s: %+v, %v", given, encoded, r, err)
					}
				}
			}
		})
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

// An empty password matches nothing, also if it is empty only after the maker's trim. The hashes
// are of the empty password: phpass' by Python's hashlib, WordPress' by libxcrypt.
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
