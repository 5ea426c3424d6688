// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
)

// stored returns the hashes of ../../testdata/hashes.txt, which others made.
func stored(t testing.TB) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if i := strings.LastIndex(line, " | "); i >= 0 && line[0] != '#' {
			all = append(all, strings.TrimSuffix(line[i+3:], "\n"))
		}
	}
	if len(all) < 100 {
		t.Fatalf("hashes.txt has %d hashes", len(all))
	}
	return all
}

func bytesOf(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*37 + n)
	}
	return b
}

// Each form, with numbers, salt and sum at their bounds.
var forms = []struct {
	text string
	hash Hash
}{
	{"$2a$04$", Hash{Algorithm: Bcrypt, Form: Modular, Minor: 'a', Cost: 4, Salt: bytesOf(16), Sum: bytesOf(23)}},
	{"$2b$10$", Hash{Algorithm: Bcrypt, Form: Modular, Minor: 'b', Cost: 10, Salt: bytesOf(16), Sum: bytesOf(23)}},
	{"$2y$31$", Hash{Algorithm: Bcrypt, Form: Modular, Minor: 'y', Cost: 31, Salt: bytesOf(16), Sum: bytesOf(23)}},
	{"$fount-bcrypt$v=1$r=31,keyid=ISE$", Hash{
		Algorithm: Bcrypt, Form: HMACSHA384, KeyID: "!!", Cost: 31, Salt: bytesOf(16), Sum: bytesOf(23)}},
	{"$bcrypt-sha256$v=2,t=2b,r=4$", Hash{
		Algorithm: Bcrypt, Form: PasslibSHA256, Minor: 'b', Cost: 4, Salt: bytesOf(16), Sum: bytesOf(23)}},
	{"$argon2id$v=19$m=8,t=1,p=1$", Hash{
		Algorithm: Argon2id, Form: PHC, Memory: 8, Iterations: 1, Parallelism: 1, Salt: bytesOf(8), Sum: bytesOf(16)}},
	{"$argon2i$v=19$m=4294967295,t=4294967295,p=16777215,keyid=fn5+fn5+fn4$", Hash{
		Algorithm: Argon2i, Form: PHC, KeyID: "~~~~~~~~", Memory: 1<<32 - 1, Iterations: 1<<32 - 1, Parallelism: 1<<24 - 1,
		Salt: bytesOf(64), Sum: bytesOf(64)}},
	{"$argon2d$v=19$m=64,t=3,p=4,keyid=azE$", Hash{
		Algorithm: Argon2d, Form: PHC, KeyID: "k1", Memory: 64, Iterations: 3, Parallelism: 4,
		Salt: bytesOf(9), Sum: bytesOf(17)}},
	{"$argon2id$v=19$m=65536,p=4,t=3$", Hash{
		Algorithm: Argon2id, Form: PHCNode, Memory: 65536, Iterations: 3, Parallelism: 4, Salt: bytesOf(16), Sum: bytesOf(32)}},
	{"$argon2i$v=16$m=64,t=3,p=4$", Hash{
		Algorithm: Argon2i, Form: PHC, Version: V16, Memory: 64, Iterations: 3, Parallelism: 4, Salt: bytesOf(16), Sum: bytesOf(32)}},
	{"$argon2d$m=64,t=3,p=4$", Hash{
		Algorithm: Argon2d, Form: PHC, Version: V16X, Memory: 64, Iterations: 3, Parallelism: 4, Salt: bytesOf(16), Sum: bytesOf(32)}},
	{"$scrypt$ln=63,r=1073741823,p=1$", Hash{
		Algorithm: Scrypt, Form: PHC, Cost: 63, BlockSize: 1<<30 - 1, Parallelism: 1, Salt: []byte{}, Sum: bytesOf(32)}},
	{"$7$C6..../....", Hash{
		Algorithm: Scrypt, Form: Modular, Cost: 14, BlockSize: 8, Parallelism: 1,
		Salt: []byte("SodiumChloride"), Sum: bytesOf(32)}},
	{"$pbkdf2-sha256$4294967295$", Hash{
		Algorithm: PBKDF2SHA256, Form: Modular, Iterations: 1<<32 - 1, Salt: bytesOf(8), Sum: bytesOf(32)}},
	{"$pbkdf2-sha512$1$", Hash{
		Algorithm: PBKDF2SHA512, Form: Modular, Iterations: 1, Salt: bytesOf(64), Sum: bytesOf(64)}},
	{"$pbkdf2-sha512$i=220000,keyid=azE$", Hash{
		Algorithm: PBKDF2SHA512, Form: PHC, KeyID: "k1", Iterations: 220000, Salt: bytesOf(10), Sum: bytesOf(20)}},
}

func TestForms(t *testing.T) {
	longest := 0
	for _, f := range forms {
		s := f.hash.String()
		longest = max(longest, len(s))
		if !strings.HasPrefix(s, f.text) {
			t.Errorf("%s, want it to begin with %s", s, f.text)
		}
		got, err := Parse(s)
		if err != nil || !reflect.DeepEqual(got, f.hash) {
			t.Errorf("%s:\n%+v, %v, want\n%+v", s, got, err, f.hash)
		}
	}

	if longest > 260 {
		t.Errorf("the longest has %d bytes; the comment on MaxLen says 260", longest)
	}
}

// No hash is well formed once it is cut, or has a byte more.
func TestCutAndExtended(t *testing.T) {
	for _, s := range stored(t) {
		if h, err := Parse(s); err != nil || h.String() != s {
			t.Errorf("%s: %v", s, err)
		}
		whole, _ := Parse(s)

		for n := range len(s) {
			// A sum may be cut by whole groups where its length is free.
			if h, err := Parse(s[:n]); err == nil && len(h.Sum) >= len(whole.Sum) {
				t.Errorf("%s cut to %d bytes is taken for %+v", s, n, h)
			}
		}

		for _, more := range []string{"\x00", "\n", "\r\n", " ", "=", "$", "$x", ","} {
			if _, err := Parse(s + more); err == nil {
				t.Errorf("%s with %q behind is well formed", s, more)
			}
			if _, err := Parse(more + s); err == nil {
				t.Errorf("%s with %q before is well formed", s, more)
			}
		}
	}
}

// A parsed hash holds nothing that String would not write again, so that one
// hash has one text. The exceptions are bcrypt's unused bits and PBKDF2's l.
func FuzzParse(f *testing.F) {
	for _, s := range stored(f) {
		f.Add(s)
	}
	for _, h := range forms {
		f.Add(h.hash.String())
	}
	for _, s := range []string{
		"", "$", "$$$$", "$2b$", "$2x$05$", "$7$", "$argon2id$", "$scrypt$ln=1,r=1,p=1$", "$pbkdf2-sha256$i=1,l=32$$",
		"$2b$05$abcdefghijklmnopqrstuvWHxnxkyNt6AHCwFMQaY6auyqJA8E98a",
		"$pbkdf2-sha256$i=1000,l=32$MDEyMzQ1Njc4OWFiY2RlZg$gAwJW5vx5itn2V9KHlEUjyUCrpDYgKyQf0gMaHGx1h4",
		"$argon2id$v=19$m=64,t=2,p=1,keyid=azE$MDEyMzQ1Njc4OWFiY2RlZg\n$gAwJW5vx5itn2V9KHlEUjyUCrpDYgKyQf0gMaHGx1h4",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := Parse(s)
		if err != nil {
			if !reflect.DeepEqual(h, Hash{}) {
				t.Errorf("%q: an error and %+v", s, h)
			}
			if text := err.Error(); len(s) > 16 && strings.Contains(text, s) {
				t.Errorf("the error holds what was read: %q", text)
			}
			return
		}
		written := h.String()
		if written != s && !h.Loose && !strings.Contains(s, ",l=") {
			t.Errorf("%q is written again as %q", s, written)
		}
		h.Loose = false
		if again, err := Parse(written); err != nil || !reflect.DeepEqual(again, h) {
			t.Errorf("%q, written as %q, is read as\n%+v, %v, want\n%+v", s, written, again, err, h)
		}
		if h.Numbers() != nil || h.sizes() != nil {
			t.Errorf("%q: out of bounds: %+v", s, h)
		}
	})
}

// A string that is not read gets an error that says what it is and repeats no more of it than the
// beginning of its form.
func TestForeign(t *testing.T) {
	const (
		bcrypt = "$2y$10$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a"
		md5    = "1e0a9bcb1b4a2f3d5c6e7f8091a2b3c4"
	)

	for want, stored := range map[error][]string{
		errEmpty:            {""},
		errNone:             {"!", "*", "!$6$abcdefgh$T3Zq0Vl5"},
		errDES:              {"ab01FAX.bQRSU"},
		errBare:             {md5, strings.ToUpper(md5), md5 + md5},
		errBraces:           {"{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g="},
		errBcrypt:           {"$2b$05$" + strings.Repeat("x", 54)},
		errTooLong:          {"$6$" + strings.Repeat("x", MaxLen-2)},
		ErrSpace:            {" " + bcrypt, bcrypt + "\r\n", "$6$abcdefgh$T3Zq0Vl5 "},
		unreadError("$2$"):  {"$2$" + bcrypt[4:]},
		unreadError("$gy$"): {"$gy$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7"},
		errLine: {
			"ada:" + bcrypt, "ada," + bcrypt, `1;"` + bcrypt + `";x`, "ada\t" + md5,
			"ada:$6$abcdefgh$T3Zq0Vl5:19000:0:99999:7:::",
			"ada:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=",
			"ada:ab01FAX.bQRSU",
			"root:!:19000:0:99999:7:::",
			"1 | pbkdf2_sha256$1000$somesalt$RdescudvJCs",
		},
		errMarked: {
			"$1$abcdefgh$G//4keteveJp0qb8z2DxG/", "$2x$" + bcrypt[4:], "$6$" + strings.Repeat("x", MaxLen-3),
			"md5$$" + md5, "pbkdf2_sha256$1000$somesalt$RdescudvJCsgt3ub", "$unknown$x", "$unknown$m=1,t=2$x",
		},
		ErrForeign: {
			md5[:24] + md5[:24], md5[:31] + "g", "{curly", "ab01FAX.bQRS!", "one:two:three", "a$b",
			"correct horse battery staple", "p4ssw0rd:with a colon", "ada, lovelace, 1815",
		},
	} {
		t.Run(want.Error(), func(t *testing.T) {
			for _, s := range stored {
				_, err := Parse(s)
				if !errors.Is(err, want) {
					t.Errorf("%q: %v", s, err)
					continue
				}
				for i := range max(0, len(s)-11) {
					if strings.Contains(err.Error(), s[i:i+12]) {
						t.Errorf("%q: the error repeats it: %v", s, err)
					}
				}
			}
		})
	}
}
