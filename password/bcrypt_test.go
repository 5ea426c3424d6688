// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"
)

// Passwords with bytes above 127, which crypt_blowfish before 1.1 took as
// negative, and its $2a$ since alters on purpose where that mattered. Inputs of
// crypt_blowfish 1.3's wrapper.c; sums by libxcrypt 4.4.33's crypt(3).
var signExtension = []struct {
	password, sum2a, sum2x, sum2by string
}{
	{"\xa3",
		"Sa7shbm4.OzKpvFnX1pQLmQW96oUlCq", "CE5elHaaO4EbggVDjb8P19RukzXSM3e", "Sa7shbm4.OzKpvFnX1pQLmQW96oUlCq"},
	{"\xff\xff\xa3",
		"nqd1wy.pTMdcvrRWxyiGL2eMz.2a85.", "CE5elHaaO4EbggVDjb8P19RukzXSM3e", "CE5elHaaO4EbggVDjb8P19RukzXSM3e"},
	{"\xff\xa334\xff\xff\xff\xa3345",
		"ZC1JEJ8Z4gPfpe1JOr/oyPXTWl9EFd.", "o./n25XVfn6oAPaUvHe.Csk4zRfsYPi", "o./n25XVfn6oAPaUvHe.Csk4zRfsYPi"},
	{"\xff\xa3345",
		"nRht2l/HRhr6zmCp9vYUvvsqynflf9e", "o./n25XVfn6oAPaUvHe.Csk4zRfsYPi", "nRht2l/HRhr6zmCp9vYUvvsqynflf9e"},
	{"\xa3ab",
		"6IflQkJytoRVc1yuaNtHfiuq.FRlSIS", "6IflQkJytoRVc1yuaNtHfiuq.FRlSIS", "6IflQkJytoRVc1yuaNtHfiuq.FRlSIS"},
	{"1\xa3345",
		"ykhStlibHmUn6GomsWXnJvyvZx4vmvy", "o./n25XVfn6oAPaUvHe.Csk4zRfsYPi", "ykhStlibHmUn6GomsWXnJvyvZx4vmvy"},
	{"U*U",
		"HZZLyzXp/APKnmE0fYxxsfwJ7bbQRT6", "HZZLyzXp/APKnmE0fYxxsfwJ7bbQRT6", "HZZLyzXp/APKnmE0fYxxsfwJ7bbQRT6"},
}

func TestSignExtension(t *testing.T) {
	const head = "$05$/OK.fbVrR/bpIqNJ5ianF."
	for _, v := range signExtension {
		for _, minor := range []string{"$2a", "$2b", "$2y"} {
			if _, err := Verify(Policy{}, []byte(v.password), minor+head+v.sum2by); err != nil {
				t.Errorf("%q, %s: %v", v.password, minor, err)
			}
		}
		// What crypt_blowfish makes of such a password under $2a$ is its own.
		var want error
		if v.sum2a != v.sum2by {
			want = ErrMismatch
		}
		if _, err := Verify(Policy{}, []byte(v.password), "$2a"+head+v.sum2a); !errors.Is(err, want) {
			t.Errorf("%q, $2a by libxcrypt: %v, want %v", v.password, err, want)
		}
		_, err := Verify(Policy{}, []byte(v.password), "$2x"+head+v.sum2x)
		if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), "2x") {
			t.Errorf("%q, $2x: %v; want ErrMalformed that names 2x", v.password, err)
		}
	}
}

func TestBcryptAgainstXCrypto(t *testing.T) {
	for _, password := range []string{"a", "nul\x00inside", "\x00", strings.Repeat("x", 71), strings.Repeat("x", 72)} {
		theirs, err := bcrypt.GenerateFromPassword([]byte(password), 4)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := Verify(Policy{}, []byte(password), string(theirs)); err != nil || r.Truncated {
			t.Errorf("%q: x/crypto's hash: %+v, %v", password, r, err)
		}
		ours, err := Hash(Policy{Algorithm: Bcrypt, Cost: 4}, []byte(password))
		if strings.Contains(password, "\x00") {
			if err == nil || len(ours) != 0 {
				t.Errorf("%q was hashed; makers disagree on a NUL", password)
			}
			continue
		}
		if err := bcrypt.CompareHashAndPassword([]byte(ours), []byte(password)); err != nil {
			t.Errorf("%q: x/crypto on our hash: %v", password, err)
		}
	}
}

func TestBcrypt72Bytes(t *testing.T) {
	p := Policy{Algorithm: Bcrypt, Cost: 4}
	whole := bytes.Repeat([]byte("0123456789ab"), 6)
	encoded, err := Hash(p, whole)
	if err != nil {
		t.Fatalf("72 bytes: %v", err)
	}
	if r, err := Verify(p, whole, encoded); err != nil || r != (Result{}) {
		t.Errorf("72 bytes: %+v, %v; want neither a rehash nor a cut", r, err)
	}
	for n := 73; n <= 1024; n += 317 {
		longer := append(bytes.Clone(whole), bytes.Repeat([]byte("z"), n-72)...)
		if _, err := Hash(p, longer); !errors.Is(err, ErrTooLong) {
			t.Errorf("Hash of %d bytes: %v; want ErrTooLong", n, err)
		}
		if r, err := Verify(p, longer, encoded); err != nil || r != (Result{Truncated: true}) {
			t.Errorf("Verify of %d bytes: %+v, %v; want a match, cut", n, r, err)
		}
	}
	p.Keys = ring(t, vectorKey())
	longer := append(bytes.Clone(whole), 'z')
	encoded, err = Hash(p, longer)
	if err != nil {
		t.Fatalf("73 bytes with Keys: %v", err)
	}
	if r, err := Verify(p, longer, encoded); err != nil || r != (Result{}) {
		t.Errorf("73 bytes with Keys: %+v, %v", r, err)
	}
	if _, err := Verify(p, whole, encoded); !errors.Is(err, ErrMismatch) {
		t.Errorf("with Keys, the first 72 bytes alone: %v; want ErrMismatch", err)
	}
}

// $2y$ is written by those who end a password at a NUL or refuse it.
func TestBcryptNUL(t *testing.T) {
	encoded, err := Hash(Policy{Algorithm: Bcrypt, Cost: 4}, []byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	y := strings.Replace(encoded, "$2b$", "$2y$", 1)
	if _, err := Verify(Policy{}, []byte("a"), y); err != nil {
		t.Errorf("$2y$: %v", err)
	}
	// bcrypt repeats its key, so where a NUL is a byte like others "a" is this:
	repeated := []byte("a\x00a")
	if err := bcrypt.CompareHashAndPassword([]byte(encoded), repeated); err != nil {
		t.Errorf("x/crypto, $2b$ with a NUL: %v", err)
	}
	if _, err := Verify(Policy{}, repeated, encoded); err != nil {
		t.Errorf("$2b$ with a NUL: %v; want x/crypto's and Python's answer", err)
	}
	if _, err := Verify(Policy{}, repeated, y); !errors.Is(err, ErrMismatch) {
		t.Errorf("$2y$ with a NUL: %v; want ErrMismatch", err)
	}
	if _, err := Verify(Policy{}, []byte("a\x00b"), encoded); !errors.Is(err, ErrMismatch) {
		t.Errorf("$2b$ with a NUL and another end: %v; want ErrMismatch", err)
	}
}

// The 22nd character of a salt has four bits that no byte has. x/crypto drops
// them; crypt_blowfish drops them too (libxcrypt 4.4.33 answers the same sum for
// ...u, ...v and ...z).
func TestBcryptUnusedBits(t *testing.T) {
	const canonical = goodBcrypt // of "hello", by libxcrypt 4.4.33
	p := Policy{Algorithm: Bcrypt, Cost: 5}
	if r, err := Verify(p, []byte("hello"), canonical); err != nil || r.NeedsRehash {
		t.Errorf("canonical: %+v, %v", r, err)
	}
	for _, c := range "vwxyz012345678" {
		loose := canonical[:28] + string(c) + canonical[29:]
		if err := bcrypt.CompareHashAndPassword([]byte(loose), []byte("hello")); err != nil {
			t.Errorf("x/crypto: salt ends with %c: %v", c, err)
		}
		if r, err := Verify(p, []byte("hello"), loose); err != nil || !r.NeedsRehash {
			t.Errorf("salt ends with %c: %+v, %v; want a match that needs a rehash", c, r, err)
		}
	}
	for _, c := range "bcd" {
		if _, err := Verify(p, []byte("hello"), canonical[:59]+string(c)); !errors.Is(err, ErrMalformed) {
			t.Errorf("sum ends with %c: %v; want ErrMalformed", c, err)
		}
	}
}
