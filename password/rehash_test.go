// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"slices"
	"testing"
	"time"
)

// Another key or algorithm asks for a rehash, the same do not, and Verify says what NeedsRehash
// does.
func TestNeedsRehash(t *testing.T) {
	old := vectorKey()
	other := Key{"k2", bytes.Repeat([]byte{9}, 16)}
	for _, p := range cheapOnes() {
		t.Run(p.Algorithm.String(), func(t *testing.T) {
			check := func(what string, p Policy, encoded string, want bool) {
				t.Helper()
				r, err := Verify(p, []byte("x"), encoded)
				if err != nil || r.NeedsRehash != want || NeedsRehash(p, encoded) != want {
					t.Errorf("%s: Verify says %+v, %v; want %v", what, r, err, want)
				}
			}
			keyed := p
			keyed.Keys = ring(t, old)
			rotated := p
			rotated.Keys = ring(t, other, old)
			plain := must(Hash(p, []byte("x")))(t)
			peppered := must(Hash(keyed, []byte("x")))(t)

			check("the same policy", p, plain, false)
			check("a key added", keyed, plain, true)
			check("the same key", keyed, peppered, false)
			check("a key rotated", rotated, peppered, true)

			for _, q := range cheapOnes() {
				switch { // no family's costs are lowered
				case q.Algorithm == p.Algorithm:
					continue
				case algorithms[q.Algorithm].family == Argon2id && algorithms[p.Algorithm].family == Argon2id:
					q.Memory = p.Memory
					q.Iterations = p.Iterations
					q.Parallelism = p.Parallelism
				case algorithms[q.Algorithm].extends && algorithms[p.Algorithm].extends:
					q.Iterations = 3 * p.Iterations
				}
				check("another algorithm, "+q.Algorithm.String(), q, plain, true)
			}
		})
	}
}

// A rehash makes nothing cheaper: of each pair of policies in a row one asks for the other's
// hashes, and not the other way round, with a new key or without.
func TestNeedsRehashNeverDown(t *testing.T) {
	for _, pair := range [][2]string{ // the weaker one first
		{"bcrypt,cost=10", "bcrypt,cost=12"},
		{"bcrypt,cost=5", "bcrypt,cost=8"}, // both below OWASP's minimum
		{"argon2id,m=64,t=1", "argon2id,m=64,t=3"},
		{"argon2id", "argon2id,m=262144"},
		{"argon2id", "argon2id,m=262144,t=1"},
		{"argon2id", "argon2id,m=65536,t=1,p=32"},
		{"argon2id", "argon2id,m=65536,t=3,p=4"},
		{"argon2id", "argon2id,m=47104,t=1"},
		{"argon2id,m=7168,t=5", "argon2id"},
		{"argon2id,m=64,t=10", "argon2id"},
		{"argon2id,m=64,t=1000", "argon2id"}, // below OWASP's minimum, whatever its work
		{"scrypt,ln=16", "scrypt"},
		{"scrypt,ln=13,p=10", "scrypt"},
		{"scrypt", "scrypt,r=9"},
		{"scrypt,ln=10,p=10", "scrypt,ln=13,p=10"},
		{"pbkdf2-sha256", "pbkdf2-sha256,i=1000000"},
		{"pbkdf2-sha512", "pbkdf2-sha512,i=220001"},
		{"argon2id", "argon2i,m=65536,t=3,p=4"},
		{"argon2d", "argon2id,m=65536"},
		{"pbkdf2-sha512", "pbkdf2-sha256,i=601000"},
		{"pbkdf2-sha256", "pbkdf2-sha512,i=221000"},
		{"bcrypt,cost=9", "argon2id"}, // of several families: by OWASP's minimum
		{"pbkdf2-sha256,i=599999", "bcrypt"},
		{"scrypt,ln=13", "pbkdf2-sha512"},
		{"argon2id,m=7168,t=4", "scrypt,ln=13,p=10"},
	} {
		t.Run(pair[0]+" and "+pair[1], func(t *testing.T) {
			var stored [2]string
			var policies, keyed [2]Policy

			for i, text := range pair {
				policies[i] = policy(t, text)
				policies[i].Limits.Time = time.Minute
				keyed[i] = policies[i]
				keyed[i].Keys = ring(t, vectorKey())

				j := must(policies[i].hashJob([]byte("x")))(t)
				stored[i] = j.text(j.storedSum)

				if !NeedsRehash(keyed[i], stored[i]) {
					t.Errorf("%s is not to give way to one of its cost with a key", stored[i])
				}
			}

			for _, p := range [][2]Policy{policies, keyed} {
				weak := p[0]
				strong := p[1]
				if !NeedsRehash(strong, stored[0]) || NeedsRehash(weak, stored[1]) {
					t.Errorf("keys %v: %s is not to give way, or %s is", weak.Keys != nil, stored[0], stored[1])
				}
			}
		})
	}
}

// Forms of one algorithm, and algorithms of several families, are compared by what they cost.
func TestNeedsRehashOf(t *testing.T) {
	passlib := "$bcrypt-sha256$v=2,t=2b,r=12$" + goodBcrypt[7:29] + "$" + goodBcrypt[29:]
	bcrypt := func(cost string) string { return "$2b$" + cost + goodBcrypt[6:] }
	for _, c := range []struct {
		policy, stored string
		want           bool
	}{
		{"bcrypt,cost=5", "$2a$" + goodBcrypt[4:], false}, // the same hash
		{"bcrypt,cost=5", "$2y$" + goodBcrypt[4:], false},
		{"bcrypt,cost=11", passlib, false},
		{"bcrypt,cost=12", passlib, true},

		{"argon2id", bcrypt("11"), true}, // twice as hard
		{"argon2id", bcrypt("12"), false},
		{"argon2id,m=65536", bcrypt("12"), true}, // 3.4 times OWASP's
		{"argon2id,m=65536", bcrypt("13"), false},
		{"argon2id,m=65536,t=1", argon2ID("v=19", "m=65536,t=1,p=4"), true}, // other lanes, no less expense
	} {
		if got := NeedsRehash(policy(t, c.policy), c.stored); got != c.want {
			t.Errorf("%s beside the policy %s: %v", c.stored, c.policy, got)
		}
	}

	for _, p := range owasp {
		if p.Algorithm != Bcrypt && (!NeedsRehash(p, bcrypt("11")) || NeedsRehash(p, bcrypt("12"))) {
			t.Errorf("beside %+v a bcrypt of cost 11 must make way, and one of 12 must not", p)
		}
	}
	if !NeedsRehash(Policy{Limits: Limits{Memory: 65536 << 10}}, argon2ID("v=19", "m=65537,t=3,p=4")) {
		t.Error("a hash above the limits can stay")
	}
}

// What Verify asks for can be done: Hash takes the password, and what it makes needs no other.
func TestRehashCanBeMade(t *testing.T) {
	var policies []Policy
	for _, p := range cheapOnes() {
		keyed := p
		keyed.Keys = ring(t, vectorKey())
		policies = append(policies, p, keyed)
	}
	asking := append(slices.Clone(policies), Policy{Algorithm: Bcrypt, Cost: 5},
		// None of these can be followed.
		Policy{Algorithm: Bcrypt, Cost: 3}, Policy{Algorithm: Bcrypt, Cost: 17},
		Policy{Algorithm: Bcrypt, Cost: 6, Limits: Limits{Time: time.Millisecond}})

	for name, password := range oddPasswords() {
		t.Run(name, func(t *testing.T) {
			for _, made := range policies {
				hashed := password
				isCut := made.Algorithm == Bcrypt && made.Keys == nil && len(password) > 72
				if isCut { // as other makers do
					hashed = password[:72]
				}
				encoded, err := Hash(made, hashed)
				if err != nil || len(password) > maxPassword {
					continue // nobody has such a hash
				}

				for _, p := range asking {
					if p.Keys != nil || made.Keys == nil { // so that it can verify
						followRehash(t, p, password, encoded, isCut)
					}
				}
			}
		})
	}
}

// followRehash signs in and, if it shall, replaces the hash and signs in again.
func followRehash(t *testing.T, p Policy, password []byte, encoded string, isCut bool) {
	t.Helper()
	r, err := Verify(p, password, encoded)
	if err != nil || r.Truncated != isCut {
		t.Errorf("%s by %+v: %+v, %v; want Truncated: %v", encoded, p, r, err, isCut)
	}
	if !r.NeedsRehash {
		return
	}

	again, err := Hash(p, password)
	if err != nil {
		t.Errorf("%s needs a rehash by %+v, and Hash refuses: %v", encoded, p, err)
		return
	}
	if r, err := Verify(p, password, again); err != nil || r.NeedsRehash {
		t.Errorf("%s, just made, says %+v, %v", again, r, err)
	}
}
