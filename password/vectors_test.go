// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Hashes that others made, from testdata/hashes.txt: see testdata/make.sh for
// the program, the version and the command of each.

import (
	"bytes"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"hash"
	"os"
	"strings"
	"testing"

	"fount/password/internal/format"
)

type vector struct {
	maker    string
	password []byte
	encoded  string
}

func readVectors(t testing.TB) (all []vector) {
	t.Helper()
	text := must(os.ReadFile("testdata/hashes.txt"))(t)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		field := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		password, err := hex.DecodeString(field[1])
		if err != nil || len(field) != 3 {
			t.Fatalf("testdata/hashes.txt: %q: %v", line, err)
		}
		all = append(all, vector{field[0], password, field[2]})
	}
	return all
}

// vectorKey is the pepper of the vectors that name one.
func vectorKey() Key {
	k := Key{ID: "k1", Secret: make([]byte, 32)}
	for i := range k.Secret {
		k.Secret[i] = byte(i)
	}
	return k
}

func ring(t testing.TB, current Key, former ...Key) *KeyRing {
	t.Helper()
	return must(NewKeyRing(current, former...))(t)
}

func TestOthersHashes(t *testing.T) {
	p := Policy{Keys: ring(t, vectorKey())}
	seen := map[string]int{}
	for _, v := range readVectors(t) {
		result, err := Verify(p, v.password, v.encoded)
		if err != nil {
			t.Errorf("%s: %x, %s: %v", v.maker, v.password, v.encoded, err)
			continue
		}

		h := must(format.Parse(v.encoded))(t)
		if got := h.String(); got != v.encoded {
			t.Errorf("%s: parsed and written again it is\n%s, and was\n%s", v.maker, got, v.encoded)
		}

		long := h.Algorithm == format.Bcrypt && h.Form == format.Modular && len(v.password) > 72
		if result.Truncated != long {
			t.Errorf("%s: %d bytes, %s: Truncated is %v", v.maker, len(v.password), v.encoded, result.Truncated)
		}

		seen[strings.Split(v.encoded, "$")[1]]++
		if h.Memory <= 1<<10 { // argon2-cffi's default, of 64 MiB, takes seconds with -race
			rejectsOthers(t, p, v, &h)
		}
	}

	for _, form := range []string{
		"2a", "2b", "2y", "argon2id", "argon2i", "argon2d", "scrypt", "7",
		"pbkdf2-sha256", "pbkdf2-sha512", "bcrypt-sha256", "fount-bcrypt",
	} {
		if seen[form] == 0 {
			t.Errorf("no vector of form $%s$", form)
		}
	}
}

// What other makers write otherwise than this package, and what RFCs have that no service would.
func TestOddVectors(t *testing.T) {
	for _, v := range []vector{
		// src/test.c of P-H-C/phc-winner-argon2, commit f57e61e19229: version 16, which has no v=.
		{"libargon2", []byte("password"), "$argon2i$m=256,t=2,p=1$c29tZXNhbHQ$/U3YPXYsSb3q9XxHvc0MLxur+GP960kN9j7emXX8zwY"},
		{"libargon2", []byte("password"), "$argon2i$m=256,t=2,p=2$c29tZXNhbHQ$tsEVYKap1h6scGt5ovl9aLRGOqOth+AMB+KwHpDFZPs"},
		// Node's argon2 writes parallelism before passes; the sum is that of libargon2's own
		// text, from the same file.
		{"Node argon2", []byte("password"), "$argon2i$v=19$m=256,p=2,t=2$c29tZXNhbHQ$T/XOJ2mh1/TIpJHfCdQan76Q5esCFVoT5MAeIM1Oq2E"},
		// RFC 7914, sections 12 and 11: a salt of 4 bytes, sums of 64.
		{"RFC 7914", []byte("pleaseletmein"), "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw"},
		{"RFC 7914", []byte("Password"), "$pbkdf2-sha256$i=80000$TmFDbA$TdzY9guYviGDDO5e8icB+WQaRBjQTAQUrv8Ih2s0q1ah1CWhIlgzVJrbhBtRybMXaicr3ruh0HhHj2Kzl/M8jQ"},
	} {
		r, err := Verify(Policy{}, v.password, v.encoded)
		if err != nil || !r.NeedsRehash {
			t.Errorf("%s: %s: %+v, %v", v.maker, v.encoded, r, err)
		}
		if _, err := Verify(Policy{}, append(v.password, 'x'), v.encoded); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: %s with another password: %v", v.maker, v.encoded, err)
		}
	}

	const node = "$argon2id$v=19$m=19456,p=1,t=2$" + goodSalt + "$" + goodSum
	if NeedsRehash(Policy{}, node) {
		t.Error("the order of its parameters alone makes a hash need another")
	}
	if !NeedsRehash(Policy{}, strings.Replace(node, "v=19", "v=16", 1)) {
		t.Error("argon2 of version 16 needs no rehash")
	}
}

// rejectsOthers alters the password, the salt and the sum in one bit each.
func rejectsOthers(t *testing.T, p Policy, v vector, h *format.Hash) {
	t.Helper()
	mismatch := func(what string, password []byte, encoded string) {
		t.Helper()
		if _, err := Verify(p, password, encoded); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: %s with %s altered: %v; want ErrMismatch", v.maker, v.encoded, what, err)
		}
	}
	other := bytes.Clone(v.password)
	other[min(len(other), 72)-1] ^= 4
	mismatch("the password", other, v.encoded)

	altered := *h
	altered.Sum = bytes.Clone(h.Sum)
	altered.Sum[len(altered.Sum)-1] ^= 1
	mismatch("the sum", v.password, altered.String())

	altered = *h
	altered.Salt = bytes.Clone(h.Salt)
	altered.Salt[0] = "ab"[altered.Salt[0]&1^1] // $7$'s is text
	if altered.Salt[0] == h.Salt[0] {
		altered.Salt[0] = 'c'
	}
	mismatch("the salt", v.password, altered.String())
}

func TestPBKDF2AgainstStandardLibrary(t *testing.T) {
	password := []byte("correct horse")
	salt := []byte("battery staple")
	for alg, digest := range map[Algorithm]func() hash.Hash{PBKDF2SHA256: sha256.New, PBKDF2SHA512: sha512.New} {
		for _, n := range []uint32{1, 2, 1023, 1024, 1025, 2049} {
			for _, size := range []int{16, 32, 33, 64, 65, 100} {
				want := must(pbkdf2.Key(digest, string(password), salt, int(n), size))(t)
				j := newJob(hasherOf(&format.Hash{
					Algorithm: format.Algorithm(alg), Iterations: n, Salt: salt, Sum: make([]byte, size),
				}), nil, password)
				if got := j.compute(); !bytes.Equal(got, want) {
					t.Errorf("%v, %d iterations, %d bytes: %x, want %x", alg, n, size, got, want)
				}
			}
		}
	}
}
