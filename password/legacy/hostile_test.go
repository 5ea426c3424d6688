// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What a planted hash, a long password or a mode of the process makes of the forms.

import (
	"bytes"
	"crypto/md5"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/password"
)

// In a process that may use nothing but what FIPS 140 approves, each hash is right for its password
// or refused by its form before any work, and none panics.
func TestFIPSOnly(t *testing.T) {
	if !require.FIPSOnly(t) {
		return
	}
	func() { // control
		defer func() {
			if recover() == nil {
				t.Error("crypto/md5 takes a password; this process is not what the test is about")
			}
		}()
		md5.Sum([]byte("x"))
	}()
	right, refused := 0, 0
	for _, v := range readVectors(t) {
		if estimate(v) > 5*time.Millisecond && os.Getenv("FOUNT_LONG") == "" {
			continue // which algorithms the mode takes does not depend on their cost
		}
		switch _, err := password.Verify(anyPolicy(), v.password, v.encoded); {
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
	p.MaxPassword = 1 << 20
	for _, encoded := range []string{"$5$rounds=1000$saltsalt$" + strings.Repeat("a", 43), "$6$rounds=1000$saltsalt$" + strings.Repeat("a", 86)} {
		if _, err := password.Verify(p, make([]byte, 1<<18), encoded); !errors.Is(err, password.ErrCost) {
			t.Errorf("64 GiB of %.3s: %v; want ErrCost", encoded, err)
		}
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

// What Firebase's scrypt holds beside Memory is bounded, whatever p is.
func TestFirebaseBlocks(t *testing.T) {
	const sums = "$c2FsdHNhbHQ=$AAAAAAAAAAAAAAAAAAAAAA==$Bw==$AAAAAAAAAAAAAAAAAAAAAA=="
	for numbers, want := range map[string]error{
		"ln=1,r=255,p=1": nil, "ln=1,r=8,p=31": nil, "ln=1,r=8,p=32": password.ErrMalformed, "ln=1,r=255,p=255": password.ErrMalformed,
		"ln=1,r=65537,p=65536": password.ErrMalformed,
	} {
		if err := anyPolicy().Check("$firescrypt$" + numbers + sums); !errors.Is(err, want) {
			t.Errorf("%s: %v; want %v", numbers, err, want)
		}
	}
}
