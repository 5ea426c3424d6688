// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fount/password"
)

// described is the form that a text describes.
func described(t *testing.T, stored string) password.Format {
	t.Helper()
	f, err := Digest("x", stored)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What md5sum and its siblings of coreutils 9.1 make of printf's output, with nothing around it,
// with the salt in hexadecimal, twice, before the sum and after it, and in capitals.
func TestDigestOfSums(t *testing.T) {
	for _, c := range []struct{ name, stored, password, encoded string }{
		{
			name:     "bare",
			stored:   "{md5({password}):hex}",
			password: "pässwörd €",
			encoded:  "ef3fb7c474b0972dcb2757c6e8f8270b",
		},
		{
			name:     "salt in hexadecimal",
			stored:   "{salt:hex}:{sha1({salt}{password}):hex}",
			password: "pw",
			encoded:  "01Ff10:2eae48b7fab19c645cf99e4aeea5bcf28b613d6d",
		},
		{
			name:     "salt twice",
			stored:   "{sha384({salt}{password}{salt}):hex}{salt}",
			password: "pw",
			encoded:  "5b634cf9b6c42c8b7c6e1cf4e94dd9be6138bad79c17f72f5ab83a6159efeb8cd206024a82be10bd89e15609d1d293d0salt",
		},
		{
			name:     "joined",
			stored:   "{salt:hex}{sha1({salt}{password}):hex}",
			password: "pw",
			encoded:  "01Ff102eae48b7fab19c645cf99e4aeea5bcf28b613d6d",
		},
		{
			name:     "capitals",
			stored:   "{salt}{sha224({salt}{password}):hex}",
			password: "pw",
			encoded:  "salt5A4F541BEA25DA1B1361ED40352F00736EE1574739584ABE39D7D37C",
		},
		{
			name:     "pepper",
			stored:   "x{sha224(sal{password}):hex}y",
			password: "tpw",
			encoded:  "x5A4F541BEA25DA1B1361ED40352F00736EE1574739584ABE39D7D37Cy",
		},
		// of sha1sum and md5sum, one inside of the other: md5(sha1(pw)salt)
		{
			name:     "nested",
			stored:   "{md5(sha1({password}){salt}):hex}:{salt}",
			password: "pw",
			encoded:  "7dfea14adec895cece7db690c1bf0ac5:salt",
		},
		// of Python's hashlib
		{
			name:     "parentheses",
			stored:   "{md5({password}(x)):hex}",
			password: "pw",
			encoded:  "1f7f60cfd25c0cb780bc44c974319725",
		},
		{
			name:     "PBKDF2",
			stored:   "{i}:{salt}:{pbkdf2-sha256:hex}",
			password: "pw",
			encoded:  "1000:salt:0a38253555ce37f5c72a6b703f996814ebf241f203af146e93dcdeb031c5567e",
		},
		{
			name:     "PBKDF2 without iterations",
			stored:   "{salt}:{pbkdf2-sha256(1000):hex}",
			password: "pw",
			encoded:  "salt:0a38253555ce37f5c72a6b703f996814ebf241f203af146e93dcdeb031c5567e",
		},
		{
			name:     "scrypt",
			stored:   "s${n}${r}${p}${salt}${scrypt:hex}",
			password: "pw",
			encoded:  "s$16$8$1$salt$c5d06c368e4a07b8a98e9a06773fcf4a639bb03b909af99f94497747f828184e",
		},
		// of Kratos' tests, in a form that has base64
		{
			name:     "percent",
			stored:   "p=%${salt:base64}${sha1({password}%%{salt}):base64}",
			password: "test",
			encoded:  "p=%$NW9wbWtnejAzcg==$YX0AW8/MW5ojUlnzTaR43ucHCog=",
		},
		{
			name:     "dollar",
			stored:   "${salt:base64}${sha1(${password}${salt}$):base64}",
			password: "test",
			encoded:  "$NW9wbWtnejAzcg==$iE5n1yjX3oAdxRHwZ4u57I4LpQo=",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := policyOf(t, described(t, c.stored))
			if r, err := password.Verify(p, []byte(c.password), c.encoded); err != nil || !r.NeedsRehash {
				t.Errorf("%+v, %v", r, err)
			}
			if _, err := password.Verify(p, []byte(c.password+" "), c.encoded); !errors.Is(err, password.ErrMismatch) {
				t.Errorf("another password: %v", err)
			}
			for _, other := range []string{c.encoded + "\t", c.encoded[1:], c.encoded[:len(c.encoded)-1], c.encoded + strings.Repeat("x", 70)} {
				if _, err := password.Verify(p, []byte(c.password), other); err == nil {
					t.Errorf("%q is a match", other)
				}
			}
		})
	}
}

// A sum is wrapped in whatever letters it is written, and wherever in the string.
func TestDigestWrapped(t *testing.T) {
	const sum = "5ebe2294ecd0e0f08eab7690d2a6ee69" // of secret
	for stored, encoded := range map[string]string{
		"md5:{md5({password}):hex}":    "md5:" + sum,
		"MD5:{md5({password}):hex}":    "MD5:" + strings.ToUpper(sum),
		"{md5({password}):hex}, mixed": strings.ToUpper(sum[:16]) + sum[16:] + ", mixed",
		"{md5({password}):base64}.":    "Xr4ilOzQ4PCOq3aQ0qbuaQ==.",
	} {
		p := policyOf(t, described(t, stored))
		wrapped, err := password.Wrap(p, encoded)
		if err != nil || wrapped == encoded {
			t.Errorf("%s: %s, %v", encoded, wrapped, err)
		}
		if !matches(t, p, "secret", wrapped) || matches(t, p, "Secret", wrapped) {
			t.Errorf("%s is not of its password alone", wrapped)
		}
	}
}

// A description that can't be is refused, and nothing of what is digested, which may hold a pepper,
// is told.
func TestDescriptions(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, good := range []string{
		"{md5({password}" + x(128) + "):hex}",
		"{salt}{md5({salt}{password}" + x(128) + "):hex}",
		"{md5({password}pepper{password}):hex}",
		"{ssha}{foo:bar}{md5(pepper{password}):hex}",
		"{salt}+md5:{md5(pepper{password}{salt}):hex}",
		"{Hash}{md5}{md5(pepper{password}):hex}",
		"{md5(md5(md5(pepper{password}){salt})):hex}:{salt}",
		"{md5(pepper:)+(){password}):hex}",
		"{md5({password}{{salt}}):hex}:(x):{salt}",
		"{salt:hex}:{i}:{pbkdf2-md5:hex}",
		"{salt:hex}:{pbkdf2-md5(5):hex}",
		"{n}:{r}:{p}:{salt}:{scrypt:raw64}",
	} {
		described(t, good)
	}

	for _, bad := range []string{
		"{md5({password}" + x(129) + "):hex}",
		"{salt}{salt:hex}{md5({password}):hex}",
		"{salt}{salt}{md5({salt}{password}):hex}",
		"{sha3(pepper{password}):hex}",
		"{md5(pepper):hex}",
		"{md5(pepper{password})}",
		"{md5(pepper{password}):hex}{md5(pepper{password}):base64}",
		"{md5(pepper{password}):hex}:{foo(x):hex}",
		"{md5(pepper{password})}:{foo(x):hex}",
		"{md5(pepper}{password}):hex}",
		"{md5({password}):hex}{md5:hex}",
		"{n}:{r}:{p}:{salt}:{scrypt:hex}{md5(pepper):hex}",
		"{md5:hex}",
		"{sum:hex}",
		"{sum}:{md5({password}):hex}",
		"{salt}{md5(pepper{password}):hex}",
		"{md5(pepper{salt}{password}):hex}",
		"{salt:foo}{md5(pepper{password}):hex}",
		"{salt:b64}:{md5(pepper{password}{salt}):hex}",
		"{salt8:hex}:{md5(pepper{password}{salt}):hex}",
		"{hash}:{md5(pepper{password}):hex}",
		"{salt16+md5(pepper{password}{salt}):hex}",
		"{md5(pepper{password}):hex}{i}",
		"{md5(md5(pepper{password}:hex}",
		"{md5(md5(pepper{password}{salt}):hex}:{salt}",
		"{salt:hex}{i}{pbkdf2-md5:hex}",
		"{salt:hex}:{i}:{pbkdf2-md5(5):hex}",
		"{pbkdf2-md5(5):hex}",
		"{salt}:{pbkdf2-md5(pepper):hex}",
		"{salt}:{pbkdf2-md5(0):hex}",
		"{salt}:{pbkdf2-sha1:hex}",
		"{i:hex}:{salt}:{pbkdf2-sha1:hex}",
		"{n}:{ln}:{r}:{p}:{salt}:{scrypt:raw64}",
		"{n}:{r}:{salt}:{scrypt:raw64}",
		"{n}:{r}:{p}:{salt}:{scrypt(pepper):raw64}",
	} {
		if _, err := Digest("x", bad); err == nil || strings.Contains(err.Error(), "pepper") {
			t.Errorf("%s: %v; want an error without what is digested", bad, err)
		}
	}
}

// A described form reads sums of its size, and salts up to 128 bytes together with the text.
func TestBoundsOfDescriptions(t *testing.T) {
	for name, size := range map[string]int{"md5": 16, "sha1": 20, "sha224": 28, "sha256": 32, "sha384": 48, "sha512": 64} {
		t.Run(name, func(t *testing.T) {
			c := bounds{
				reads:   []string{b64(size)},
				refuses: []string{b64(size - 3), b64(size + 3), b64(size) + "=", "x"},
			}
			if size%3 != 0 {
				c.refuses = append(c.refuses, raw64(size))
			}
			c.check(t, described(t, fmt.Sprintf("{%s({password}):base64}", name)))
		})
	}

	sum := strings.Repeat("0", 32)
	longest := strings.Repeat("é", 64)
	for stored, c := range map[string]bounds{
		"x{salt}{md5({password}{salt}):hex}": {
			reads:   []string{"x" + sum, "x" + longest + sum},
			refuses: []string{"x" + longest + "x" + sum, "x", "y" + sum},
		},
		"{salt:hex}:{md5({password}{salt}{salt}):hex}": {
			reads:   []string{strings.Repeat("00", 64) + ":" + sum},
			refuses: []string{strings.Repeat("00", 65) + ":" + sum, "0:" + sum},
		},
		"{salt:base64}:{md5({password}{salt}):hex}": {
			reads:   []string{b64(64) + ":" + sum},
			refuses: []string{"AA=A:" + sum, "AAAAA:" + sum},
		},
	} {
		t.Run(stored, func(t *testing.T) { c.check(t, described(t, stored)) })
	}
}
