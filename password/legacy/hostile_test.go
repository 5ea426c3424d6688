// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What a planted hash, a long password or a mode of the process makes of the forms.

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"fount/internal/test/parsertest"
	"fount/internal/test/require"
	"fount/password"
)

// In a process that may use nothing but what FIPS 140 approves, each hash is right for its password
// or refused by its form before any work, and none panics.
func TestFIPSOnly(t *testing.T) {
	if !require.FIPSOnly(t) {
		return
	}
	right, refused := 0, 0
	for _, v := range readVectors(t) {
		if v.takes(5*time.Millisecond) && os.Getenv("FOUNT_LONG") == "" {
			continue // which algorithms the mode takes does not depend on their cost
		}
		switch _, err := password.Verify(v.policy(t), v.password, v.encoded); {
		case err == nil:
			right++
		case errors.Is(err, errFIPS) && errors.Is(err, password.ErrMalformed) && errors.Is(anyPolicy().Check(v.encoded), errFIPS) && !strings.HasPrefix(v.encoded, "$hmac-sha2"):
			refused++
		default:
			t.Errorf("%s: %v", v.encoded, err)
		}
	}
	if right < 100 || refused < 50 {
		t.Errorf("%d hashes are right and %d refused", right, refused)
	}
}

// SHA-crypt digests a password as often as it has bytes, however few the rounds are.
func TestLongPasswordsOfSHACrypt(t *testing.T) {
	p := anyPolicy()
	for _, encoded := range []string{"$5$rounds=1000$saltsalt$" + strings.Repeat("a", 43), "$6$rounds=1000$saltsalt$" + strings.Repeat("a", 86)} {
		if _, err := password.Verify(p, make([]byte, 1<<10), encoded); !errors.Is(err, password.ErrMismatch) {
			t.Errorf("1 MiB of %.3s: %v; want ErrMismatch", encoded, err)
		}
	}
}

// The bcrypt with the bug does not look beyond 72 bytes either, and says so.
func TestTruncatedByOldBcrypt(t *testing.T) {
	const of72 = "$2b$04$4VyYfMq76l1SUQM0EG7UK.7hKFFi4cimbLqmvLhMlYN6HOgg810eq" // Django's, of 72 times x
	for n, want := range map[int]bool{72: false, 73: true, 1024: true} {
		r, err := password.Verify(anyPolicy(), bytes.Repeat([]byte("x"), n), "$2x$"+of72[4:])
		if err != nil || r.Truncated != want {
			t.Errorf("%d bytes: %+v, %v; want Truncated %v", n, r, err, want)
		}
	}
}

// bombs are planted hashes that would take minutes to weeks, or all memory.
var bombs = []string{
	"$6$rounds=999999999$saltsalt$" + hash64(86),
	"$5$rounds=999999999$saltsalt$" + hash64(43),
	"{CRYPT}$6$rounds=999999999$saltsalt$" + hash64(86),
	"$sha512-crypt$rounds=999999999$saltsalt$" + hash64(86),
	"$P$S12345678" + hash64(22),
	"$S$S12345678" + hash64(43),
	"$y$jST$saltsalt$" + hash64(43),
	"$y$jRT$abcdefgh$" + hash64(43),
	"$pbkdf2$4294967295$c2FsdHNhbHQ$" + raw64(20),
	"pbkdf2_sha1$4294967295$salt$" + b64(20),
	"pbkdf2_sha256$4294967295$salt$" + b64(32),
	"$pbkdf2-sha1$i=4294967295,l=20$c2FsdHNhbHQ$" + raw64(20),
	"$pbkdf2-sha224$i=4294967295,l=32$AAAA$" + raw64(32),
	"AQAAAAD/////AAAAEAABAgMEBQYHCAkKCwwNDg8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
	"bcrypt_sha256$$2b$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a",
	"$2x$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a",
	"{ldap}{CRYPT}$2x$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a",
	"$wp$2y$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a",
	"argon2$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$" + raw64(32),
	"argon2$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHQ$" + raw64(32),
	"scrypt:2147483648:8:1$salt$" + strings.Repeat("0", 128),
	"{scrypt}$1fffff$c2FsdHNhbHQ=$" + b64(32),
	"$scrypt$ln=2147483648,r=8,p=1$AAAA$" + b64(64),
	"$firescrypt$ln=31,r=255,p=1$c2FsdHNhbHQ=$" + b64(16) + "$Bw==$" + b64(16),
	"$fbscrypt$v=1,n=20,r=25,p=10,ss=Bw==,sk=" + b64(64) + "$AAAA$" + b64(64),
}

// unread look like a form's, and are too long for any, or damaged behind the form's name.
var unread = []string{
	"$6$saltsalt$" + hash64(10_000),
	"$6$rounds=" + strings.Repeat("9", 10_000) + "$saltsalt$" + hash64(86),
	strings.Repeat("AQAA", 2500),
	"pbkdf2_sha256$1000$" + hash64(10_000) + "$" + b64(32),
	"pbkdf2_sha256" + strings.Repeat("$", 10_000),
	"pbkdf2_sha256" + strings.Repeat("$", 307),
	"$firescrypt$ln=4" + strings.Repeat(",", 10_000) + "$$$$",
	"$scrypt$ln=16384" + strings.Repeat(",", 10_000) + "$$",
	"$pbkdf2-sha1$i=1" + strings.Repeat(",", 10_000) + "$$",
	strings.Repeat("x", 320),
	strings.Repeat("AQAA", 80),
	strings.Repeat("{MD5}", 60),
	strings.Repeat("$", 320),
	strings.Repeat("x", 63) + ":" + strings.Repeat("0", 64),
	"$md5$pf=" + text64(strings.Repeat("{SALT}", 500)+"{PASSWORD}") + "$" + b64(3000) + "$" + b64(16), // 1.5 MB, were it filled in
	"bcrypt",
	"bcrypt$plaintext",
	"{noop}password",
	"{unknown}AAAA",
	"{SSHA}" + strings.Repeat("A", 400),
	"$gy$j9T$abcdefgh$" + hash64(43),
	"$firescrypt$ln=1,r=255,p=255$c2FsdHNhbHQ=$" + b64(16) + "$Bw==$" + b64(16),
	"$fbscrypt$AAAA$" + b64(64),
	"$y$zzzzzzzzzzzzz$$",
	"$y$j//.zz$$",
}

// A pool refuses each before any work, for less than 16 KiB, and repeats none of it.
func TestRefused(t *testing.T) {
	policy := password.Policy{Algorithm: password.Bcrypt, Cost: 4, Formats: All()}
	pool, err := password.NewPool(password.Options{Policy: policy})
	if err != nil {
		t.Fatal(err)
	}
	served := func() (n uint64) {
		for _, h := range pool.Stats().Hashes {
			n += h.Service.Count()
		}
		return n
	}
	computed := served()
	refused := func(stored []string, want error) {
		for _, encoded := range stored {
			bytes := parsertest.Allocated(16<<10, func() {
				_, err = pool.Verify(t.Context(), password.Login{}, []byte("p4ssw0rd"), encoded)
			})
			if !errors.Is(err, want) || bytes > 16<<10 || parsertest.Tells(err.Error(), encoded, shapes()) {
				t.Errorf("%.60s: %v, %d bytes; want %v, and at most 16 KiB", encoded, err, bytes, want)
			}
		}
	}
	refused(bombs, password.ErrCost)
	refused(unread, password.ErrMalformed)

	if n := served(); n != computed {
		t.Errorf("%d hashes were computed", n-computed)
	}
}

// Given up at any yield, each ends there, up to the last.
func TestGivenUp(t *testing.T) {
	for name, encoded := range map[string]string{
		"SHA-512-crypt":      "$6$rounds=1000$saltsalt$" + strings.Repeat("a", 86),
		"SHA-256-crypt":      "$5$rounds=1000$saltsalt$" + strings.Repeat("a", 43),
		"MD5-crypt":          "$1$saltsalt$" + strings.Repeat("a", 22),
		"phpass":             "$P$712345678" + strings.Repeat("a", 22),
		"Drupal":             "$S$712345678" + strings.Repeat("a", 43),
		"iterated SHA-256":   "{sha256}" + strings.Repeat("0", 80),
		"PBKDF2":             "$pbkdf2$1280$c2FsdHNhbHQ$" + strings.Repeat("A", 27),
		"PBKDF2, two blocks": "$pbkdf2$640$c2FsdHNhbHQ$" + strings.Repeat("A", 43),
		"Firebase":           "$firescrypt$ln=4,r=255,p=1$AAAA$" + b64(64) + "$Bw==$" + b64(64),
		"yescrypt":           "$y$j65$abcdefgh$" + strings.Repeat("a", 42) + "/",
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range whole() {
				some, err := f.Parse(encoded)
				if parsed, ok := some.(*password.Computed); ok && err == nil {
					checkGivesUp(t, parsed)
				}
			}
		})
	}
}

// checkGivesUp computes it again and again, each time up to a later yield.
func checkGivesUp(t *testing.T, parsed *password.Computed) {
	given := bytes.Repeat([]byte("x"), 200)
	for patience := 0; ; patience++ {
		asked := 0
		yield := func() bool {
			asked++
			return asked <= patience
		}

		sum := parsed.Compute(given, make([]byte, parsed.Memory), yield)
		switch {
		case sum == nil && asked != patience+1:
			t.Fatalf("asked %d times; want %d", asked, patience+1)
		case sum != nil && (asked != patience || patience < 4):
			t.Fatalf("a sum after %d yields of %d; want 4 or more", asked, patience)
		case sum != nil:
			return
		}
	}
}

// What takes long calls yield after each 50 to 100 µs of its work, not at the ends of turns of its
// own, of which there are a tenth.
func TestYields(t *testing.T) {
	for encoded, want := range map[string]int{
		"$pbkdf2$12800$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAA":             12800 / 128,
		"$pbkdf2-sha224$i=12800,l=28$AAAA$" + strings.Repeat("A", 37) + "A": 12800 / 128,
		"$firescrypt$ln=12,r=8,p=1$AAAA$" + b64(64) + "$Bw==$" + b64(64):    2 << 12 * 8 * 32 / 8192,
		"$y$j8T$abcdefgh$" + strings.Repeat("a", 42) + "/":                  1<<11*4/3*64/1024 + 1,        // PBKDF2 has 128 HMACs of 32 blocks
		"$6$rounds=10000$saltsalt$" + strings.Repeat("a", 86):               10000*(64+2+8+64)/stride + 2, // one at the first digest; its salt is digested up to 271 times
		"$1$saltsalt$" + strings.Repeat("a", 22):                            1000*(16+2+8+64)/stride + 1,
		"$P$912345678" + strings.Repeat("a", 22):                            2048*(16+1+64)/stride + 1,
	} {
		asked := 0
		for _, f := range whole() {
			some, _ := f.Parse(encoded)
			if parsed, ok := some.(*password.Computed); ok {
				parsed.Compute([]byte("x"), make([]byte, parsed.Memory), func() bool { asked++; return true })
			}
		}
		if asked != want {
			t.Errorf("%s: %d yields; want %d", encoded, asked, want)
		}
	}
}
