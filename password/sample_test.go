// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// Sample names each kind once, the most frequent first, and nothing that it can't read.
func TestSample(t *testing.T) {
	p := cheapest
	p.Markers = true
	p.Formats = formats(t, toy{name: "toy"}, toy{name: "slow", change: func(p *Computed) {
		p.Time = func(n int) time.Duration { return time.Duration(n) * 5 * time.Millisecond }
	}})

	bcrypt5 := "$2b$05$" + goodBcrypt[7:]
	argon2id := argon2ID("v=19", "m=64,t=1,p=1")
	pbkdf2 := storedBy(t, Policy{Algorithm: PBKDF2SHA256, Iterations: 10})
	more := storedBy(t, Policy{Algorithm: PBKDF2SHA256, Iterations: 11})
	var varied []string // as many iterations as hashes: one in a hundred has or exceeds the last but one
	for i := range 200 {
		varied = append(varied, fmt.Sprintf("$pbkdf2-sha256$%d$%s$%s", 1000+i, goodSalt, goodSum))
	}

	ms := func(n int) string { return fmt.Sprintf("toy$%d$%s", n*1000, strings.Repeat("00", 32)) }

	for name, c := range map[string]struct{ stored, want []string }{
		"nothing":        {},
		"its own":        {stored: []string{storedBy(t, cheapest)}},
		"unreadable":     {stored: []string{"", "!", "*", "hunter2", "$2b$31$" + goodBcrypt[7:], "slow" + ms(1)[3:]}},
		"by count":       {stored: []string{argon2id, bcrypt5, bcrypt5, pbkdf2, bcrypt5, pbkdf2}, want: []string{bcrypt5, pbkdf2, argon2id}},
		"most PBKDF2":    {stored: []string{pbkdf2, pbkdf2, more}, want: []string{more}},
		"PBKDF2 of each": {stored: varied, want: []string{varied[198]}},
		"a dear one":     {stored: []string{ms(200), ms(101), ms(101), ms(100)}, want: []string{ms(101), ms(100)}},
		"one in 100":     {stored: append(slices.Repeat([]string{bcrypt5}, 99), pbkdf2), want: []string{bcrypt5, pbkdf2}},
		"one in 101":     {stored: append(slices.Repeat([]string{bcrypt5}, 100), pbkdf2), want: []string{bcrypt5}},
		"64 MiB of each": {stored: []string{argon2ID("v=19", "m=65536,t=1,p=1"), argon2ID("v=19", "m=65537,t=1,p=1")}, want: []string{argon2ID("v=19", "m=65536,t=1,p=1")}},
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
	for range 50 {
		p := append(cheapOnes(), Policy{Algorithm: PBKDF2SHA256, Iterations: 10_000})[rng.IntN(8)]
		p.Formats = formats(t, toy{name: "toy"}, toy{name: "django", as: func(c *Computed) *Translated {
			return &Translated{Hash: fmt.Sprintf("$pbkdf2-sha256$i=%d$%s$%s", c.Cost, goodSalt, goodSum)}
		}})
		users, counts := drawStore(rng)
		pool := newPool(t, Options{Policy: p, Stored: Sample(p, slices.Values(users))})

		stages, _, _ := p.cover(nil, "")
		left := maxSampled
		for _, encoded := range pool.options.Stored {
			with, more, err := p.cover(stages, encoded)
			stages = with
			left -= more
			if n := alike(p, counts, encoded); left < 0 || 100*n < len(users) || err != nil {
				t.Errorf("%d: %s is a sample, of which are %d of %d: %v are left, %v", seed, encoded, n, len(users), left, err)
			}
		}

		for encoded := range counts {
			with, more, err := p.cover(stages, encoded)
			isFrequent := 100*alike(p, counts, encoded) >= len(users)
			fits := isFrequent && with[len(with)-1].need.memory <= 64<<20 && more <= left
			isEqual := maps.Equal(wrongUnits(t, pool, encoded), wrongUnits(t, pool, ""))
			if covers := pool.Covers(encoded); covers != isEqual || fits && !covers || err != nil {
				t.Errorf("%d: %s: covered %v, as nobody's %v, fits %v, %v", seed, encoded, covers, isEqual, fits, err)
			}
		}
	}
}

// drawStore draws users' hashes, of up to 40 different ones, and how many have each.
func drawStore(rng *rand.Rand) (users []string, counts map[string]int) {
	counts = map[string]int{}
	exponential := func(most float64) int { return int(math.Pow(most, rng.Float64())) }
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
		users = append(users, slices.Repeat([]string{encoded}, n)...)
	}
	return users, counts
}

// alike counts the users whose hashes a sample of encoded covers: those of its kind or, of PBKDF2,
// those with more iterations too.
func alike(p Policy, counts map[string]int, encoded string) (n int) {
	need := func(encoded string) effort {
		j, _ := p.verifyJob([]byte("x"), encoded)
		return j.need
	}
	own := need(encoded)
	for other, count := range counts {
		of := need(other)
		isSame := of.kind == own.kind && of.units == own.units
		hasMore := own.extends && of.kind.algorithm == own.kind.algorithm && of.units >= own.units
		if isSame || hasMore {
			n += count
		}
	}
	return n
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
