// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Hashes that others made, from testdata/hashes.txt: see testdata/make.py for the program or the
// file of each.

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"fount/password"
)

// sum64 is 64 bytes in base64.
var sum64 = strings.Repeat("A", 86) + "=="

type vector struct {
	maker    string
	password []byte
	encoded  string
}

func readVectors(t testing.TB) (all []vector) {
	t.Helper()
	text, err := os.ReadFile("testdata/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		field := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		if len(field) != 3 {
			t.Fatalf("testdata/hashes.txt: %q", line)
		}
		password, err := hex.DecodeString(field[1])
		if err != nil {
			t.Fatalf("testdata/hashes.txt: %q: %v", line, err)
		}
		all = append(all, vector{field[0], password, field[2]})
	}
	return all
}

// anyPolicy reads all forms, and makes what no form's hash is dearer than.
func anyPolicy() password.Policy {
	return password.Policy{Algorithm: password.Bcrypt, Cost: 15, Formats: All()}
}

// estimate is how long v takes on the machine of password.Limits, by its Format or by the costs of
// what it is in another dress.
func estimate(v vector) time.Duration {
	for _, f := range List() {
		if parsed, _ := f.Parse(v.encoded); parsed != nil && parsed.Hash == "" {
			return parsed.Time(len(v.password))
		}
	}
	i, _ := anyPolicy().Inspect(v.encoded)
	return 54*time.Millisecond<<i.Cost>>10 + time.Duration(i.Bytes)*4 + time.Duration(i.Iterations)*500
}

// Each is right for its password, and for no other. What takes more than 5 ms is asked of others,
// and what takes more than 40 ms of its own, only with FOUNT_LONG=1.
func TestVectors(t *testing.T) {
	long := os.Getenv("FOUNT_LONG") != ""
	seen := map[string]int{}
	for _, v := range readVectors(t) {
		for _, f := range List() {
			if parsed, _ := f.Parse(v.encoded); parsed != nil {
				seen[f.Name()]++
			}
		}
		took := estimate(v)
		if took > 40*time.Millisecond && !long {
			continue
		}
		r, err := password.Verify(anyPolicy(), v.password, v.encoded)
		if err != nil {
			t.Errorf("%s: %s: %v", v.maker, v.encoded, err)
			continue
		}
		if !r.NeedsRehash && len(v.password) <= 72 && bytes.IndexByte(v.password, 0) < 0 {
			t.Errorf("%s: %s needs no rehash", v.maker, v.encoded)
		}
		if took > 5*time.Millisecond && !long {
			continue
		}
		others := [][]byte{append(bytes.Clone(v.password), 'x'), v.password[:len(v.password)-1]}
		if !strings.HasPrefix(v.encoded, "$2x$") { // whose bug loses what is before a byte above 127
			flipped := bytes.Clone(v.password)
			flipped[0] ^= 4
			others = append(others, flipped)
		}
		for _, other := range others {
			if strings.Contains(v.encoded, "$2") && !strings.HasPrefix(v.encoded, "bcrypt_sha256") && len(v.password) >= 72 {
				break // bcrypt looks at 72 bytes
			}
			if _, err := password.Verify(anyPolicy(), other, v.encoded); !errors.Is(err, password.ErrMismatch) {
				t.Errorf("%s: %s with another password: %v; want ErrMismatch", v.maker, v.encoded, err)
			}
		}
	}
	for _, f := range List() {
		if seen[f.Name()] == 0 {
			t.Errorf("no vector of %s", f.Name())
		}
	}
}

// Cut or lengthened, none is taken for another hash of the password.
func TestCutAndExtended(t *testing.T) {
	for _, v := range readVectors(t) {
		for _, encoded := range []string{
			v.encoded + "\n", v.encoded + "$", v.encoded + " ", " " + v.encoded, v.encoded + "\x00", v.encoded[:len(v.encoded)-1], v.encoded[1:],
		} {
			if err := anyPolicy().Check(encoded); err == nil {
				if _, err := password.Verify(anyPolicy(), v.password, encoded); err == nil {
					t.Errorf("%s: %q is a match", v.maker, encoded)
				}
			}
		}
	}
}

// What nobody waits for, or may take, is refused before any work, and named.
func TestRefused(t *testing.T) {
	sum86, sum43, sum22 := strings.Repeat("a", 86), strings.Repeat("a", 43), strings.Repeat("a", 22)
	for encoded, want := range map[string]error{
		"$6$rounds=999999999$saltsalt$" + sum86:                                      password.ErrCost,
		"$5$rounds=999999999$saltsalt$" + sum43:                                      password.ErrCost,
		"$6$rounds=1000000000$saltsalt$" + sum86:                                     password.ErrMalformed,
		"$6$rounds=999$saltsalt$" + sum86:                                            password.ErrMalformed,
		"$6$rounds=05000$saltsalt$" + sum86:                                          password.ErrMalformed,
		"$6$12345678901234567$" + sum86:                                              password.ErrMalformed,
		"$6$saltsalt$" + strings.Repeat("a", 10_000):                                 password.ErrMalformed,
		"$1$a:b$" + sum22:                                                            password.ErrMalformed,
		"$6$a:b$" + sum86:                                                            password.ErrMalformed,
		"md5$salt$" + strings.Repeat("0", 40):                                        password.ErrMalformed,
		"{MD5}x}" + strings.Repeat("0", 32):                                          password.ErrMalformed,
		"AQAAAAEAAAABAAAALQ" + strings.Repeat("A", 54):                               password.ErrMalformed, // 41 bytes behind the numbers, and a salt of 45
		"$1$123456789$" + sum22:                                                      password.ErrMalformed,
		"$P$Z12345678" + sum22:                                                       password.ErrMalformed,
		"$P$S12345678" + sum22:                                                       password.ErrCost, // 2^30
		"$S$S12345678" + sum43:                                                       password.ErrCost,
		"pbkdf2_sha1$4294967295$salt$" + "AAAAAAAAAAAAAAAAAAAAAAAAAAA=":              password.ErrCost,
		"pbkdf2_sha256$4294967295$salt$" + strings.Repeat("A", 43) + "=":             password.ErrCost,
		"pbkdf2_sha1$0$salt$" + "AAAAAAAAAAAAAAAAAAAAAAAAAAA=":                       password.ErrMalformed,
		"pbkdf2:md5:1000$salt$" + strings.Repeat("0", 32):                            password.ErrMalformed,
		"pbkdf2:sha1:1000$salt$00":                                                   password.ErrMalformed,
		"scrypt:3:8:1$salt$" + strings.Repeat("0", 128):                              password.ErrMalformed,
		"scrypt:2147483648:8:1$salt$" + strings.Repeat("0", 128):                     password.ErrCost,
		"AQAAAAEA/////wAAABAAAQIDBAUGBwgJCgsMDQ4Pslk=":                               password.ErrMalformed,
		"{noop}password":                                                             password.ErrMalformed,
		"{SSHA}" + strings.Repeat("A", 400):                                          password.ErrMalformed,
		"{SSHA}AAAA":                                                                 password.ErrMalformed,
		"{unknown}AAAA":                                                              password.ErrMalformed,
		"bcrypt$plaintext":                                                           password.ErrMalformed,
		"bcrypt_sha256$$2b$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a": password.ErrCost,
		"argon2$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHQ$" + sum43[:42] + "A":     password.ErrCost,
		"$2x$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a":               password.ErrCost,
		"$firescrypt$ln=31,r=255,p=1$AAAA$" + sum64 + "$Bw==$" + sum64:               password.ErrCost,
		"$firescrypt$ln=4294967295,r=8,p=1$AAAA$" + sum64 + "$Bw==$" + sum64:         password.ErrMalformed,
		"$firescrypt$ln=14,r=8,p=1$AAAA$" + sum64 + "$Bw==$AAAA":                     password.ErrMalformed,
		"$firescrypt$ln=14,r=8,p=1$AAAA$AAAA$Bw==$AAAA":                              password.ErrMalformed,
		"$fbscrypt$v=1,n=20,r=25,p=10,ss=Bw==,sk=" + sum64 + "$AAAA$" + sum64:        password.ErrCost,
		"$fbscrypt$v=2,n=14,r=8,p=1,ss=Bw==,sk=" + sum64 + "$AAAA$" + sum64:          password.ErrMalformed,
		"$fbscrypt$AAAA$" + sum64:                                                    password.ErrMalformed, // whose project is not known
		"$md5$pf=e1NBTFR9$MTIz$q+RdKCgc+ipCAcm5ChQwlQ==":                             password.ErrMalformed, // no {PASSWORD}
		"$hmac-md4$MWQ5ZTI4Nzc2Zjg4YmE2MTQ5YjQ0OTMyOGE4NWU4YjA=$MTIzNDU=":            password.ErrMalformed,
		"$pbkdf2-sha224$i=4294967295,l=32$AAAA$" + sum43[:42] + "A":                  password.ErrCost,
		"$pbkdf2-sha224$i=1000,l=31$AAAA$" + sum43[:42] + "A":                        password.ErrMalformed,
		"$scrypt$ln=2147483648,r=8,p=1$AAAA$" + sum64:                                password.ErrCost,
		"$sha512-crypt$rounds=999999999$saltsalt$" + sum86:                           password.ErrCost,
		"$y$jTT$abcdefgh$" + sum43[:42] + "/":                                        password.ErrMalformed, // N = 2^32
		"$y$jRT$abcdefgh$" + sum43[:42] + "/":                                        password.ErrCost,      // 2^30
		"$y$j9T0zzzzzz$abcdefgh$" + sum43[:42] + "/":                                 password.ErrMalformed,
		"$y$k9T$abcdefgh$" + sum43[:42] + "/":                                        password.ErrMalformed, // no such flavor
		"$y$j9T5/$abcdefgh$" + sum43[:42] + "/":                                      password.ErrMalformed, // a ROM
		"$y$j9T$abcdefgh$" + sum43:                                                   password.ErrMalformed, // bits that no byte has
		"$y$j9T$abcdefgh$" + sum22:                                                   password.ErrMalformed,
		"$y$j9T$abcdefgh":                                                            password.ErrMalformed,
		"$y$j9$abcdefgh$" + sum43[:42] + "/":                                         password.ErrMalformed,
		"$y$$abcdefgh$" + sum43[:42] + "/":                                           password.ErrMalformed,
		"$gy$j9T$abcdefgh$" + sum43[:42] + "/":                                       password.ErrMalformed,
		"{pbkdf2}00":                                                                 password.ErrMalformed,
		"{scrypt}$ffffffffff$AAAA$AAAA":                                              password.ErrMalformed,
	} {
		err := anyPolicy().Check(encoded)
		if !errors.Is(err, want) {
			t.Errorf("%.60s: %v; want %v", encoded, err, want)
		} else if tail := encoded[len(encoded)-8:]; strings.Contains(err.Error(), tail) && tail != "password" {
			t.Errorf("%.60s: the error holds the string: %v", encoded, err)
		}
	}
}

// A pool without a form of this package has none.
func TestConsent(t *testing.T) {
	for _, v := range readVectors(t) {
		p := anyPolicy()
		p.Formats = nil
		if strings.HasPrefix(v.encoded, "$bcrypt-sha256$v=2") {
			continue // passlib's tests have this package's own among theirs
		}
		if err := p.Check(v.encoded); !errors.Is(err, password.ErrMalformed) {
			t.Errorf("%s is read without Formats: %v", v.encoded, err)
		}
	}
}

// Given up at any yield, each ends there, up to the last.
func TestGivenUp(t *testing.T) {
	for _, encoded := range []string{
		"$6$rounds=1000$saltsalt$" + strings.Repeat("a", 86), "$5$rounds=1000$saltsalt$" + strings.Repeat("a", 43),
		"$1$saltsalt$" + strings.Repeat("a", 22), "$P$712345678" + strings.Repeat("a", 22), "$S$712345678" + strings.Repeat("a", 43), "{sha256}" + strings.Repeat("0", 80),
		"$pbkdf2$1280$c2FsdHNhbHQ$" + strings.Repeat("A", 27), "$pbkdf2$640$c2FsdHNhbHQ$" + strings.Repeat("A", 43),
		"$firescrypt$ln=4,r=255,p=1$AAAA$" + sum64 + "$Bw==$" + sum64,
		"$y$j65$abcdefgh$" + strings.Repeat("a", 42) + "/", "$y$/65$abcdefgh$" + strings.Repeat("a", 42) + "/",
	} {
		for _, f := range List() {
			parsed, err := f.Parse(encoded)
			if parsed == nil || err != nil {
				continue
			}
			for patience := 0; ; patience++ {
				asked := 0
				sum := parsed.Compute(bytes.Repeat([]byte("x"), 200), make([]byte, parsed.Memory), func() bool { asked++; return asked <= patience })
				if sum != nil {
					if asked != patience || patience < 4 {
						t.Errorf("%s: %s: a sum after %d yields of %d; want 4 or more", f.Name(), encoded, asked, patience)
					}
					break
				}
				if asked != patience+1 {
					t.Fatalf("%s: %s: asked %d times; want %d", f.Name(), encoded, asked, patience+1)
				}
			}
		}
	}
}

// What takes long calls yield after each 50 to 100 µs of its work, not at the ends of turns of its
// own, of which there are a tenth.
func TestYields(t *testing.T) {
	for encoded, want := range map[string]int{
		"$pbkdf2$12800$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAA":             12800 / 128,
		"$pbkdf2-sha224$i=12800,l=28$AAAA$" + strings.Repeat("A", 37) + "A": 12800 / 128,
		"$firescrypt$ln=12,r=8,p=1$AAAA$" + sum64 + "$Bw==$" + sum64:        2 << 12 * 8 * 32 / 8192,
		"$y$j8T$abcdefgh$" + strings.Repeat("a", 42) + "/":                  1<<11*4/3*64/1024 + 1, // PBKDF2 has 128 HMACs of 32 blocks
		"$y$/8T$abcdefgh$" + strings.Repeat("a", 42) + "/":                  2<<11*64/1024 + 1,
		"$6$rounds=10000$saltsalt$" + strings.Repeat("a", 86):               10000*(64+2+8+64)/stride + 1, // its salt is digested up to 271 times
		"$1$saltsalt$" + strings.Repeat("a", 22):                            1000 * (16 + 2 + 8 + 64) / stride,
		"$P$912345678" + strings.Repeat("a", 22):                            2048 * (16 + 1 + 64) / stride,
	} {
		asked := 0
		for _, f := range List() {
			if parsed, err := f.Parse(encoded); parsed != nil && err == nil {
				parsed.Compute([]byte("x"), make([]byte, parsed.Memory), func() bool { asked++; return true })
			}
		}
		if asked != want {
			t.Errorf("%s: %d yields; want %d", encoded, asked, want)
		}
	}
}

// Whatever is stored: an answer, no work above the limits, and none of it in the error.
func FuzzParse(f *testing.F) {
	for _, v := range readVectors(f) {
		f.Add(v.password, v.encoded)
	}
	policy := password.Policy{Algorithm: password.Bcrypt, Cost: 4, Formats: All(), Limits: password.Limits{Time: time.Millisecond, Memory: 64 << 10}}
	f.Fuzz(func(t *testing.T, given []byte, encoded string) {
		_, err := password.Verify(policy, given, encoded)
		known := false
		for _, e := range []error{nil, password.ErrMismatch, password.ErrMalformed, password.ErrCost, password.ErrKey, password.ErrTooLong} {
			known = known || errors.Is(err, e)
		}
		if !known {
			t.Errorf("%q, %q: %v", given, encoded, err)
		}
		for _, form := range List() {
			parsed, err := form.Parse(encoded)
			if err != nil && len(encoded) > 24 && strings.Contains(err.Error(), encoded[:24]) {
				t.Errorf("%q: the error holds it: %v", encoded, err)
			}
			if err == nil && parsed != nil && parsed.Hash == "" && (len(parsed.Sum) < 16 || parsed.Time(1024) <= 0 || parsed.Memory < 0) {
				t.Errorf("%s: %q: %+v", form.Name(), encoded, parsed)
			}
		}
	})
}
