// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package password beside go-crypt/crypt, which reads most of the same forms: an
// oracle, and no dependency of the library.

package bench

import (
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/go-crypt/crypt"

	"fount/password"
)

func TestPasswordOracle(t *testing.T) {
	oracle, err := crypt.NewDefaultDecoder()
	if err != nil {
		t.Fatal(err)
	}
	matches := func(given, encoded string) bool {
		digest, err := oracle.Decode(encoded)
		if err != nil {
			t.Errorf("go-crypt can't read %s: %v", encoded, err)
			return false
		}
		return digest.Match(given)
	}
	check := func(maker, given, encoded string) {
		for _, pw := range []string{given, given + "x", given[1:]} {
			_, err := password.Verify(password.Policy{}, []byte(pw), encoded)
			if theirs := matches(pw, encoded); theirs != (err == nil) {
				t.Errorf("%s: %q, %s: go-crypt says %v, fount %v", maker, pw, encoded, theirs, err)
			}
		}
	}

	text, err := os.ReadFile("../../../password/testdata/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(text)) {
		field := strings.Split(strings.TrimSpace(line), " | ")
		if line[0] == '#' || !readByGoCrypt(field[2]) {
			continue
		}
		given, err := hex.DecodeString(field[1])
		if err != nil {
			t.Fatal(err)
		}
		check(field[0], string(given), field[2])
		seen++
	}
	if seen < 50 {
		t.Errorf("%d vectors were compared; want at least 50", seen)
	}
	for _, p := range []password.Policy{
		{Algorithm: password.Bcrypt, Cost: 10},
		{Algorithm: password.Argon2id, Memory: 64, Iterations: 2, Parallelism: 3},
		{Algorithm: password.Argon2i, Memory: 64, Iterations: 3},
		{Algorithm: password.Argon2d, Memory: 64, Iterations: 1},
		{Algorithm: password.Scrypt, Cost: 8, Parallelism: 2},
		{Algorithm: password.PBKDF2SHA256, Iterations: 1000},
		{Algorithm: password.PBKDF2SHA512, Iterations: 1000},
	} {
		encoded, err := password.Hash(p, []byte("pässwörd €"))
		if err != nil {
			t.Fatal(err)
		}
		check("fount", "pässwörd €", encoded)
	}
}

// readByGoCrypt leaves out what go-crypt has no form for.
func readByGoCrypt(encoded string) bool {
	for _, own := range []string{"$7$", "$fount-bcrypt$", "$pbkdf2-sha256$i="} {
		if strings.HasPrefix(encoded, own) {
			return false
		}
	}
	return !strings.Contains(encoded, "keyid=")
}
