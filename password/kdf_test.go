// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// scrypt by the RFC's vectors and PBKDF2 by the standard library.

import (
	"bytes"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"fount/password/internal/format"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// RFC 7914, section 12; the fourth, with 1 GiB, is left out.
func TestScryptRFC7914(t *testing.T) {
	for _, v := range []struct {
		password, salt string
		cost, r, p     uint32
		sum            string
	}{
		{"", "", 4, 1, 1, `77 d6 57 62 38 65 7b 20 3b 19 ca 42 c1 8a 04 97 f1 6b 48 44 e3 07 4a e8 df df fa 3f ed e2 14 42
			fc d0 06 9d ed 09 48 f8 32 6a 75 3a 0f c8 1f 17 e8 d3 e0 fb 2e 0d 36 28 cf 35 e2 0c 38 d1 89 06`},
		{"password", "NaCl", 10, 8, 16, `fd ba be 1c 9d 34 72 00 78 56 e7 19 0d 01 e9 fe 7c 6a d7 cb c8 23 78 30 e7 73 76 63
			4b 37 31 62 2e af 30 d9 2e 22 a3 88 6f f1 09 27 9d 98 30 da c7 27 af b9 4a 83 ee 6d 83 60 cb df a2 cc 06 40`},
		{"pleaseletmein", "SodiumChloride", 14, 8, 1, `70 23 bd cb 3a fd 73 48 46 1c 06 cd 81 fd 38 eb fd a8 fb ba 90 4f 8e
			3e a9 b5 43 f6 54 5d a1 f2 d5 43 29 55 61 3f 0f cf 62 d4 97 05 24 2a 9a f9 e6 1e 85 dc 0d 65 1e 40 df cf 01 7b 45
			57 58 87`},
	} {
		w := workOf(ownOf(&format.Hash{
			Algorithm: format.Scrypt, Cost: v.cost, BlockSize: v.r, Parallelism: v.p,
			Salt: []byte(v.salt), Sum: make([]byte, 64),
		}), nil, []byte(v.password))
		if got, want := w.compute(), unhex(t, v.sum); !bytes.Equal(got, want) {
			t.Errorf("%q, %q: %x, want %x", v.password, v.salt, got, want)
		}
	}
}

// Hashes without a Pool compute in the memory that the one before left, and an unknown user takes
// one, too.
func TestHashesWithoutPoolShareMemory(t *testing.T) {
	last := func(p Policy, stored string) *scratch {
		if _, err := Verify(p, []byte("x"), stored); err != ErrMismatch {
			t.Fatal(err)
		}
		unpooled.mu.Lock()
		defer unpooled.mu.Unlock()
		return unpooled.free[len(unpooled.free)-1]
	}
	p := Policy{Algorithm: Argon2id, Memory: 300, Iterations: 1}
	first, second := last(p, sample(t, p)), last(p, "")
	if first != second || len(first.memory) != 300<<10 {
		t.Errorf("the second hash of %d bytes has memory of its own", len(first.memory))
	}
	p.Memory = 304
	if unknown := last(p, ""); len(unknown.memory) != 304<<10 {
		t.Error("an unknown user is answered without a hash")
	}
}

// Works that share a scratch leave nothing in it that another would notice.
func TestScratchIsShared(t *testing.T) {
	shared := new(scratch)
	password := []byte("correct horse")
	var sizes []int
	for _, p := range []Policy{
		{Algorithm: Argon2id, Memory: 64, Iterations: 2, Parallelism: 2},
		{Algorithm: Argon2d, Memory: 16, Iterations: 1},
		{Algorithm: Scrypt, Cost: 8, Parallelism: 3},
		{Algorithm: Scrypt, Cost: 4, BlockSize: 3},
		{Algorithm: Argon2i, Memory: 128, Iterations: 1},
	} {
		w, err := p.plan(password)
		if err != nil {
			t.Fatal(err)
		}
		alone := w.compute()
		w.scratch = shared
		for range 2 {
			if got := w.compute(); !bytes.Equal(got, alone) {
				t.Errorf("%v: %x in shared memory, %x alone", p.Algorithm, got, alone)
			}
		}
		sizes = append(sizes, len(shared.memory))
	}
	if want := []int{64 << 10, 64 << 10, 259 << 10, 259 << 10, 259 << 10}; !slices.Equal(sizes, want) {
		t.Errorf("held %v, want %v", sizes, want)
	}
	if shared.drop(); len(shared.memory) != 0 {
		t.Errorf("%d bytes held after drop", len(shared.memory))
	}
}

func TestPBKDF2AgainstStandardLibrary(t *testing.T) {
	password, salt := []byte("correct horse"), []byte("battery staple")
	for _, n := range []uint32{1, 2, 1023, 1024, 1025, 2049} {
		for _, size := range []int{16, 32, 33, 64, 65, 100} {
			for _, alg := range []Algorithm{PBKDF2SHA256, PBKDF2SHA512} {
				want, err := pbkdf2.Key(sha256.New, string(password), salt, int(n), size)
				if alg == PBKDF2SHA512 {
					want, err = pbkdf2.Key(sha512.New, string(password), salt, int(n), size)
				}
				if err != nil {
					t.Fatal(err)
				}
				w := workOf(ownOf(&format.Hash{
					Algorithm: format.Algorithm(alg), Iterations: n, Salt: salt, Sum: make([]byte, size),
				}), nil, password)
				if got := w.compute(); !bytes.Equal(got, want) {
					t.Errorf("%v, %d iterations, %d bytes: %x, want %x", alg, n, size, got, want)
				}
			}
		}
	}
}
