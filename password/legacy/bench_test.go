// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"errors"
	"strings"
	"testing"

	"fount/internal/test/parsertest"
	"fount/password"
)

// bombs are planted hashes that would take minutes to weeks, or all memory, and fields that are too
// long to be any.
var bombs = []struct{ name, encoded string }{
	{"sha512-crypt_999999999_rounds", "$6$rounds=999999999$saltsalt$" + strings.Repeat("a", 86)},
	{"sha256-crypt_999999999_rounds", "$5$rounds=999999999$saltsalt$" + strings.Repeat("a", 43)},
	{"ldap_sha512-crypt_999999999_rounds", "{CRYPT}$6$rounds=999999999$saltsalt$" + strings.Repeat("a", 86)},
	{"pbkdf2-sha1_4294967295", "$pbkdf2$4294967295$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAA"},
	{"django_pbkdf2_sha1_4294967295", "pbkdf2_sha1$4294967295$salt$AAAAAAAAAAAAAAAAAAAAAAAAAAA="},
	{"django_pbkdf2_sha256_4294967295", "pbkdf2_sha256$4294967295$salt$" + strings.Repeat("A", 43) + "="},
	{"aspnet_v3_4294967295", "AQAAAAD/////AAAAEAABAgMEBQYHCAkKCwwNDg8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="},
	{"phpass_2^30", "$P$S12345678" + strings.Repeat("a", 22)},
	{"drupal_2^30", "$S$S12345678" + strings.Repeat("a", 43)},
	{"bcrypt_sha256_cost_31", "bcrypt_sha256$$2b$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a"},
	{"bcrypt_2x_cost_31", "$2x$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a"},
	{"wordpress_cost_31", "$wp$2y$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a"},
	{"django_argon2_4TiB", "argon2$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$" + strings.Repeat("a", 42) + "A"},
	{"werkzeug_scrypt_2^31", "scrypt:2147483648:8:1$salt$" + strings.Repeat("0", 128)},
	{"spring_scrypt_2^31", "{scrypt}$1fffff$c2FsdHNhbHQ=$" + strings.Repeat("A", 43) + "="},
	{"firebase_2^31", "$firescrypt$ln=31,r=255,p=1$c2FsdHNhbHQ=$AAAAAAAAAAAAAAAAAAAAAA==$Bw==$AAAAAAAAAAAAAAAAAAAAAA=="},
	{"yescrypt_2^31", "$y$jST$saltsalt$" + strings.Repeat(".", 43)},
	{"kratos_pbkdf2_4294967295", "$pbkdf2-sha1$i=4294967295,l=20$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAA"},
	{"10_kB_of_sum", "$6$saltsalt$" + strings.Repeat("a", 10_000)},
	{"10_kB_of_salt", "pbkdf2_sha256$1000$" + strings.Repeat("a", 10_000) + "$" + strings.Repeat("A", 43) + "="},
	{"10_kB_of_base64", strings.Repeat("AQAA", 2500)},
	{"10_kB_of_separators", "pbkdf2_sha256" + strings.Repeat("$", 10_000)},
	{"10_kB_of_digits", "$6$rounds=" + strings.Repeat("9", 10_000) + "$saltsalt$" + strings.Repeat("a", 86)},
	{"320_bytes_of_separators", "pbkdf2_sha256" + strings.Repeat("$", 307)},
	{"320_bytes_of_no_form", strings.Repeat("x", 320)},
	{"320_bytes_of_base64", strings.Repeat("AQAA", 80)},
}

// A flood of planted hashes costs a pool so much each.
func BenchmarkRefused(b *testing.B) {
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4, Formats: All()}})
	if err != nil {
		b.Fatal(err)
	}
	given := []byte("correct horse battery staple")
	for _, bomb := range bombs {
		b.Run(bomb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err = pool.Verify(b.Context(), password.Login{Principal: "192.0.2.1"}, given, bomb.encoded)
			}
			if !errors.Is(err, password.ErrCost) && !errors.Is(err, password.ErrMalformed) {
				b.Errorf("%v; want ErrCost or ErrMalformed", err)
			}
		})
	}
}

// A pool refuses each without computing anything, for all it says in its statistics, and for less
// than 16 KiB.
func TestBombs(t *testing.T) {
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4, Formats: All()}})
	if err != nil {
		t.Fatal(err)
	}
	computed := served(pool)
	for _, bomb := range bombs {
		bytes := parsertest.Allocated(16<<10, func() {
			_, err = pool.Verify(t.Context(), password.Login{}, []byte("p4ssw0rd"), bomb.encoded)
		})
		if want := refusal(bomb.name); !errors.Is(err, want) || bytes > 16<<10 {
			t.Errorf("%s: %v, %d bytes; want %v, and at most 16 KiB", bomb.name, err, bytes, want)
		}
	}
	if n := served(pool); n != computed {
		t.Errorf("%d hashes were computed", n-computed)
	}
}

// refusal is the error that a bomb gets.
func refusal(name string) error {
	if strings.Contains(name, "_bytes_of_") || strings.Contains(name, "_kB_of_") {
		return password.ErrMalformed
	}
	return password.ErrCost
}

func served(pool *password.Pool) (n uint64) {
	for _, h := range pool.Stats().Hashes {
		n += h.Service.Count()
	}
	return n
}
