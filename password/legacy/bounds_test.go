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

// A bound is a string, and whether a form reads it.
type bound struct {
	encoded string
	read    bool
}

func (c bound) check(t *testing.T, f password.Format) {
	t.Helper()
	if parsed, err := f.Parse(c.encoded); (parsed != nil && err == nil) != c.read {
		t.Errorf("%s: %.150q: %+v, %v; want it to be read: %v", f.Name(), c.encoded, parsed, err, c.read)
	}
}

func TestBoundsOfFirebase(t *testing.T) {
	row := func(numbers string, salt, sum, separator, key int) string {
		return "$firescrypt$" + numbers + "$" + b64(salt) + "$" + b64(sum) + "$" + b64(separator) + "$" + b64(key)
	}
	with := func(numbers string) string { return row(numbers, 8, 16, 1, 16) }
	supabase := func(head string) string { return "$fbscrypt$" + head + "$" + b64(8) + "$" + b64(16) }
	const numbers, good = "ln=1,r=1,p=1", "v=1,n=1,r=1,p=1,ss=Bw==,sk=AAAAAAAAAAAAAAAAAAAAAA=="
	for _, c := range []bound{
		{row(numbers, 63, 16, 1, 16), true}, {row(numbers, 64, 16, 1, 16), false}, {row(numbers, 1, 16, 63, 16), true}, {row(numbers, 0, 16, 65, 16), false},
		{row(numbers, 8, 15, 1, 15), false}, {row(numbers, 8, 16, 1, 17), false}, {row(numbers, 8, 64, 1, 64), true},
		{with("ln=31,r=1,p=1"), true}, {with("ln=32,r=1,p=1"), false},
		{with("ln=1,r=255,p=1"), true}, {with("ln=1,r=256,p=1"), false}, {with("ln=1,r=1,p=255"), true}, {with("ln=1,r=1,p=256"), false},
		{with("ln=1,r=15,p=17"), true}, {with("ln=1,r=16,p=16"), false}, {with("ln=1,r=128,p=33554432"), false}, {with("ln=1,r=33554432,p=128"), false},
		{with("ln=1,r=1"), false}, {with("ln=1,r=1,p=1,x=1"), false}, {with("n=1,r=1,p=1"), false}, {with("ln=0,r=1,p=1"), false},
		{with(numbers) + "$", false}, {with(numbers)[:40], false}, {strings.Replace(with(numbers), "AA==", "AA=", 1), false}, {with(numbers) + "!", false},
		{supabase(good), true}, {supabase(good) + "$", false}, {supabase(good + ",x=1"), false}, {supabase("v=2" + good[3:]), false}, {supabase(strings.Replace(good, "ss", "sx", 1)), false},
		{supabase(strings.Replace(good, "sk", "sx", 1)), false}, {supabase(strings.Replace(good, "n=1", "n=x", 1)), false}, {supabase(strings.Replace(good, "Bw==", "Bw", 1)), false},
		{supabase(good) + "!", false}, {"$fbscrypt$" + b64(8) + "$" + b64(16), false},
	} {
		c.check(t, named("firebase"))
	}
	bound{supabase(good), false}.check(t, project()) // which Firebase reads
	bound{"$fbscrypt$" + b64(8) + "$" + b64(64), true}.check(t, project())
	bound{"$fbscrypt$" + b64(8) + "$" + b64(64) + "$", false}.check(t, project())
}

func TestBoundsOfKratos(t *testing.T) {
	pf := func(format string, salt, sum int) string {
		return "$md5$pf=" + text64(format) + "$" + b64(salt) + "$" + b64(sum)
	}
	const format = "{SALT}{PASSWORD}"
	for _, c := range []bound{
		{"md5$pf=", false}, {"$md5-crypt", false}, {"$md5-crypt$" + hash64(8) + "$" + hash64(22), true}, {"$foo$pf=" + text64(format) + "$$", false}, {"$sha1$" + b64(8) + "$" + b64(20), false},
		{"$md5$" + b64(16), true}, {"$md5$" + raw64(16), false}, {"$sha1$" + b64(16), false}, {"$md5$!" + b64(16), false}, {"$md5$" + b64(13), false}, {"$md5$x$" + b64(16), false},
		{pf(format, 128, 16), true}, {pf(format, 129, 16), false}, {pf("{SALT}{PASSWORD}{SALT}", 64, 16), true}, {pf("{SALT}{PASSWORD}{SALT}", 65, 16), false}, {pf("{PASSWORD}{SALT}", 129, 16), false},
		{pf(format, 8, 17), false}, {pf(format, 8, 16) + "$", false}, {pf("{SALT}", 8, 16), false}, {pf(format+strings.Repeat("{PASSWORD}", 7), 8, 16), true}, {pf(format+strings.Repeat("{PASSWORD}", 8), 8, 16), false},
		{"$md5$pf=!$$" + b64(16), false}, {"$md5$pf=" + text64(format) + "$!$" + b64(16), false}, {"$md5$pf=" + text64(format) + "$$!", false},
		{"$hmac-md5$" + hex64(16) + "$" + b64(128), true}, {"$hmac-md5$" + hex64(16) + "$" + b64(129), false}, {"$hmac-md5$" + hex64(17) + "$", false}, {"$hmac-sha512$" + hex64(64) + "$", true},
		{"$hmac-md4$" + hex64(16) + "$", false}, {"$hmac-sha3$" + hex64(16) + "$", false}, {"$hmac-md5$" + hex64(16), false}, {"$hmac-md5$" + hex64(16) + "$!", false}, {"$hmac-md5$!$", false},
		{"$pbkdf2-sha1$i=1,l=16$" + raw64(64) + "$" + raw64(16), true}, {"$pbkdf2-sha1$i=1,l=16$" + raw64(65) + "$" + raw64(16), false}, {"$pbkdf2-sha1$i=1,l=15$$" + raw64(15), false},
		{"$pbkdf2-sha1$i=1,l=64$$" + raw64(64), true}, {"$pbkdf2-sha1$i=1,l=65$$" + raw64(65), true}, {"$pbkdf2-sha1$i=1,l=17$$" + raw64(16), true}, {"$pbkdf2-sha1$i=1,l=4294967295$$" + raw64(16), true},
		{"$pbkdf2-sha1$i=1,l=256$$" + raw64(256), true}, {"$pbkdf2-sha1$i=1,l=257$$" + raw64(257), false},
		{"$pbkdf2-sha1$i=1,l=16,x=1$$" + raw64(16), false}, {"$pbkdf2-sha1$i=1$$" + raw64(16), false}, {"$pbkdf2-sha1$i=1,l=16$$" + b64(16), false}, {"$pbkdf2-sha1$i=1,l=16$" + raw64(16), false},
		{"$scrypt$ln=64,r=8,p=1$$" + b64(16), true}, {"$scrypt$ln=63,r=8,p=1$$" + b64(16), false}, {"$scrypt$ln=65,r=8,p=1$$" + b64(16), false}, {"$scrypt$ln=64,r=8$$" + b64(16), false},
		{"$scrypt$ln=64,r=8,p=1,x=1$$" + b64(16), false}, {"$scrypt$ln=64,r=8,p=1$" + b64(16), false}, {"$scrypt$ln=64,r=8,p=1$$" + raw64(16), false},
	} {
		c.check(t, named("kratos"))
	}
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
	for _, c := range []struct {
		form   string
		bounds []bound
	}{
		{"aspnet", []bound{{"", false}, {"!", false}, {aspnet([]byte{0}, 48), true}, {aspnet([]byte{0}, 47), false}, {aspnet([]byte{0}, 49), false}, {aspnet([]byte{2}, 48), false},
			{aspnet([]byte{1}, 11), false}, {aspnet([]byte{1}, 12), false}, {aspnet([]byte{1, 0, 0, 1, 0, 0, 0, 0, 1}, 40), false},
			{v3(0, 16, 32), true}, {v3(2, 16, 32), true}, {v3(3, 16, 32), false}, {v3(0, 33, 32), false}, {v3(0, 16, 31), false}}},
		{"pbkdf2-sha1", []bound{{"{PKCS5S2}" + b64(48), true}, {"{PKCS5S2}" + b64(47), false}, {"{PKCS5S2}" + b64(49), false}, {"{PKCS5S2}!", false}, {"$pbkdf2$1$$" + raw64(16), true}, {"$pbkdf2$1$!$" + raw64(16), false},
			{"$pbkdf2$1$" + raw64(16), false}}},
		{"md5-crypt", []bound{{"$1$saltsalt$" + hash64(22), true}, {"$1$saltsalts$" + hash64(22), false}, {"$1$a:b$" + hash64(22), false}, {"$1$saltsalt$" + hash64(23), false}}},
		{"sha512-crypt", []bound{{"$6$1234567890123456$" + hash64(86), true}, {"$6$12345678901234567$" + hash64(86), false}, {"$6$a:b$" + hash64(86), false}, {"$6$a$" + hash64(85) + "!", false},
			{"$6$rounds=1000$a$" + hash64(86), true}, {"$6$rounds=999$a$" + hash64(86), false}, {"$6$rounds=05000$a$" + hash64(86), false}, {"$6$rounds=999999999$a$" + hash64(86), true}, {"$6$rounds=1000000000$a$" + hash64(86), false}}},
		{"django", []bound{{"md5$salt$" + strings.Repeat("0", 40), false}, {"md5$salt$" + strings.Repeat("0", 31), false}, {"sha1$$" + strings.Repeat("A", 40), false}, {"pbkdf2_sha1$1$salt$" + b64(20), true}, {"pbkdf2_sha1$0$salt$" + b64(20), false}}},
		{"werkzeug", []bound{{"pbkdf2:md5:1000$salt$" + strings.Repeat("0", 32), true}, {"pbkdf2:md4:1000$salt$" + strings.Repeat("0", 32), false}, {"pbkdf2:sha1:1000$salt$00", false}, {"scrypt:4:8:1$salt$" + strings.Repeat("0", 128), true}, {"scrypt:3:8:1$salt$" + strings.Repeat("0", 128), false}, {"sha256$$" + strings.Repeat("0", 64), false}}},
		{"spring", []bound{{"{MD5}" + strings.Repeat("0", 32), true}, {"{MD5}x}" + strings.Repeat("0", 32), false}, {"{noop}password", false}, {"{pbkdf2}00", false}, {"{scrypt}$1f0101$$" + b64(32), true}, {"{scrypt}$200101$$" + b64(32), false}, {"{scrypt}$ffffffffff$$" + b64(32), false}, {"{sha256}" + strings.Repeat("0", 78), false}}},
		{"phpass", []bound{{"$P$5" + hash64(30), true}, {"$P$4" + hash64(30), false}, {"$P$S" + hash64(30), true}, {"$P$T" + hash64(30), false}, {"$P$5" + hash64(31), false}, {"$P$5" + hash64(29), false}, {"$P$5" + hash64(29) + "!", false}}},
		{"drupal", []bound{{"$S$5" + hash64(51), true}, {"$S$5" + hash64(50), false}, {"U$S$5" + hash64(51), true}, {"U$S$4" + hash64(51), false}}},
		{"ldap", []bound{{"{SSHA}" + b64(20+128), true}, {"{SSHA}" + b64(20+129), false}, {"{SSHA}" + b64(20), false}, {"{SHA}" + b64(20), true}, {"{SHA}" + b64(21), false}}},
		{"web2py", []bound{{"pbkdf2(1000,20,sha512)$salt$" + strings.Repeat("0", 40), true}, {"pbkdf2(1000,20,sha512)$salt$" + strings.Repeat("0", 38), false}}},
		{"mediawiki", []bound{{":pbkdf2:sha256:1000:32:AAAA:" + b64(32), true}, {":pbkdf2:sha256:1000:32:AAAA:" + b64(18), false}, {":pbkdf2:sha256:1000:18:AAAA:" + b64(32), false}}},
		{"bcrypt-old", []bound{{"$bcrypt-sha256$2b,4$" + hash64(22) + "$" + hash64(31), true}, {"$bcrypt-sha256$2b,4$" + hash64(21) + "$" + hash64(32), false}, {"$bcrypt-sha256$2b,4$" + hash64(53) + "$", false}}},
		{"yescrypt", []bound{{"$y$j9T$" + hash64(86) + "$" + hash64(43), true}, {"$y$j9T$" + hash64(87) + "$" + hash64(43), false}, {"$y$j9T$" + hash64(7) + "$" + hash64(43), true}, {"$y$j9T$" + hash64(5) + "$" + hash64(43), false},
			{"$y$j9T$$" + hash64(42), false}, {"$y$j9T$$" + hash64(44), false}, {"$y$jTT$$" + hash64(43), false}, {"$y$j9$$" + hash64(43), false}, {"$y$$$" + hash64(43), false}, {"$y$j9T$$" + hash64(43) + "$", false},
			{"$y$/9T$$" + hash64(43), false}, {"$y$.9T$$" + hash64(43), false}, {"$y$j9T.$$" + hash64(43), false}, {"$y$j9T2$$" + hash64(43), false}}},
	} {
		for _, b := range c.bounds {
			b.check(t, named(c.form))
		}
	}
}
