// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"testing"
	"time"

	"fount/password/internal/format"
)

func TestNeedsRehash(t *testing.T) {
	old, other := vectorKey(), vectorKey()
	other.ID = "k2"
	other.Secret = bytes.Repeat([]byte{9}, 16)
	for _, p := range cheapOnes() {
		plain, err := Hash(p, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		keyed := p
		keyed.Keys = ring(t, old)
		peppered, err := Hash(keyed, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, p Policy, encoded string, want bool) {
			t.Helper()
			if got := NeedsRehash(p, encoded); got != want {
				t.Errorf("%v, %s: %v, want %v", p.Algorithm, what, got, want)
			}
			r, err := Verify(p, []byte("x"), encoded)
			if err != nil || r.NeedsRehash != want {
				t.Errorf("%v, %s: Verify says %+v, %v", p.Algorithm, what, r, err)
			}
		}
		check("same policy", p, plain, false)
		check("key added", keyed, plain, true)
		check("same key", keyed, peppered, false)
		rotated := p
		rotated.Keys = ring(t, other, old)
		check("key rotated", rotated, peppered, true)
		for _, change := range []func(*Policy){
			func(p *Policy) { p.Cost++ },
			func(p *Policy) { p.Memory += 8 },
			func(p *Policy) { p.Iterations++ },
			func(p *Policy) { p.BlockSize = 9 },
		} {
			q := p
			change(&q)
			filled, err := q.filled()
			if err != nil {
				t.Fatal(err)
			}
			blank, err := filled.unsalted()
			if err != nil {
				t.Fatal(err)
			}
			h := blank.hash()
			before, err := format.Parse(plain)
			if err != nil {
				t.Fatal(err)
			}
			used := h.Cost != before.Cost || h.Memory != before.Memory || h.Iterations != before.Iterations ||
				h.BlockSize != before.BlockSize
			check("a number raised", q, plain, used)
		}
		for _, q := range cheapOnes() {
			if q.Algorithm == p.Algorithm {
				continue
			}
			switch { // no family's costs are lowered
			case algorithms[q.Algorithm].family == Argon2id && algorithms[p.Algorithm].family == Argon2id:
				q.Memory, q.Iterations, q.Parallelism = p.Memory, p.Iterations, p.Parallelism
			case algorithms[q.Algorithm].extends && algorithms[p.Algorithm].extends:
				q.Iterations = 3 * p.Iterations
			}
			check("another algorithm, "+q.Algorithm.String(), q, plain, true)
		}
	}
	for _, same := range []string{"$2a$", "$2y$"} {
		if NeedsRehash(Policy{Algorithm: Bcrypt, Cost: 5}, same+goodBcrypt[4:]) {
			t.Errorf("%s needs a rehash; it is the same hash", same)
		}
	}
	passlib := "$bcrypt-sha256$v=2,t=2b,r=5$" + goodBcrypt[7:29] + "$" + goodBcrypt[29:]
	if !NeedsRehash(Policy{Algorithm: Bcrypt, Cost: 5}, passlib) {
		t.Error("passlib's bcrypt-sha256 needs no rehash to bcrypt")
	}
}

// A rehash makes nothing cheaper: of each pair of policies in a row one asks for the
// other's hashes, and not the other way round, with a new key or without.
func TestNeedsRehashNeverDown(t *testing.T) {
	argon2id := func(m, passes, p int) Policy {
		return Policy{Algorithm: Argon2id, Memory: m, Iterations: passes, Parallelism: p}
	}
	for _, pair := range [][2]Policy{ // the weaker one first
		{{Algorithm: Bcrypt, Cost: 10}, {Algorithm: Bcrypt, Cost: 12}},
		{{Algorithm: Bcrypt, Cost: 5}, {Algorithm: Bcrypt, Cost: 8}}, // both below OWASP's minimum
		{argon2id(64, 1, 1), argon2id(64, 3, 1)},
		{argon2id(19456, 2, 1), argon2id(262144, 2, 1)},
		{argon2id(19456, 2, 1), argon2id(262144, 1, 1)},
		{argon2id(19456, 2, 1), argon2id(65536, 1, 32)},
		{argon2id(19456, 2, 1), argon2id(65536, 3, 4)},
		{argon2id(19456, 2, 1), argon2id(47104, 1, 1)},
		{argon2id(7168, 5, 1), argon2id(19456, 2, 1)},
		{argon2id(64, 10, 1), argon2id(19456, 2, 1)},
		{argon2id(64, 1000, 1), argon2id(19456, 2, 1)}, // below OWASP's minimum, whatever its work
		{owaspScrypt(16, 1), owaspScrypt(17, 1)},
		{owaspScrypt(13, 10), owaspScrypt(17, 1)},
		{{Algorithm: Scrypt, Cost: 10, BlockSize: 8, Parallelism: 10}, owaspScrypt(13, 10)},
		{ofSHA256, {Algorithm: PBKDF2SHA256, Iterations: 1_000_000}},
		{ofSHA512, {Algorithm: PBKDF2SHA512, Iterations: 220_001}},
		{Default(), {Algorithm: Argon2i, Memory: 65536, Iterations: 3, Parallelism: 4}},
		{{Algorithm: Argon2d, Memory: 19456, Iterations: 2}, {Algorithm: Argon2id, Memory: 65536, Iterations: 2}},
		{ofSHA512, {Algorithm: PBKDF2SHA256, Iterations: 601_000}},
		{ofSHA256, {Algorithm: PBKDF2SHA512, Iterations: 221_000}},
		{{Algorithm: Bcrypt, Cost: 9}, Default()}, // of several families: by OWASP's minimum
		{{Algorithm: PBKDF2SHA256, Iterations: 599_999}, bcrypt10},
		{{Algorithm: Scrypt, Cost: 13}, ofSHA512},
		{argon2id(7168, 4, 1), owaspScrypt(13, 10)},
	} {
		var stored [2]string
		for i := range pair {
			pair[i].Limits.Time = time.Minute
			j, err := pair[i].hashJob([]byte("x"))
			if err != nil {
				t.Fatal(err)
			}
			stored[i] = j.text(j.storedSum)
		}
		if !NeedsRehash(pair[1], stored[0]) {
			t.Errorf("%s is not to give way to %s", stored[0], stored[1])
		}
		if NeedsRehash(pair[0], stored[1]) {
			t.Errorf("%s is to give way to %s", stored[1], stored[0])
		}
		keyed := pair
		for i := range keyed {
			keyed[i].Keys = ring(t, vectorKey())
			if !NeedsRehash(keyed[i], stored[i]) {
				t.Errorf("%s is not to give way to one of its cost with a key", stored[i])
			}
		}
		if !NeedsRehash(keyed[1], stored[0]) {
			t.Errorf("%s is not to give way to %s with a key", stored[0], stored[1])
		}
		if NeedsRehash(keyed[0], stored[1]) {
			t.Errorf("%s is to give way to %s with a key", stored[1], stored[0])
		}
	}
	passlib := "$bcrypt-sha256$v=2,t=2b,r=12$" + goodBcrypt[7:29] + "$" + goodBcrypt[29:]
	for cost, want := range map[int]bool{10: false, 11: false, 12: true, 13: true} {
		if NeedsRehash(Policy{Algorithm: Bcrypt, Cost: cost}, passlib) != want {
			t.Errorf("passlib's bcrypt of cost 12: a rehash with cost %d must be %v", cost, want)
		}
	}
	for _, p := range owasp { // a bcrypt of cost 11 is twice as hard
		for cost, want := range map[string]bool{"10": true, "11": true, "12": false, "14": false} {
			if p.Algorithm != Bcrypt && NeedsRehash(p, "$2b$"+cost+goodBcrypt[6:]) != want {
				t.Errorf("bcrypt of cost %s beside %+v: a rehash must be %v", cost, p, want)
			}
		}
	}
	if p := argon2id(65536, 2, 1); !NeedsRehash(p, "$2b$12"+goodBcrypt[6:]) || NeedsRehash(p, "$2b$13"+goodBcrypt[6:]) {
		t.Error("beside an argon2id of 3.4 times OWASP's, a bcrypt of 4 times must make way, and one of 8 times must not")
	}
	if !NeedsRehash(argon2id(65536, 1, 1), argon2ID("v=19", "m=65536,t=1,p=4")) {
		t.Error("other lanes at the same expense are not asked for")
	}
	if !NeedsRehash(Policy{Limits: Limits{Memory: 65536 << 10}}, argon2ID("v=19", "m=65537,t=3,p=4")) {
		t.Error("a hash above the limits can stay")
	}
}
