// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto"
	"errors"
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
	return policyOf(t, f)
}

// What md5sum and its siblings of coreutils 9.1 make of printf's output, with nothing around it,
// with the salt in hexadecimal, twice, before the sum and after it, and in capitals.
func TestDigestOfSums(t *testing.T) {
	for _, c := range []struct {
		DigestForm
		password, encoded string
	}{
		{DigestForm{Name: "bare", Hash: crypto.MD5, Input: "{password}", Stored: "{sum:hex}"}, "pässwörd €", "ef3fb7c474b0972dcb2757c6e8f8270b"},
		{DigestForm{Name: "hex", Hash: crypto.SHA1, Input: "{salt}{password}", Stored: "{salt:hex}:{sum:hex}"}, "pw", "01Ff10:2eae48b7fab19c645cf99e4aeea5bcf28b613d6d"},
		{DigestForm{Name: "twice", Hash: crypto.SHA384, Input: "{salt}{password}{salt}", Stored: "{sum:hex}{salt}"}, "pw", "5b634cf9b6c42c8b7c6e1cf4e94dd9be6138bad79c17f72f5ab83a6159efeb8cd206024a82be10bd89e15609d1d293d0salt"},
		{DigestForm{Name: "joined", Hash: crypto.SHA1, Input: "{salt}{password}", Stored: "{salt:hex}{sum:hex}"}, "pw", "01Ff102eae48b7fab19c645cf99e4aeea5bcf28b613d6d"},
		{DigestForm{Name: "capitals", Hash: crypto.SHA224, Input: "{salt}{password}", Stored: "{salt}{sum:hex}"}, "pw", "salt5A4F541BEA25DA1B1361ED40352F00736EE1574739584ABE39D7D37C"},
		{DigestForm{Name: "pepper", Hash: crypto.SHA224, Input: "sal{password}", Stored: "x{sum:hex}y"}, "tpw", "x5A4F541BEA25DA1B1361ED40352F00736EE1574739584ABE39D7D37Cy"},
		// of sha1sum and md5sum, one inside of the other: md5(sha1(pw)salt)
		{DigestForm{Name: "nested", Hash: crypto.MD5, Input: "sha1({password}){salt}", Stored: "{sum:hex}:{salt}"}, "pw", "7dfea14adec895cece7db690c1bf0ac5:salt"},
		// of Python's hashlib
		{DigestForm{Name: "pbkdf2", Hash: crypto.SHA256, Stored: "{i}:{salt}:{sum:hex}"}, "pw", "1000:salt:0a38253555ce37f5c72a6b703f996814ebf241f203af146e93dcdeb031c5567e"},
		{DigestForm{Name: "fixed", Hash: crypto.SHA256, Iterations: 1000, Stored: "{salt}:{sum:hex}"}, "pw", "salt:0a38253555ce37f5c72a6b703f996814ebf241f203af146e93dcdeb031c5567e"},
		{DigestForm{Name: "scrypt", Stored: "s${n}${r}${p}${salt}${sum:hex}"}, "pw", "s$16$8$1$salt$c5d06c368e4a07b8a98e9a06773fcf4a639bb03b909af99f94497747f828184e"},
		// of Kratos' tests, in a form that has base64
		{DigestForm{Name: "percent", Hash: crypto.SHA1, Input: "{password}%%{salt}", Stored: "p=%${salt:base64}${sum:base64}"}, "test", "p=%$NW9wbWtnejAzcg==$YX0AW8/MW5ojUlnzTaR43ucHCog="},
		{DigestForm{Name: "dollar", Hash: crypto.SHA1, Input: "${password}${salt}$", Stored: "${salt:base64}${sum:base64}"}, "test", "$NW9wbWtnejAzcg==$iE5n1yjX3oAdxRHwZ4u57I4LpQo="},
	} {
		p := described(t, c.DigestForm)
		if r, err := password.Verify(p, []byte(c.password), c.encoded); err != nil || !r.NeedsRehash {
			t.Errorf("%s: %+v, %v", c.Name, r, err)
		}
		if _, err := password.Verify(p, []byte(c.password+" "), c.encoded); !errors.Is(err, password.ErrMismatch) {
			t.Errorf("%s with another password: %v", c.Name, err)
		}
		for _, other := range []string{c.encoded + "\t", c.encoded[1:], c.encoded[:len(c.encoded)-1], c.encoded + strings.Repeat("x", 70)} {
			if _, err := password.Verify(p, []byte(c.password), other); err == nil {
				t.Errorf("%s: %q is a match", c.Name, other)
			}
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
		p := described(t, DigestForm{Name: "shop", Hash: crypto.MD5, Input: "{password}", Stored: stored})
		wrapped, err := password.Wrap(p, encoded)
		if err != nil || wrapped == encoded {
			t.Errorf("%s: %s, %v", encoded, wrapped, err)
		}
		if !matches(t, p, "secret", wrapped) || matches(t, p, "Secret", wrapped) {
			t.Errorf("%s is not of its password alone", wrapped)
		}
	}
}

// A description that can't be is refused, and nothing of the Input, which may hold a pepper, is
// told.
func TestDigestForm(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		d    DigestForm
		good bool
	}{
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "{password}" + x(128), Stored: "{sum:hex}"}, true}, {DigestForm{Name: "x", Hash: crypto.MD5, Input: "{password}" + x(129), Stored: "{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "{salt}{password}" + x(128), Stored: "{salt}{sum:hex}"}, true}, {DigestForm{Name: "x", Hash: crypto.MD5, Input: "{password}", Stored: "{salt}{salt:hex}{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "{salt}{password}", Stored: "{salt}{salt}{sum:hex}"}, false}, {DigestForm{Name: "x", Hash: crypto.SHA3_256, Input: "pepper{password}", Stored: "{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: 0, Input: "pepper{password}", Stored: "{sum:hex}"}, false}, {DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper", Stored: "{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "{password}pepper{password}", Stored: "{sum:hex}"}, true}, {DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{sum}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{sum:hex}{sum:base64}"}, false}, {DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{salt}{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{salt}{password}", Stored: "{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{salt:foo}{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{hash}{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{ssha}{foo:bar}{sum:hex}"}, true},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{salt16+sum16:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{sum:hex}{i}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Stored: "{salt:hex}{i}{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Stored: "{salt:hex}:{i}:{sum:hex}"}, true},
		{DigestForm{Name: "x", Hash: crypto.MD5, Stored: "{salt:hex}:{i}:{sum:hex}", Iterations: 5}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Stored: "{salt:hex}:{sum:hex}", Iterations: 5}, true},
		{DigestForm{Name: "x", Hash: crypto.MD5, Stored: "{sum:hex}", Iterations: 5}, false},
		{DigestForm{Name: "x", Stored: "{n}:{r}:{p}:{salt}:{sum:raw64}"}, true},
		{DigestForm{Name: "x", Stored: "{n}:{ln}:{r}:{p}:{salt}:{sum:raw64}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Stored: "{n}:{r}:{p}:{salt}:{sum:raw64}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "md5(md5(pepper{password}){salt})", Stored: "{sum:hex}:{salt}"}, true},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "md5(md5(pepper{password}{salt}", Stored: "{sum:hex}:{salt}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{salt:b64}:{sum:hex}"}, false}, {DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{salt8:b64}:{sum:hex}"}, false}, {DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{hash}:{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{sum}:{sum:hex}"}, false}, {DigestForm{Name: "x", Hash: crypto.SHA1, Iterations: 9, Stored: "{i:hex}:{salt}:{sum:hex}"}, false},
		{DigestForm{Name: "x", Hash: crypto.MD5, Input: "pepper{password}", Stored: "{Hash}{md5}{sum:hex}"}, true},
	} {
		if _, err := Digest(c.d); (err == nil) != c.good || err != nil && strings.Contains(err.Error(), "pepper") {
			t.Errorf("%+v: %v; want none: %v", c.d, err, c.good)
		}
	}
	of := func(hash crypto.Hash, input, stored string) password.Format {
		f, err := Digest(DigestForm{Name: "x", Hash: hash, Input: input, Stored: stored})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, hash := range []crypto.Hash{crypto.MD5, crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512} {
		f := of(hash, "{password}", "{sum:base64}")
		for _, c := range []bound{{b64(hash.Size()), true}, {b64(hash.Size() - 3), false}, {b64(hash.Size() + 3), false}, {b64(hash.Size()) + "=", false}, {"x", false}} {
			c.check(t, f)
		}
		if size := hash.Size(); size%3 != 0 {
			bound{raw64(size), false}.check(t, f)
		}
	}
	f := of(crypto.MD5, "{password}{salt}", "x{salt}{sum:hex}")
	sum := strings.Repeat("0", 32)
	for _, c := range []bound{{"x" + sum, true}, {"x" + strings.Repeat("é", 64) + sum, true}, {"x" + strings.Repeat("é", 64) + "x" + sum, false}, {"x", false}, {"y" + sum, false}} {
		c.check(t, f)
	}
	f = of(crypto.MD5, "{password}{salt}{salt}", "{salt:hex}:{sum:hex}")
	for _, c := range []bound{{strings.Repeat("00", 64) + ":" + sum, true}, {strings.Repeat("00", 65) + ":" + sum, false}, {"0:" + sum, false}} {
		c.check(t, f)
	}
	f = of(crypto.MD5, "{password}{salt}", "{salt:base64}:{sum:hex}")
	for _, c := range []bound{{b64(64) + ":" + sum, true}, {"AA=A:" + sum, false}, {"AAAAA:" + sum, false}} {
		c.check(t, f)
	}
}
