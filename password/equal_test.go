// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Whether a user is there can't be told by the work that an answer took: every kind
// of password against every kind of stored string, counted in the hashes that were
// computed, not in time.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// A verifier answers and says what it computed: how many hashes of which kind.
type verifier func(password []byte, encoded string) (map[string]int, error)

// countedVerify is the package's Verify.
func countedVerify(p Policy) verifier {
	return func(password []byte, encoded string) (map[string]int, error) {
		did := map[string]int{}
		if j, err := p.verifyJob(password, encoded); err == nil { // Verify runs it, whatever it is
			did[fmt.Sprint(j.need.kind, j.need.units)]++
		}
		_, err := Verify(p, password, encoded)
		return did, err
	}
}

// countedPool is a pool's.
func countedPool(t *testing.T, o Options) verifier {
	pool := must(NewPool(o))(t)

	count := func() map[string]int {
		did := map[string]int{}
		for _, h := range pool.Stats().Hashes {
			did[h.Algorithm+" "+h.Cost] += int(h.Service.Count())
		}
		return did
	}

	return func(password []byte, encoded string) (map[string]int, error) {
		before := count()
		_, err := pool.Verify(context.Background(), Login{Principal: "x"}, password, encoded)
		did := count()
		for kind, n := range before {
			if did[kind] -= n; did[kind] == 0 {
				delete(did, kind)
			}
		}
		return did, err
	}
}

// tried are passwords with all that an algorithm or a maker treats apart.
func tried() map[string][]byte {
	long := bytes.Repeat([]byte("0123456789"), 200)
	return map[string][]byte{
		"empty": {}, "one byte": []byte("x"), "NUL": {0}, "NUL in it": []byte("a\x00b"), "NUL at the end": []byte("a\x00"),
		"byte 255": {255}, "not UTF-8": []byte("\xc3\x28"), "71 bytes": long[:71], "72 bytes": long[:72],
		"73 bytes": long[:73], "255 bytes": long[:255], "256 bytes": long[:256], "1024 bytes": long[:1024],
		"1025 bytes": long[:1025], "72 bytes and NUL": append(bytes.Clone(long[:72]), 0),
	}
}

// distinguishable returns what an unknown user differs in from one whose stored hash
// is of the policy's cost, for any of the passwords; nothing, if all is well.
func distinguishable(verify verifier, stored map[string]string, passwords map[string][]byte) (found []string) {
	for name, password := range passwords {
		reference, unknown := verify(password, "")
		for what, encoded := range stored {
			if did, err := verify(password, encoded); !maps.Equal(did, reference) || errorClass(err) != errorClass(unknown) {
				found = append(found, fmt.Sprintf("%s against %s: %v, %v; an unknown user: %v, %v",
					name, what, err, did, unknown, reference))
			}
		}
	}
	return found
}

// errorClass is what a client can tell of an error.
func errorClass(err error) error {
	for _, class := range []error{ErrMismatch, ErrTooLong, ErrMalformed, ErrCost, ErrKey} {
		if errors.Is(err, class) {
			return class
		}
	}
	return err
}

// sameCost returns what a store may hold of users whose hashes are of p's cost.
func sameCost(t *testing.T, p Policy) map[string]string {
	own := must(Hash(p, []byte("the user's own")))(t)

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
		for _, p.Keys = range []*KeyRing{nil, ring(t, vectorKey())} {
			stored := sameCost(t, p)
			for _, found := range distinguishable(countedVerify(p), stored, tried()) {
				t.Errorf("%v, keys %v: %s", p.Algorithm, p.Keys != nil, found)
			}
			for _, found := range distinguishable(countedPool(t, Options{Policy: p}), stored, tried()) {
				t.Errorf("%v, keys %v, pool: %s", p.Algorithm, p.Keys != nil, found)
			}
		}
	}
}

// What Verify asks for can be done: Hash takes the password, and what it makes needs
// no other.
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

	for name, password := range tried() {
		if len(password) > maxPassword {
			continue
		}
		for _, made := range policies {
			encoded, err := Hash(made, password)
			if err != nil && made.Algorithm == Bcrypt && len(password) > 72 { // cut as others do
				encoded, err = Hash(made, password[:72])
			}
			if err != nil {
				continue
			}
			for _, p := range asking {
				if p.Keys == nil && made.Keys != nil {
					continue // can't verify
				}
				r, err := Verify(p, password, encoded)
				if err != nil {
					t.Errorf("%s: %s by %+v: %v", name, encoded, p, err)
					continue
				}
				if r.Truncated != (made.Algorithm == Bcrypt && made.Keys == nil && len(password) > 72) {
					t.Errorf("%s: %s: Truncated is %v", name, encoded, r.Truncated)
				}
				if !r.NeedsRehash {
					continue
				}
				again, err := Hash(p, password)
				if err != nil {
					t.Errorf("%s: %s needs a rehash by %+v, and Hash refuses: %v", name, encoded, p, err)
					continue
				}
				if r, err := Verify(p, password, again); err != nil || r.NeedsRehash {
					t.Errorf("%s: %s, just made, says %+v, %v", name, again, r, err)
				}
			}
		}
	}
}

// sample is a stored hash of a policy.
func sample(t *testing.T, p Policy) string {
	t.Helper()
	encoded := must(Hash(p, []byte("nobody's")))(t)
	return encoded
}

// Users of several policies and forms can't be told from each other, nor from nobody, where the
// pool knows of them; and where it does not, they can.
func TestEqualTimeAcrossPolicies(t *testing.T) {
	cheap := cheapOnes()
	policy := cheap[1]
	others := []Policy{cheap[0], {Algorithm: Bcrypt, Cost: 5}, cheap[4], cheap[5]}
	policy.Markers = true
	policy.Formats = formats(t, toy{name: "toy"})

	stored := sameCost(t, policy)
	var samples []string
	for i, p := range others {
		samples = append(samples, sample(t, p))
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

	found := func(samples []string, passwords map[string][]byte) []string {
		return distinguishable(countedPool(t, Options{Policy: policy, Stored: samples}), stored, passwords)
	}

	for _, found := range found(append(samples, samples[0]), tried()) { // named twice it counts once
		t.Error(found)
	}

	for i := range samples {
		if len(found(samples[:i], map[string][]byte{"one": []byte("x")})) == 0 {
			t.Errorf("control: what is not named behind the first %d is not found", i)
		}
	}
}

// wrongUnits returns what a wrong password for a stored hash computes in the pool, by kind.
func wrongUnits(t *testing.T, pool *Pool, encoded string) map[string]float64 {
	t.Helper()
	j := must(pool.options.Policy.verifyJob([]byte("wrong"), encoded))(t)

	call := must(newVerifyCall(pool.samples, pool.options.Policy, []byte("wrong"), j))(t)

	units := map[string]float64{}
	for _, stage := range call.task.stages {
		algorithm, cost := stage.kind.names()
		units[algorithm+" "+cost] += stage.units
	}
	return units
}

// A wrong password goes on, and a right one does not; nor does that change what is known of wrong
// ones. The two differ by a factor of some thousand.
func TestWrongPasswordGoesOn(t *testing.T) {
	var service time.Duration
	right := Policy{Algorithm: PBKDF2SHA256, Iterations: 2}
	encoded := sample(t, right)
	pool := newPool(t, Options{
		Stored:  []string{strings.Replace(encoded, "$2$", "$200000$", 1)},
		Observe: func(_ context.Context, o Observation) { service = o.Service },
	})

	fastest := func(password string) time.Duration {
		least := time.Hour
		for range 3 {
			_, err := pool.Verify(t.Context(), Login{}, []byte(password), encoded)
			if (err == nil) != (password == "nobody's") {
				t.Fatal(err)
			}
			least = min(least, service)
		}
		return least
	}

	wrong := fastest("wrong")
	alone := pool.Stats().Hashes[1].Alone
	if right := fastest("nobody's"); wrong < 10*right || pool.Stats().Hashes[1].Alone != alone {
		t.Errorf("a wrong password takes %v, a right one %v; the estimate was %v: %+v", wrong, right, alone, pool.Stats().Hashes)
	}
}

// A password is tried as all that it may have been when the hash was made, also where the first is
// right: a client that leaves too little time for two would learn which password is.
func TestRightPasswordTakesAllReadings(t *testing.T) {
	computed := 0
	change := func(p *Computed) {
		compute := p.Compute
		p.Also = func(password []byte) []byte { return append(password, '!') }
		p.Compute = func(password, memory []byte, yield func() bool) []byte {
			computed++
			return compute(password, memory, yield)
		}
	}

	p := wrapPolicy(t)
	p.Formats = formats(t, toy{name: "toy", change: change})
	stored := toyHash("right!", 1)
	wrapped := wrappedOf(t, p, stored)
	both := p
	both.Formats = formats(t, toy{name: "toy", change: change}, renamed{toy{name: "toy", change: change}, "renamed"})

	for i, c := range []struct {
		policy  Policy
		encoded string
		want    int
	}{{p, stored, 2}, {p, wrapped, 2}, {both, stored, 3}} {
		for password, match := range map[string]bool{"right!": true, "right": true, "wrong": false} {
			computed = 0
			if _, err := Verify(c.policy, []byte(password), c.encoded); (err == nil) != match || computed != c.want {
				t.Errorf("%d, %q: %v after %d sums; want %d", i, password, err, computed, c.want)
			}
		}
	}
}

// Works of one form and cost are two if they differ for short passwords alone, or for long ones,
// and one if for neither.
func TestStagesOfTwoTimes(t *testing.T) {
	for _, c := range []struct{ short, long, works int }{{1, 0, 2}, {0, 1, 2}, {1, 1, 2}, {0, 0, 1}} {
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
		if n := len(pool.samples) - 1; n != c.works {
			t.Errorf("%+v: %d works", c, n)
		}
	}
}

// A password takes the hashes up to its own, and counts once.
func TestStages(t *testing.T) {
	old := cheapest
	o := Options{Policy: Policy{Algorithm: Argon2id, Memory: 16, Iterations: 1}, Stored: []string{sample(t, old), "$2b$05$" + goodBcrypt[7:]}}
	pool := newPool(t, o)

	hashes := func() (n uint64) {
		for _, h := range pool.Stats().Hashes {
			n += h.Service.Count()
		}
		return n
	}

	for i, call := range []struct {
		password, encoded string
		want              Outcome
		hashes            uint64
	}{
		{"nobody's", sample(t, o.Policy), OutcomeMatch, 1},
		{"nobody's", o.Stored[0], OutcomeMatch, 2},
		{"wrong", sample(t, o.Policy), OutcomeMismatch, 3},
		{"wrong", o.Stored[0], OutcomeMismatch, 3},
		{"wrong", "", OutcomeUnknown, 3},
		{"wrong", "$2b$06$" + goodBcrypt[7:], OutcomeMismatch, 3},
	} {
		before := hashes()
		calls := pool.Stats().SignIns.Of(call.want)
		pool.Verify(t.Context(), Login{}, []byte(call.password), call.encoded)
		s := pool.Stats().SignIns
		if n := hashes() - before; n != call.hashes || s.Of(call.want) != calls+1 || s.Total.Count() != uint64(i+1) {
			t.Errorf("%s, %.12s: %d hashes, %+v; want %d and one %v", call.password, call.encoded, n, s.Ended, call.hashes, call.want)
		}
	}

	if _, err := NewPool(Options{Policy: old, Stored: []string{sample(t, Default())}, Memory: 18 << 20}); err == nil {
		t.Error("a sample that takes more than the memory: no error")
	}
}

// Sample names each kind once, the most frequent first, and nothing that it can't read.
func TestSample(t *testing.T) {
	p := cheapest
	p.Markers = true
	p.Formats = formats(t, toy{name: "toy"}, toy{name: "slow", change: func(p *Computed) {
		p.Time = func(n int) time.Duration { return time.Duration(n) * 5 * time.Millisecond }
	}})

	bcrypt5 := "$2b$05$" + goodBcrypt[7:]
	argon2id := argon2ID("v=19", "m=64,t=1,p=1")
	pbkdf2 := sample(t, Policy{Algorithm: PBKDF2SHA256, Iterations: 10})
	more := sample(t, Policy{Algorithm: PBKDF2SHA256, Iterations: 11})
	var varied []string // as many iterations as hashes: one in a hundred has or exceeds the last but one
	for i := range 200 {
		varied = append(varied, fmt.Sprintf("$pbkdf2-sha256$%d$%s$%s", 1000+i, goodSalt, goodSum))
	}

	ms := func(n int) string { return fmt.Sprintf("toy$%d$%s", n*1000, strings.Repeat("00", 32)) }

	for name, c := range map[string]struct{ stored, want []string }{
		"nothing":        {nil, nil},
		"its own":        {[]string{sample(t, cheapest)}, nil},
		"unreadable":     {[]string{"", "!", "*", "hunter2", "$2b$31$" + goodBcrypt[7:], "slow" + ms(1)[3:]}, nil},
		"by count":       {[]string{argon2id, bcrypt5, bcrypt5, pbkdf2, bcrypt5, pbkdf2}, []string{bcrypt5, pbkdf2, argon2id}},
		"most PBKDF2":    {[]string{pbkdf2, pbkdf2, more}, []string{more}},
		"PBKDF2 of each": {varied, []string{varied[198]}},
		"a dear one":     {[]string{ms(200), ms(101), ms(101), ms(100)}, []string{ms(101), ms(100)}},
		"one in 100":     {append(slices.Repeat([]string{bcrypt5}, 99), pbkdf2), []string{bcrypt5, pbkdf2}},
		"one in 101":     {append(slices.Repeat([]string{bcrypt5}, 100), pbkdf2), []string{bcrypt5}},
		"64 MiB of each": {[]string{argon2ID("v=19", "m=65536,t=1,p=1"), argon2ID("v=19", "m=65537,t=1,p=1")}, []string{argon2ID("v=19", "m=65536,t=1,p=1")}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Sample(p, slices.Values(c.stored)); !slices.Equal(got, c.want) {
				t.Errorf("%q; want %q", got, c.want)
			}
		})
	}
}

// Whatever a store holds, all who are covered take the same for a wrong password, in 300 ms beside
// the policy's hash, and only for kinds that one in a hundred has; who is not covered does not fit.
func TestSampleOfAnyStore(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	exponential := func(most float64) int { return int(math.Pow(most, rng.Float64())) }
	for range 50 {
		p := append(cheapOnes(), Policy{Algorithm: PBKDF2SHA256, Iterations: 10_000})[rng.IntN(8)]
		p.Formats = formats(t, toy{name: "toy"}, toy{name: "django", as: func(c *Computed) *Translated {
			return &Translated{Hash: fmt.Sprintf("$pbkdf2-sha256$i=%d$%s$%s", c.Cost, goodSalt, goodSum)}
		}})

		var stored []string
		counts := map[string]int{}
		for range exponential(40) {
			encoded := []string{
				fmt.Sprintf("$2b$%02d$%s", 4+rng.IntN(12), goodBcrypt[7:]),
				argon2ID("v=19", fmt.Sprintf("m=%d,t=%d,p=1", 8+exponential(1<<19), exponential(8))),
				scryptPHC(fmt.Sprintf("ln=%d,r=8,p=1", 1+rng.IntN(17))),
				fmt.Sprintf("$pbkdf2-sha256$i=%d$%s$%s", exponential(2e6), goodSalt, []string{goodSum, good64}[rng.IntN(2)]),
				fmt.Sprintf("$pbkdf2-sha512$i=%d$%s$%s", exponential(2e6), goodSalt, good64),
				fmt.Sprintf("django$%d$00", exponential(2e6)),
				toyHash("", uint32(5*exponential(4))),
			}[rng.IntN(7)]
			n := exponential(1000)
			counts[encoded] += n
			stored = append(stored, slices.Repeat([]string{encoded}, n)...)
		}

		count := func(encoded string) (n int) { // that it covers
			j, _ := p.verifyJob([]byte("x"), encoded)
			for other, m := range counts {
				o, _ := p.verifyJob([]byte("x"), other)
				same := o.need.kind == j.need.kind && o.need.units == j.need.units
				if same || j.need.extends && o.need.kind.algorithm == j.need.kind.algorithm && o.need.units >= j.need.units {
					n += m
				}
			}
			return n
		}

		pool := newPool(t, Options{Policy: p, Stored: Sample(p, slices.Values(stored))})
		stages, _, _ := p.cover(nil, "")
		left := maxSampled
		for _, encoded := range pool.options.Stored {
			with, more, err := p.cover(stages, encoded)
			stages = with
			if left -= more; left < 0 || 100*count(encoded) < len(stored) || err != nil {
				t.Errorf("%d: %s, of which are %d of %d: %v are left, %v", seed, encoded, count(encoded), len(stored), left, err)
			}
		}

		for encoded := range counts {
			n := count(encoded)
			with, more, err := p.cover(stages, encoded)
			fits := 100*n >= len(stored) && with[len(with)-1].need.memory <= 64<<20 && more <= left
			same := maps.Equal(wrongUnits(t, pool, encoded), wrongUnits(t, pool, ""))
			if covers := pool.Covers(encoded); covers != same || fits && !covers || err != nil {
				t.Errorf("%d: %d of %d %s: covered %v, the same %v, fits %v, %v", seed, n, len(stored), encoded, covers, same, fits, err)
			}
		}
	}
}
