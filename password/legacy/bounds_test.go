// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// The parsers at the bounds of what they read: on each side of each, and of each part that can be
// wrong.

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"fount/password"
)

// errOther stands for no error and nothing parsed: a string of another form.
var errOther = errors.New("another form")

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

// A bound is a string, and the error that Parse returns for it.
type bound struct {
	encoded string
	want    error
}

func (c bound) check(t *testing.T, f password.Format) {
	t.Helper()
	parsed, err := f.Parse(c.encoded)
	if c.want == errOther {
		if parsed != nil || err != nil {
			t.Errorf("%s: %.150q: %+v, %v; want another form", f.Name(), c.encoded, parsed, err)
		}
	} else if !errors.Is(err, c.want) || (parsed == nil) != (err != nil) {
		t.Errorf("%s: %.150q: %+v, %v; want %v", f.Name(), c.encoded, parsed, err, c.want)
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
		{row(numbers, 63, 16, 1, 16), nil}, {row(numbers, 64, 16, 1, 16), errSizes}, {row(numbers, 1, 16, 63, 16), nil}, {row(numbers, 0, 16, 65, 16), errSizes},
		{row(numbers, 8, 15, 1, 15), errSizes}, {row(numbers, 8, 16, 1, 17), errSizes}, {row(numbers, 8, 64, 1, 64), nil},
		{with("ln=31,r=1,p=1"), nil}, {with("ln=32,r=1,p=1"), errNumber},
		{with("ln=1,r=255,p=1"), nil}, {with("ln=1,r=256,p=1"), errNumber}, {with("ln=1,r=1,p=255"), nil}, {with("ln=1,r=1,p=256"), errNumber},
		{with("ln=1,r=15,p=17"), nil}, {with("ln=1,r=16,p=16"), errNumber}, {with("ln=1,r=128,p=33554432"), errNumber}, {with("ln=1,r=33554432,p=128"), errNumber},
		{with("ln=1,r=1"), errParts}, {with("ln=1,r=1,p=1,x=1"), errParts}, {with("n=1,r=1,p=1"), errParts}, {with("ln=0,r=1,p=1"), errNumber},
		{with(numbers) + "$", errParts}, {with(numbers)[:40], errParts}, {strings.Replace(with(numbers), "AA==", "AA=", 1), errText}, {with(numbers) + "!", errText},
		{supabase(good), nil}, {supabase(good) + "$", errParts}, {supabase(good + ",x=1"), errParts}, {supabase("v=2" + good[3:]), errParts}, {supabase(strings.Replace(good, "ss", "sx", 1)), errParts},
		{supabase(strings.Replace(good, "sk", "sx", 1)), errParts}, {supabase(strings.Replace(good, "n=1", "n=x", 1)), errNumber}, {supabase(strings.Replace(good, "Bw==", "Bw", 1)), errText},
		{supabase(good) + "!", errText}, {"$fbscrypt$" + b64(8) + "$" + b64(16), errOther},
	} {
		c.check(t, Firebase())
	}
	bound{supabase(good), errOther}.check(t, project()) // which Firebase reads
	bound{"$fbscrypt$" + b64(8) + "$" + b64(64), nil}.check(t, project())
	bound{"$fbscrypt$" + b64(8) + "$" + b64(64) + "$", errParts}.check(t, project())
}

func TestBoundsOfKratos(t *testing.T) {
	pf := func(format string, salt, sum int) string {
		return "$md5$pf=" + text64(format) + "$" + b64(salt) + "$" + b64(sum)
	}
	const format = "{SALT}{PASSWORD}"
	for _, c := range []bound{
		{"md5$pf=", errOther}, {"$md5-crypt", errOther}, {"$md5-crypt$" + hash64(8) + "$" + hash64(22), nil}, {"$foo$pf=" + text64(format) + "$$", errOther}, {"$sha1$" + b64(8) + "$" + b64(20), errOther},
		{"$md5$" + b64(16), nil}, {"$md5$" + raw64(16), errOther}, {"$sha1$" + b64(16), errOther}, {"$md5$!" + b64(16), errText}, {"$md5$" + b64(13), errSizes}, {"$md5$x$" + b64(16), errOther},
		{pf(format, 128, 16), nil}, {pf(format, 129, 16), errSalt}, {pf("{SALT}{PASSWORD}{SALT}", 64, 16), nil}, {pf("{SALT}{PASSWORD}{SALT}", 65, 16), errSalt}, {pf("{PASSWORD}{SALT}", 129, 16), errSalt},
		{pf(format, 8, 17), errSizes}, {pf(format, 8, 16) + "$", errParts}, {pf("{SALT}", 8, 16), errFormat}, {pf(format+"{PASSWORD}", 8, 16), errFormat},
		{"$md5$pf=!$$" + b64(16), errText}, {"$md5$pf=" + text64(format) + "$!$" + b64(16), errText}, {"$md5$pf=" + text64(format) + "$$!", errText},
		{"$hmac-md5$" + hex64(16) + "$" + b64(128), nil}, {"$hmac-md5$" + hex64(16) + "$" + b64(129), errSizes}, {"$hmac-md5$" + hex64(17) + "$", errSizes}, {"$hmac-sha512$" + hex64(64) + "$", nil},
		{"$hmac-md4$" + hex64(16) + "$", errMD4}, {"$hmac-sha3$" + hex64(16) + "$", errOther}, {"$hmac-md5$" + hex64(16), errParts}, {"$hmac-md5$" + hex64(16) + "$!", errText}, {"$hmac-md5$!$", errText},
		{"$pbkdf2-sha1$i=1,l=16$" + raw64(64) + "$" + raw64(16), nil}, {"$pbkdf2-sha1$i=1,l=16$" + raw64(65) + "$" + raw64(16), errSizes}, {"$pbkdf2-sha1$i=1,l=15$$" + raw64(15), errSizes},
		{"$pbkdf2-sha1$i=1,l=64$$" + raw64(64), nil}, {"$pbkdf2-sha1$i=1,l=65$$" + raw64(65), errSizes}, {"$pbkdf2-sha1$i=1,l=17$$" + raw64(16), errLength}, {"$pbkdf2-sha1$i=1,l=4294967295$$" + raw64(16), errLength},
		{"$pbkdf2-sha1$i=1,l=16,x=1$$" + raw64(16), errParts}, {"$pbkdf2-sha1$i=1$$" + raw64(16), errParts}, {"$pbkdf2-sha1$i=1,l=16$$" + b64(16), errText}, {"$pbkdf2-sha1$i=1,l=16$" + raw64(16), errParts},
		{"$scrypt$ln=64,r=8,p=1$$" + b64(16), nil}, {"$scrypt$ln=63,r=8,p=1$$" + b64(16), errOther}, {"$scrypt$ln=65,r=8,p=1$$" + b64(16), errNumber}, {"$scrypt$ln=64,r=8$$" + b64(16), errOther},
		{"$scrypt$ln=64,r=8,p=1,x=1$$" + b64(16), errOther}, {"$scrypt$ln=64,r=8,p=1$" + b64(16), errOther}, {"$scrypt$ln=64,r=8,p=1$$" + raw64(16), errText},
	} {
		c.check(t, Kratos())
	}
	parsed, err := Kratos().Parse("$scrypt$ln=64,r=2,p=3$" + b64(8) + "$" + b64(16))
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
		f      password.Format
		bounds []bound
	}{
		{ASPNET(), []bound{{"", errOther}, {"!", errOther}, {aspnet([]byte{0}, 48), nil}, {aspnet([]byte{0}, 47), errOther}, {aspnet([]byte{0}, 49), errOther}, {aspnet([]byte{2}, 48), errOther},
			{aspnet([]byte{1}, 11), errOther}, {aspnet([]byte{1}, 12), errNumber}, {aspnet([]byte{1, 0, 0, 1, 0, 0, 0, 0, 1}, 40), errOther},
			{v3(0, 16, 32), nil}, {v3(2, 16, 32), nil}, {v3(3, 16, 32), errDigest}, {v3(0, 33, 32), errSizes}, {v3(0, 16, 31), errSizes}}},
		{PBKDF2SHA1(), []bound{{"{PKCS5S2}" + b64(48), nil}, {"{PKCS5S2}" + b64(47), errSizes}, {"{PKCS5S2}" + b64(49), errSizes}, {"{PKCS5S2}!", errText}, {"$pbkdf2$1$$" + raw64(16), nil}, {"$pbkdf2$1$!$" + raw64(16), errText},
			{"$pbkdf2$1$" + raw64(16), errParts}}},
		{MD5Crypt(), []bound{{"$1$saltsalt$" + hash64(22), nil}, {"$1$saltsalts$" + hash64(22), errSalt}, {"$1$a:b$" + hash64(22), errSalt}, {"$1$saltsalt$" + hash64(23), errParts}}},
		{SHA512Crypt(), []bound{{"$6$1234567890123456$" + hash64(86), nil}, {"$6$12345678901234567$" + hash64(86), errSalt}, {"$6$a:b$" + hash64(86), errSalt}, {"$6$a$" + hash64(85) + "!", errParts},
			{"$6$rounds=1000$a$" + hash64(86), nil}, {"$6$rounds=999$a$" + hash64(86), errNumber}, {"$6$rounds=05000$a$" + hash64(86), errNumber}, {"$6$rounds=999999999$a$" + hash64(86), nil}, {"$6$rounds=1000000000$a$" + hash64(86), errNumber}}},
		{Django(), []bound{{"md5$salt$" + strings.Repeat("0", 40), errSizes}, {"md5$salt$" + strings.Repeat("0", 31), errText}, {"sha1$$" + strings.Repeat("A", 40), errText}, {"pbkdf2_sha1$1$salt$" + b64(20), nil}, {"pbkdf2_sha1$0$salt$" + b64(20), errNumber}}},
		{Werkzeug(), []bound{{"pbkdf2:md5:1000$salt$" + strings.Repeat("0", 32), errDigest}, {"pbkdf2:sha1:1000$salt$00", errSizes}, {"scrypt:4:8:1$salt$" + strings.Repeat("0", 128), nil}, {"scrypt:3:8:1$salt$" + strings.Repeat("0", 128), errNumber}, {"sha256$$" + strings.Repeat("0", 64), errOther}}},
		{Spring(), []bound{{"{MD5}" + strings.Repeat("0", 32), nil}, {"{MD5}x}" + strings.Repeat("0", 32), errSalt}, {"{noop}password", errPlain}, {"{pbkdf2}00", errSizes}, {"{scrypt}$1f0101$$" + b64(32), nil}, {"{scrypt}$200101$$" + b64(32), errNumber}, {"{scrypt}$ffffffffff$$" + b64(32), errNumber}, {"{sha256}" + strings.Repeat("0", 78), errSizes}}},
		{PHPass(), []bound{{"$P$5" + hash64(30), nil}, {"$P$4" + hash64(30), errNumber}, {"$P$S" + hash64(30), nil}, {"$P$T" + hash64(30), errNumber}, {"$P$5" + hash64(31), errParts}, {"$P$5" + hash64(29), errParts}, {"$P$5" + hash64(29) + "!", errParts}}},
		{Drupal(), []bound{{"$S$5" + hash64(51), nil}, {"$S$5" + hash64(50), errParts}, {"U$S$5" + hash64(51), nil}, {"U$S$4" + hash64(51), errNumber}}},
		{LDAP(), []bound{{"{SSHA}" + b64(20+128), nil}, {"{SSHA}" + b64(20+129), errSalt}, {"{SSHA}" + b64(20), errSizes}, {"{SHA}" + b64(20), nil}, {"{SHA}" + b64(21), errSizes}}},
		{Yescrypt(), []bound{{"$y$j9T$" + hash64(86) + "$" + hash64(43), nil}, {"$y$j9T$" + hash64(87) + "$" + hash64(43), errSalt}, {"$y$j9T$" + hash64(7) + "$" + hash64(43), nil}, {"$y$j9T$" + hash64(5) + "$" + hash64(43), errSalt},
			{"$y$j9T$$" + hash64(42), errText}, {"$y$j9T$$" + hash64(44), errText}, {"$y$jTT$$" + hash64(43), errNumber}, {"$y$j9$$" + hash64(43), errParts}, {"$y$$$" + hash64(43), errParts}, {"$y$j9T$$" + hash64(43) + "$", errParts},
			{"$y$/9T$$" + hash64(43), errYescrypt}, {"$y$.9T$$" + hash64(43), errYescrypt}, {"$y$j9T.$$" + hash64(43), errYescrypt}, {"$y$j9T2$$" + hash64(43), errYescrypt}}},
	} {
		for _, b := range c.bounds {
			b.check(t, c.f)
		}
	}
}
