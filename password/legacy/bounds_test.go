// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The parsers at the bounds of what they read: on each side of each, and of each part that can be
// wrong.

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"fount/password"
)

// b64 and raw64 are n bytes in base64, with padding and without; hex64 is base64 of their
// hexadecimal; hash64 is n characters of crypt(3).
func b64(n int) string   { return base64.StdEncoding.EncodeToString(make([]byte, n)) }
func raw64(n int) string { return base64.RawStdEncoding.EncodeToString(make([]byte, n)) }
func hex64(n int) string {
	return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(make([]byte, n))))
}
func hash64(n int) string { return strings.Repeat(".", n) }
func text64(s string) string {
	return base64.StdEncoding.EncodeToString([]byte(s))
}

// bounds are strings on both sides of what a form reads.
type bounds struct {
	reads, refuses []string
}

func (b bounds) check(t *testing.T, f password.Format) {
	t.Helper()
	for _, encoded := range b.reads {
		if parsed, err := f.Parse(encoded); parsed == nil || err != nil {
			t.Errorf("%s: %.150q is not read: %+v, %v", f.Name(), encoded, parsed, err)
		}
	}
	for _, encoded := range b.refuses {
		if parsed, err := f.Parse(encoded); parsed != nil && err == nil {
			t.Errorf("%s: %.150q is read: %+v", f.Name(), encoded, parsed)
		}
	}
}

func TestBoundsOfFirebase(t *testing.T) {
	row := func(numbers string, salt, sum, separator, key int) string {
		return "$firescrypt$" + numbers + "$" + b64(salt) + "$" + b64(sum) + "$" + b64(separator) + "$" + b64(key)
	}
	with := func(numbers string) string { return row(numbers, 8, 16, 1, 16) }
	supabase := func(head string) string { return "$fbscrypt$" + head + "$" + b64(8) + "$" + b64(16) }
	const numbers, good = "ln=1,r=1,p=1", "v=1,n=1,r=1,p=1,ss=Bw==,sk=AAAAAAAAAAAAAAAAAAAAAA=="
	bounds{
		reads: []string{
			row(numbers, 63, 16, 1, 16),
			row(numbers, 1, 16, 63, 16),
			row(numbers, 8, 64, 1, 64),
			with("ln=31,r=1,p=1"),
			with("ln=1,r=255,p=1"),
			with("ln=1,r=1,p=255"),
			with("ln=1,r=15,p=17"),
			supabase(good),
		},
		refuses: []string{
			row(numbers, 64, 16, 1, 16),
			row(numbers, 0, 16, 65, 16),
			row(numbers, 8, 15, 1, 15),
			row(numbers, 8, 16, 1, 17),
			with("ln=32,r=1,p=1"),
			with("ln=1,r=256,p=1"),
			with("ln=1,r=1,p=256"),
			with("ln=1,r=16,p=16"),
			with("ln=1,r=128,p=33554432"),
			with("ln=1,r=33554432,p=128"),
			with("ln=1,r=1"),
			with("ln=1,r=1,p=1,x=1"),
			with("n=1,r=1,p=1"),
			with("ln=0,r=1,p=1"),
			with(numbers) + "$",
			with(numbers)[:40],
			strings.Replace(with(numbers), "AA==", "AA=", 1),
			with(numbers) + "!",
			supabase(good) + "$",
			supabase(good + ",x=1"),
			supabase("v=2" + good[3:]),
			supabase(strings.Replace(good, "ss", "sx", 1)),
			supabase(strings.Replace(good, "sk", "sx", 1)),
			supabase(strings.Replace(good, "n=1", "n=x", 1)),
			supabase(strings.Replace(good, "Bw==", "Bw", 1)),
			supabase(good) + "!",
			"$fbscrypt$" + b64(8) + "$" + b64(16),
		},
	}.check(t, named("firebase"))
	bounds{
		reads:   []string{"$fbscrypt$" + b64(8) + "$" + b64(64)},
		refuses: []string{"$fbscrypt$" + b64(8) + "$" + b64(64) + "$", supabase(good)}, // firebase reads that
	}.check(t, project())
}

func TestBoundsOfKratos(t *testing.T) {
	pf := func(format string, salt, sum int) string {
		return "$md5$pf=" + text64(format) + "$" + b64(salt) + "$" + b64(sum)
	}
	const format = "{SALT}{PASSWORD}"
	bounds{
		reads: []string{
			"$md5-crypt$" + hash64(8) + "$" + hash64(22),
			"$md5$" + b64(16),
			pf(format, 128, 16),
			pf("{SALT}{PASSWORD}{SALT}", 64, 16),
			pf(format+strings.Repeat("{PASSWORD}", 7), 8, 16),
			"$hmac-md5$" + hex64(16) + "$" + b64(128),
			"$hmac-sha512$" + hex64(64) + "$",
			"$pbkdf2-sha1$i=1,l=16$" + raw64(64) + "$" + raw64(16),
			"$pbkdf2-sha1$i=1,l=64$$" + raw64(64),
			"$pbkdf2-sha1$i=1,l=65$$" + raw64(65),
			"$pbkdf2-sha1$i=1,l=17$$" + raw64(16),
			"$pbkdf2-sha1$i=1,l=4294967295$$" + raw64(16),
			"$pbkdf2-sha1$i=1,l=256$$" + raw64(256),
			"$scrypt$ln=64,r=8,p=1$$" + b64(16),
		},
		refuses: []string{
			"md5$pf=",
			"$md5-crypt",
			"$foo$pf=" + text64(format) + "$$",
			"$sha1$" + b64(8) + "$" + b64(20),
			"$md5$" + raw64(16),
			"$sha1$" + b64(16),
			"$md5$!" + b64(16),
			"$md5$" + b64(13),
			"$md5$x$" + b64(16),
			pf(format, 129, 16),
			pf("{SALT}{PASSWORD}{SALT}", 65, 16),
			pf("{PASSWORD}{SALT}", 129, 16),
			pf(format, 8, 17),
			pf(format, 8, 16) + "$",
			pf("{SALT}", 8, 16),
			pf(format+strings.Repeat("{PASSWORD}", 8), 8, 16),
			"$md5$pf=!$$" + b64(16),
			"$md5$pf=" + text64(format) + "$!$" + b64(16),
			"$md5$pf=" + text64(format) + "$$!",
			"$hmac-md5$" + hex64(16) + "$" + b64(129),
			"$hmac-md5$" + hex64(17) + "$",
			"$hmac-md4$" + hex64(16) + "$",
			"$hmac-sha3$" + hex64(16) + "$",
			"$hmac-md5$" + hex64(16),
			"$hmac-md5$" + hex64(16) + "$!",
			"$hmac-md5$!$",
			"$pbkdf2-sha1$i=1,l=16$" + raw64(65) + "$" + raw64(16),
			"$pbkdf2-sha1$i=1,l=15$$" + raw64(15),
			"$pbkdf2-sha1$i=1,l=257$$" + raw64(257),
			"$pbkdf2-sha1$i=1,l=16,x=1$$" + raw64(16),
			"$pbkdf2-sha1$i=1$$" + raw64(16),
			"$pbkdf2-sha1$i=1,l=16$$" + b64(16),
			"$pbkdf2-sha1$i=1,l=16$" + raw64(16),
			"$scrypt$ln=63,r=8,p=1$$" + b64(16),
			"$scrypt$ln=65,r=8,p=1$$" + b64(16),
			"$scrypt$ln=64,r=8$$" + b64(16),
			"$scrypt$ln=64,r=8,p=1,x=1$$" + b64(16),
			"$scrypt$ln=64,r=8,p=1$" + b64(16),
			"$scrypt$ln=64,r=8,p=1$$" + raw64(16),
		},
	}.check(t, named("kratos"))
	parsed, err := named("kratos").Parse("$scrypt$ln=64,r=2,p=3$" + b64(8) + "$" + b64(16))
	if same, ok := parsed.(*password.Translated); !ok || err != nil || same.Hash != "$scrypt$ln=6,r=2,p=3$"+raw64(8)+"$"+raw64(16) {
		t.Errorf("%+v, %v", parsed, err)
	}
}

func TestBoundsOfOthers(t *testing.T) {
	aspnet := func(b []byte, more int) string {
		return base64.StdEncoding.EncodeToString(append(b, make([]byte, more)...))
	}
	v3 := func(prf, salt byte, more int) string {
		return aspnet([]byte{1, 0, 0, 0, prf, 0, 0, 0, 1, 0, 0, 0, salt}, more)
	}
	for form, c := range map[string]bounds{
		"aspnet": {
			reads: []string{
				aspnet([]byte{0}, 48),
				v3(0, 16, 32),
				v3(2, 16, 32),
			},
			refuses: []string{
				"",
				"!",
				aspnet([]byte{0}, 47),
				aspnet([]byte{0}, 49),
				aspnet([]byte{2}, 48),
				aspnet([]byte{1}, 11),
				aspnet([]byte{1}, 12),
				aspnet([]byte{1, 0, 0, 1, 0, 0, 0, 0, 1}, 40),
				v3(3, 16, 32),
				v3(0, 33, 32),
				v3(0, 16, 31),
			},
		},
		"pbkdf2-sha1": {
			reads: []string{
				"{PKCS5S2}" + b64(48),
				"$pbkdf2$1$$" + raw64(16),
			},
			refuses: []string{
				"{PKCS5S2}" + b64(47),
				"{PKCS5S2}" + b64(49),
				"{PKCS5S2}!",
				"$pbkdf2$1$!$" + raw64(16),
				"$pbkdf2$1$" + raw64(16),
			},
		},
		"md5-crypt": {
			reads: []string{
				"$1$saltsalt$" + hash64(22),
			},
			refuses: []string{
				"$1$saltsalts$" + hash64(22),
				"$1$a:b$" + hash64(22),
				"$1$saltsalt$" + hash64(23),
			},
		},
		"sha512-crypt": {
			reads: []string{
				"$6$1234567890123456$" + hash64(86),
				"$6$rounds=1000$a$" + hash64(86),
				"$6$rounds=999999999$a$" + hash64(86),
			},
			refuses: []string{
				"$6$12345678901234567$" + hash64(86),
				"$6$a:b$" + hash64(86),
				"$6$a$" + hash64(85) + "!",
				"$6$rounds=999$a$" + hash64(86),
				"$6$rounds=05000$a$" + hash64(86),
				"$6$rounds=1000000000$a$" + hash64(86),
			},
		},
		"django": {
			reads: []string{
				"pbkdf2_sha1$1$salt$" + b64(20),
			},
			refuses: []string{
				"md5$salt$" + strings.Repeat("0", 40),
				"md5$salt$" + strings.Repeat("0", 31),
				"sha1$$" + strings.Repeat("A", 40),
				"pbkdf2_sha1$0$salt$" + b64(20),
			},
		},
		"werkzeug": {
			reads: []string{
				"pbkdf2:md5:1000$salt$" + strings.Repeat("0", 32),
				"scrypt:4:8:1$salt$" + strings.Repeat("0", 128),
			},
			refuses: []string{
				"pbkdf2:md4:1000$salt$" + strings.Repeat("0", 32),
				"pbkdf2:sha1:1000$salt$00",
				"scrypt:3:8:1$salt$" + strings.Repeat("0", 128),
				"sha256$$" + strings.Repeat("0", 64),
			},
		},
		"spring": {
			reads: []string{
				"{MD5}" + strings.Repeat("0", 32),
				"{scrypt}$1f0101$$" + b64(32),
			},
			refuses: []string{
				"{MD5}x}" + strings.Repeat("0", 32),
				"{noop}password",
				"{pbkdf2}00",
				"{scrypt}$200101$$" + b64(32),
				"{scrypt}$ffffffffff$$" + b64(32),
				"{sha256}" + strings.Repeat("0", 78),
			},
		},
		"phpass": {
			reads: []string{
				"$P$5" + hash64(30),
				"$P$S" + hash64(30),
			},
			refuses: []string{
				"$P$4" + hash64(30),
				"$P$T" + hash64(30),
				"$P$5" + hash64(31),
				"$P$5" + hash64(29),
				"$P$5" + hash64(29) + "!",
			},
		},
		"drupal": {
			reads: []string{
				"$S$5" + hash64(51),
				"U$S$5" + hash64(51),
			},
			refuses: []string{
				"$S$5" + hash64(50),
				"U$S$4" + hash64(51),
			},
		},
		"ldap": {
			reads: []string{
				"{SSHA}" + b64(20+128),
				"{SHA}" + b64(20),
			},
			refuses: []string{
				"{SSHA}" + b64(20+129),
				"{SSHA}" + b64(20),
				"{SHA}" + b64(21),
			},
		},
		"web2py": {
			reads: []string{
				"pbkdf2(1000,20,sha512)$salt$" + strings.Repeat("0", 40),
			},
			refuses: []string{
				"pbkdf2(1000,20,sha512)$salt$" + strings.Repeat("0", 38),
			},
		},
		"mediawiki": {
			reads: []string{
				":pbkdf2:sha256:1000:32:AAAA:" + b64(32),
			},
			refuses: []string{
				":pbkdf2:sha256:1000:32:AAAA:" + b64(18),
				":pbkdf2:sha256:1000:18:AAAA:" + b64(32),
			},
		},
		"bcrypt-old": {
			reads: []string{
				"$bcrypt-sha256$2b,4$" + hash64(22) + "$" + hash64(31),
			},
			refuses: []string{
				"$bcrypt-sha256$2b,4$" + hash64(21) + "$" + hash64(32),
				"$bcrypt-sha256$2b,4$" + hash64(53) + "$",
			},
		},
		"yescrypt": {
			reads: []string{
				"$y$j9T$" + hash64(86) + "$" + hash64(43),
				"$y$j9T$" + hash64(7) + "$" + hash64(43),
			},
			refuses: []string{
				"$y$j9T$" + hash64(87) + "$" + hash64(43),
				"$y$j9T$" + hash64(5) + "$" + hash64(43),
				"$y$j9T$$" + hash64(42),
				"$y$j9T$$" + hash64(44),
				"$y$jTT$$" + hash64(43),
				"$y$j9$$" + hash64(43),
				"$y$$$" + hash64(43),
				"$y$j9T$$" + hash64(43) + "$",
				"$y$/9T$$" + hash64(43),
				"$y$.9T$$" + hash64(43),
				"$y$j9T.$$" + hash64(43),
				"$y$j9T2$$" + hash64(43),
			},
		},
	} {
		t.Run(form, func(t *testing.T) { c.check(t, named(form)) })
	}
}
