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
			row(numbers, 64, 16, 1, 16),                      // salt and separator of 65 bytes
			row(numbers, 0, 16, 65, 16),                      // a separator of 65 bytes
			row(numbers, 8, 15, 1, 15),                       // a sum of 15 bytes
			row(numbers, 8, 16, 1, 17),                       // a key longer than the sum
			with("ln=32,r=1,p=1"),                            // N of 2^32
			with("ln=1,r=256,p=1"),                           // r above 255
			with("ln=1,r=1,p=256"),                           // p above 255
			with("ln=1,r=16,p=16"),                           // r*p of 256
			with("ln=1,r=128,p=33554432"),                    // r*p of 2^32, which is 0 in 32 bits
			with("ln=1,r=33554432,p=128"),                    // the same
			with("ln=1,r=1"),                                 // no p
			with("ln=1,r=1,p=1,x=1"),                         // a parameter too many
			with("n=1,r=1,p=1"),                              // n instead of ln
			with("ln=0,r=1,p=1"),                             // N of 1
			with(numbers) + "$",                              // a part too many
			with(numbers)[:40],                               // cut
			strings.Replace(with(numbers), "AA==", "AA=", 1), // cut padding
			with(numbers) + "!",                              // no base64
			supabase(good) + "$",                             // a part too many
			supabase(good + ",x=1"),                          // a parameter too many
			supabase("v=2" + good[3:]),                       // another version
			supabase(strings.Replace(good, "ss", "sx", 1)),   // another name than ss
			supabase(strings.Replace(good, "sk", "sx", 1)),   // another name than sk
			supabase(strings.Replace(good, "n=1", "n=x", 1)), // no number
			supabase(strings.Replace(good, "Bw==", "Bw", 1)), // no padding
			supabase(good) + "!",                             // no base64
			"$fbscrypt$" + b64(8) + "$" + b64(16),            // no parameters
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
			"md5$pf=",                                              // no $ before it
			"$md5-crypt",                                           // no salt and no sum
			"$foo$pf=" + text64(format) + "$$",                     // an unknown digest
			"$sha1$" + b64(8) + "$" + b64(20),                      // no pf
			"$md5$" + raw64(16),                                    // no padding
			"$sha1$" + b64(16),                                     // no pf, which only MD5 may lack
			"$md5$!" + b64(16),                                     // no base64
			"$md5$" + b64(13),                                      // a sum of 13 bytes
			"$md5$x$" + b64(16),                                    // a salt and no pf
			pf(format, 129, 16),                                    // a salt of 129 bytes
			pf("{SALT}{PASSWORD}{SALT}", 65, 16),                   // two salts of 130 bytes
			pf("{PASSWORD}{SALT}", 129, 16),                        // a salt of 129 bytes
			pf(format, 8, 17),                                      // a sum longer than MD5
			pf(format, 8, 16) + "$",                                // a part too many
			pf("{SALT}", 8, 16),                                    // no password
			pf(format+strings.Repeat("{PASSWORD}", 8), 8, 16),      // nine passwords
			"$md5$pf=!$$" + b64(16),                                // pf that is no base64
			"$md5$pf=" + text64(format) + "$!$" + b64(16),          // a salt that is no base64
			"$md5$pf=" + text64(format) + "$$!",                    // a sum that is no base64
			"$hmac-md5$" + hex64(16) + "$" + b64(129),              // a salt of 129 bytes
			"$hmac-md5$" + hex64(17) + "$",                         // a sum longer than MD5
			"$hmac-md4$" + hex64(16) + "$",                         // MD4
			"$hmac-sha3$" + hex64(16) + "$",                        // an unknown digest
			"$hmac-md5$" + hex64(16),                               // no salt
			"$hmac-md5$" + hex64(16) + "$!",                        // a salt that is no base64
			"$hmac-md5$!$",                                         // a sum that is no base64
			"$pbkdf2-sha1$i=1,l=16$" + raw64(65) + "$" + raw64(16), // a salt of 65 bytes
			"$pbkdf2-sha1$i=1,l=15$$" + raw64(15),                  // a sum of 15 bytes
			"$pbkdf2-sha1$i=1,l=257$$" + raw64(257),                // a sum of 257 bytes
			"$pbkdf2-sha1$i=1,l=16,x=1$$" + raw64(16),              // a parameter too many
			"$pbkdf2-sha1$i=1$$" + raw64(16),                       // no l
			"$pbkdf2-sha1$i=1,l=16$$" + b64(16),                    // padding
			"$pbkdf2-sha1$i=1,l=16$" + raw64(16),                   // no salt
			"$scrypt$ln=63,r=8,p=1$$" + b64(16),                    // N that is no power of 2
			"$scrypt$ln=65,r=8,p=1$$" + b64(16),                    // N that is no power of 2
			"$scrypt$ln=64,r=8$$" + b64(16),                        // no p
			"$scrypt$ln=64,r=8,p=1,x=1$$" + b64(16),                // a parameter too many
			"$scrypt$ln=64,r=8,p=1$" + b64(16),                     // no salt
			"$scrypt$ln=64,r=8,p=1$$" + raw64(16),                  // no padding
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
				"",                    // empty
				"!",                   // no base64
				aspnet([]byte{0}, 47), // version 2 without its last byte
				aspnet([]byte{0}, 49), // version 2 and a byte more
				aspnet([]byte{2}, 48), // an unknown version
				aspnet([]byte{1}, 11), // a head of 12 bytes
				aspnet([]byte{1}, 12), // no iterations
				aspnet([]byte{1, 0, 0, 1, 0, 0, 0, 0, 1}, 40), // digest 256
				v3(3, 16, 32), // digest 3
				v3(0, 33, 32), // a sum of 15 bytes
				v3(0, 16, 31), // a sum of 15 bytes
			},
		},
		"pbkdf2-sha1": {
			reads: []string{
				"{PKCS5S2}" + b64(48),
				"$pbkdf2$1$$" + raw64(16),
			},
			refuses: []string{
				"{PKCS5S2}" + b64(47), // a sum of 31 bytes
				"{PKCS5S2}" + b64(49), // a sum of 33 bytes
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
				"$1$saltsalts$" + hash64(22), // a salt of 9 characters
				"$1$a:b$" + hash64(22),       // a colon in the salt
				"$1$saltsalt$" + hash64(23),  // a sum of 23 characters
			},
		},
		"sha512-crypt": {
			reads: []string{
				"$6$1234567890123456$" + hash64(86),
				"$6$rounds=1000$a$" + hash64(86),
				"$6$rounds=999999999$a$" + hash64(86),
			},
			refuses: []string{
				"$6$12345678901234567$" + hash64(86), // a salt of 17 characters
				"$6$a:b$" + hash64(86),
				"$6$a$" + hash64(85) + "!",
				"$6$rounds=999$a$" + hash64(86),        // fewer than 1000 rounds
				"$6$rounds=05000$a$" + hash64(86),      // a leading zero
				"$6$rounds=1000000000$a$" + hash64(86), // more than 999,999,999 rounds
			},
		},
		"django": {
			reads: []string{
				"pbkdf2_sha1$1$salt$" + b64(20),
			},
			refuses: []string{
				"md5$salt$" + strings.Repeat("0", 40), // a sum longer than MD5
				"md5$salt$" + strings.Repeat("0", 31), // a sum shorter than MD5
				"sha1$$" + strings.Repeat("A", 40),    // upper case
				"pbkdf2_sha1$0$salt$" + b64(20),       // no iterations
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
				"{scrypt}$200101$$" + b64(32),     // N of 2^32
				"{scrypt}$ffffffffff$$" + b64(32), // more than 32 bits
				"{sha256}" + strings.Repeat("0", 78),
			},
		},
		"phpass": {
			reads: []string{
				"$P$5" + hash64(30),
				"$P$S" + hash64(30),
			},
			refuses: []string{
				"$P$4" + hash64(30), // 2^6 rounds
				"$P$T" + hash64(30), // 2^31 rounds
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
				"$bcrypt-sha256$2b,4$" + hash64(21) + "$" + hash64(32), // a salt of 21 characters
				"$bcrypt-sha256$2b,4$" + hash64(53) + "$",              // no $ between salt and sum
			},
		},
		"yescrypt": {
			reads: []string{
				"$y$j9T$" + hash64(86) + "$" + hash64(43),
				"$y$j9T$" + hash64(7) + "$" + hash64(43),
			},
			refuses: []string{
				"$y$j9T$" + hash64(87) + "$" + hash64(43), // a salt of 65 bytes
				"$y$j9T$" + hash64(5) + "$" + hash64(43),  // a character of salt that ends no byte
				"$y$j9T$$" + hash64(42),                   // a sum of 42 characters
				"$y$j9T$$" + hash64(44),                   // a sum of 44 characters
				"$y$jTT$$" + hash64(43),                   // N of 2^32
				"$y$j9$$" + hash64(43),                    // no r
				"$y$$$" + hash64(43),                      // no settings
				"$y$j9T$$" + hash64(43) + "$",             // a part too many
				"$y$/9T$$" + hash64(43),                   // another flavor than j
				"$y$.9T$$" + hash64(43),                   // another flavor than j
				"$y$j9T.$$" + hash64(43),                  // more settings
				"$y$j9T2$$" + hash64(43),                  // more settings
			},
		},
	} {
		t.Run(form, func(t *testing.T) { c.check(t, named(form)) })
	}
}
