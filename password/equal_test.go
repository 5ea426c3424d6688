// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Whether a user exists can't be told by the work that an answer took, counted in hashes, not in
// time.

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// hashesOf returns how many hashes of each kind a pool has computed.
func hashesOf(pool *Pool) map[string]int {
	count := map[string]int{}
	for _, h := range pool.Stats().Hashes {
		count[h.Algorithm+" "+h.Cost] += int(h.Service.Count())
	}
	return count
}

// answer returns what a client can tell of a Verify: its error, and which hashes it took.
func answer(pool *Pool, password []byte, encoded string) string {
	before := hashesOf(pool)
	_, err := pool.Verify(context.Background(), Login{}, password, encoded)

	took := hashesOf(pool)
	for kind, n := range before {
		if took[kind] -= n; took[kind] == 0 {
			delete(took, kind)
		}
	}
	return fmt.Sprint(err, took)
}

// differences returns how answers for users with these stored hashes differ from those for unknown
// users.
func differences(pool *Pool, stored map[string]string, passwords map[string][]byte) (found []string) {
	for name, password := range passwords {
		unknown := answer(pool, password, "")
		for user, encoded := range stored {
			if got := answer(pool, password, encoded); got != unknown {
				found = append(found, fmt.Sprintf("%s against %s: %s; an unknown user: %s", name, user, got, unknown))
			}
		}
	}
	return found
}

// oddPasswords have all that an algorithm or a maker treats apart.
func oddPasswords() map[string][]byte {
	long := bytes.Repeat([]byte("0123456789"), 200)
	return map[string][]byte{
		"empty": {}, "one byte": []byte("x"), "NUL": {0}, "NUL in it": []byte("a\x00b"), "NUL at the end": []byte("a\x00"),
		"byte 255": {255}, "not UTF-8": []byte("\xc3\x28"), "71 bytes": long[:71], "72 bytes": long[:72],
		"73 bytes": long[:73], "255 bytes": long[:255], "256 bytes": long[:256], "1024 bytes": long[:1024],
		"1025 bytes": long[:1025], "72 bytes and NUL": append(bytes.Clone(long[:72]), 0),
	}
}

// storedBy returns a hash of "nobody's" by a policy.
func storedBy(t *testing.T, p Policy) string {
	t.Helper()
	return must(Hash(p, []byte("nobody's")))(t)
}

// sameCost returns what a store may hold of users whose hashes are of p's cost.
func sameCost(t *testing.T, p Policy) map[string]string {
	own := storedBy(t, p)
	stored := map[string]string{"its own": own}
	if p.Algorithm == Bcrypt && p.Keys == nil {
		for _, minor := range []string{"$2a$", "$2b$", "$2y$"} {
			stored[minor] = minor + own[4:]
		}
		stored["unused bits"] = own[:28] + string("/Pfv"[strings.IndexByte(".Oeu", own[28])]) + own[29:]
	}

	if p.Markers {
		for _, marker := range []string{"!", "*", "!!", "!*", "*LK*", "*NP*", "*0", "!" + own, "!" + strings.Repeat("x", 400)} {
			stored["marker "+marker[:min(4, len(marker))]] = marker
		}
	}
	return stored
}

func TestUnknownUsersTakeTheSameWork(t *testing.T) {
	for _, p := range cheapOnes() {
		p.Markers = true
		for name, keys := range map[string]*KeyRing{"": nil, " with a key": ring(t, vectorKey())} {
			t.Run(p.Algorithm.String()+name, func(t *testing.T) {
				p.Keys = keys
				pool := newPool(t, Options{Policy: p})
				for _, found := range differences(pool, sameCost(t, p), oddPasswords()) {
					t.Error(found)
				}
			})
		}
	}
}

// Users of several policies and forms can't be told from each other, nor from nobody, if the pool
// knows of all; and they can if it does not.
func TestEqualTimeAcrossPolicies(t *testing.T) {
	cheap := cheapOnes()
	policy := cheap[1]
	policy.Markers = true
	policy.Formats = formats(t, toy{name: "toy"})

	stored := sameCost(t, policy)
	var samples []string
	for i, p := range []Policy{cheap[0], {Algorithm: Bcrypt, Cost: 5}, cheap[4], cheap[5]} {
		samples = append(samples, storedBy(t, p))
		for what, encoded := range sameCost(t, p) {
			if what == "its own" || what == "$2y$" {
				stored[fmt.Sprintf("of policy %d, %s", i, what)] = encoded
			}
		}
	}
	for _, cost := range []uint32{5, 7} {
		stored[fmt.Sprint("toy of cost ", cost)] = toyHash("the user's own", cost)
		samples = append(samples, toyHash("", cost))
	}

	t.Run("all are known", func(t *testing.T) {
		twice := append(samples, samples[0]) // which counts once
		pool := newPool(t, Options{Policy: policy, Stored: twice})
		for _, found := range differences(pool, stored, oddPasswords()) {
			t.Error(found)
		}
	})
	for i := range samples {
		t.Run(fmt.Sprintf("control: only %d are known", i), func(t *testing.T) {
			pool := newPool(t, Options{Policy: policy, Stored: samples[:i]})
			if len(differences(pool, stored, map[string][]byte{"one byte": []byte("x")})) == 0 {
				t.Error("nobody of the others is found")
			}
		})
	}
}

// A wrong password takes all iterations that the store has, and a right one only its own, which
// changes nothing of what is known of wrong ones. The two differ by a factor of some thousand.
func TestWrongPasswordTakesAllIterations(t *testing.T) {
	var service time.Duration
	encoded := storedBy(t, Policy{Algorithm: PBKDF2SHA256, Iterations: 2})
	pool := newPool(t, Options{
		Stored:  []string{strings.Replace(encoded, "$2$", "$200000$", 1)},
		Observe: func(_ context.Context, o Observation) { service = o.Service },
	})

	fastest := func(password string, want error) time.Duration {
		least := time.Hour
		for range 3 {
			if _, err := pool.Verify(t.Context(), Login{}, []byte(password), encoded); err != want {
				t.Fatal(err)
			}
			least = min(least, service)
		}
		return least
	}

	wrong := fastest("wrong", ErrMismatch)
	estimate := pool.Stats().Hashes[1].Alone
	right := fastest("nobody's", nil)
	if wrong < 10*right {
		t.Errorf("a wrong password takes %v, a right one %v", wrong, right)
	}
	if now := pool.Stats().Hashes[1].Alone; now != estimate {
		t.Errorf("right passwords have changed the estimate from %v to %v", estimate, now)
	}
}

// A password is tried as all that it may have been when the hash was made, also if the first is
// right: a client that leaves too little time for two would learn which password is.
func TestRightPasswordTakesAllReadings(t *testing.T) {
	sums := 0
	counted := toy{name: "toy", change: func(p *Computed) {
		compute := p.Compute
		p.Also = func(password []byte) []byte { return append(password, '!') }
		p.Compute = func(password, memory []byte, yield func() bool) []byte {
			sums++
			return compute(password, memory, yield)
		}
	}}

	one := wrapPolicy(t, counted)
	two := wrapPolicy(t, counted, renamed{counted, "renamed"})
	stored := toyHash("right!", 1)
	for name, c := range map[string]struct {
		policy  Policy
		encoded string
		sums    int
	}{
		"of one Format":          {policy: one, encoded: stored, sums: 2},
		"of one Format, wrapped": {policy: one, encoded: wrappedOf(t, one, stored), sums: 2},
		"of two Formats":         {policy: two, encoded: stored, sums: 3},
	} {
		t.Run(name, func(t *testing.T) {
			for password, match := range map[string]bool{"right!": true, "right": true, "wrong": false} {
				sums = 0
				if _, err := Verify(c.policy, []byte(password), c.encoded); (err == nil) != match || sums != c.sums {
					t.Errorf("%q: %v after %d sums; want %d", password, err, sums, c.sums)
				}
			}
		})
	}
}

// Hashes of one form and cost are of two kinds if they take differently long for short passwords or
// for long ones.
func TestKindsByLength(t *testing.T) {
	for name, c := range map[string]struct{ short, long, kinds int }{
		"alike":             {kinds: 1},
		"for short ones":    {short: 1, kinds: 2},
		"for long ones":     {long: 1, kinds: 2},
		"for all passwords": {short: 1, long: 1, kinds: 2},
	} {
		t.Run(name, func(t *testing.T) {
			policy := cheapest
			policy.Formats = formats(t, toy{name: "toy", change: func(p *Computed) {
				differs := int(p.Cost)
				p.Cost = 1
				p.Time = func(n int) time.Duration {
					if n < 512 {
						return time.Duration(1+c.short*differs) * time.Microsecond
					}
					return time.Duration(1+c.long*differs) * time.Millisecond
				}
			}})
			pool := newPool(t, Options{Policy: policy, Stored: []string{toyHash("", 5), toyHash("", 9)}})
			if n := len(pool.samples) - 1; n != c.kinds {
				t.Errorf("%d kinds; want %d", n, c.kinds)
			}
		})
	}
}

// A password takes the hashes up to its own, and counts once.
func TestStages(t *testing.T) {
	policy := Policy{Algorithm: Argon2id, Memory: 16, Iterations: 1}
	first := storedBy(t, policy)
	second := storedBy(t, cheapest)
	third := "$2b$05$" + goodBcrypt[7:]
	for name, c := range map[string]struct {
		password, encoded string
		want              Outcome
		hashes            int
	}{
		"right at the first":  {password: "nobody's", encoded: first, want: OutcomeMatch, hashes: 1},
		"right at the second": {password: "nobody's", encoded: second, want: OutcomeMatch, hashes: 2},
		"wrong at the first":  {password: "wrong", encoded: first, want: OutcomeMismatch, hashes: 3},
		"wrong at the second": {password: "wrong", encoded: second, want: OutcomeMismatch, hashes: 3},
		"of nobody":           {password: "wrong", want: OutcomeUnknown, hashes: 3},
		"of no stage":         {password: "wrong", encoded: "$2b$06$" + goodBcrypt[7:], want: OutcomeMismatch, hashes: 3},
	} {
		t.Run(name, func(t *testing.T) {
			pool := newPool(t, Options{Policy: policy, Stored: []string{second, third}})
			pool.Verify(t.Context(), Login{}, []byte(c.password), c.encoded)

			hashes := 0
			for _, n := range hashesOf(pool) {
				hashes += n
			}
			if s := pool.Stats().SignIns; hashes != c.hashes || s.Of(c.want) != 1 || s.Total.Count() != 1 {
				t.Errorf("%d hashes, counted as %+v; want %d, and one %v", hashes, s.Ended, c.hashes, c.want)
			}
		})
	}

	large := Options{Stored: []string{storedBy(t, Default())}, Policy: cheapest, Memory: 18 << 20}
	if _, err := NewPool(large); err == nil {
		t.Error("a stage that takes more than the memory: no error")
	}
}
