// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What works share, and PBKDF2 by the standard library.

import (
	"bytes"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"slices"
	"testing"

	"fount/password/internal/format"
)

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
