// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What an attacker may write into a stored hash, at its bounds and together; and what
// computing the hash then really holds.

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"
)

// held computes the work and returns how many bytes it held: what was mapped for it,
// and all that it allocated, which is no less than what it had at once. It is the
// least of up to three counts, as the runtime allocates too; of one if that is at
// most enough.
func held(j *job, enough int64) int64 {
	least := int64(-1)
	for range 3 {
		var before, after runtime.MemStats
		j.scratch = new(scratch)
		runtime.ReadMemStats(&before)
		j.compute()
		runtime.ReadMemStats(&after)
		got := int64(after.TotalAlloc - before.TotalAlloc)
		if !scratchOnHeap() {
			got += int64(len(j.scratch.memory))
		}
		j.scratch.drop()
		if least < 0 || got < least {
			least = got
		}
		if least <= enough {
			break
		}
	}
	return least
}

// scratchOnHeap reports whether the runtime counts a scratch as its own, as under
// the tags race and purego.
var scratchOnHeap = sync.OnceValue(func() bool {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := new(scratch)
	s.forArgon2(4096)
	runtime.ReadMemStats(&after)
	s.drop()
	return after.TotalAlloc-before.TotalAlloc >= 4<<20
})

// small is what a hash may allocate beside the memory that is accounted for: states of hashes,
// salt and sum, and pages of the heap that scrypt's memory and blocks don't fill; for each lane
// of argon2 the states of its first blocks; and bcrypt's tables for all of its lanes, which are
// kept between hashes but for the race detector, where a sync.Pool drops some.
const (
	small    = 24 << 10
	eachLane = 2 << 10
	tables   = 24 << 10
)

// TestPlantedHashes tries combinations of numbers at their bounds: what is let
// in holds no more than the limits allow, and what the pool reserves for it;
// all else is refused, and nothing panics.
func TestPlantedHashes(t *testing.T) {
	l := Limits{Time: 10 * time.Millisecond, Memory: 4 << 20}
	bounds := func(max int) []uint64 {
		return []uint64{0, 1, 2, uint64(max) - 1, uint64(max), uint64(max) + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1}
	}

	var planted []string
	for _, m := range append(bounds(4096), 8, 16, 2040) {
		for _, n := range bounds(3) {
			for _, p := range append(bounds(255), 4) {
				planted = append(planted, argon2ID("v=19", fmt.Sprintf("m=%d,t=%d,p=%d", m, n, p)))
			}
		}
	}
	for _, ln := range []uint64{0, 1, 2, 6, 9, 10, 11, 31, 32, 58, 59, 62, 63, 64} {
		for _, r := range append(bounds(64), 8, 1<<19, 1<<29, 1<<30-1) {
			for _, p := range append(bounds(10), 4) {
				planted = append(planted, scryptPHC(fmt.Sprintf("ln=%d,r=%d,p=%d", ln, r, p)))
			}
		}
	}
	for _, i := range append(bounds(20_000), bounds(10_000)...) {
		planted = append(planted,
			fmt.Sprintf("$pbkdf2-sha256$%d$%s$%s", i, goodSalt, goodSum),
			fmt.Sprintf("$pbkdf2-sha256$i=%d$%s$%s", i, goodSalt, goodSalt), // a sum of 16 bytes
			fmt.Sprintf("$pbkdf2-sha256$i=%d$%s$%s", i, goodSalt, good64),
			fmt.Sprintf("$pbkdf2-sha512$i=%d$%s$%s", i, goodSalt, good64))
	}
	for cost := range 100 {
		planted = append(planted, fmt.Sprintf("$2b$%02d$%s", cost, goodBcrypt[7:]))
	}

	admitted := map[Algorithm]int{}
	for _, encoded := range planted {
		j, err := (Policy{Limits: l}).verifyJob([]byte("x"), encoded)
		if err != nil {
			if !errors.Is(err, ErrCost) && !errors.Is(err, ErrMalformed) {
				t.Errorf("%s: %v", encoded, err)
			}
			continue
		}
		admitted[j.need.kind.algorithm]++
		if why := tooMuch(&j, l); why != "" {
			t.Errorf("%s is let in: %s", encoded, why)
		}
	}

	for _, alg := range []Algorithm{Bcrypt, Argon2id, Scrypt, PBKDF2SHA256, PBKDF2SHA512} {
		if admitted[alg] < 2 {
			t.Errorf("%v: %d of %d are let in; this shows nothing", alg, admitted[alg], len(planted))
		}
	}
}

// tooMuch computes the work and says in what it was more than the limits allow.
func tooMuch(j *job, l Limits) string {
	j.threads = 1
	beside := int64(small)
	switch of := j.hasher.(type) {
	case *argon2Hash:
		beside += int64(of.hash().Parallelism) * eachLane
	case *bcryptHash:
		beside += tables
	}

	most := l.Memory + beside
	reserved := j.need.memory + beside
	got := held(j, min(most, reserved))
	switch {
	case got > most:
		return fmt.Sprintf("it held %d bytes; the limits allow %d", got, most)
	case got > reserved:
		return fmt.Sprintf("it held %d bytes; the pool reserves %d", got, j.need.memory)
	}
	return ""
}

// A package that many use makes argon2id with as many lanes as the machine has CPUs, up to 255: its
// hashes verify elsewhere, in as much memory, and no wider than the machine.
func TestManyLanes(t *testing.T) {
	encoded := storedBy(t, Policy{Algorithm: Argon2id, Memory: 4096, Iterations: 1, Parallelism: 255})
	if _, err := Verify(Policy{}, []byte("nobody's"), encoded); err != nil {
		t.Errorf("%s: %v", encoded, err)
	}

	j, err := Policy{}.verifyJob([]byte("x"), encoded)
	if err != nil || j.need.units != 4096 || j.need.memory != 4<<20 || j.threads > runtime.GOMAXPROCS(0) {
		t.Errorf("%g units, %d bytes, %d threads, %v", j.need.units, j.need.memory, j.threads, err)
	}
}

// What Limits allow and refuse by default, and that higher ones let it through; no product of a
// hash's numbers turns small by an overflow, nor by rounding.
func TestLimits(t *testing.T) {
	bcrypt := func(cost int) string { return fmt.Sprintf("$2b$%d$%s", cost, goodBcrypt[7:]) }
	argon2id := func(parameters string) string { return argon2ID("v=19", parameters) }
	pbkdf2 := func(iterations int, sum string) string {
		return fmt.Sprintf("$pbkdf2-sha256$i=%d$%s$%s", iterations, goodSalt, sum)
	}
	twoDigests := good64[:64]
	all := Limits{Time: math.MaxInt64, Memory: math.MaxInt64}

	check := func(name string, limits Limits, want error, hashes ...string) {
		t.Run(name, func(t *testing.T) {
			for _, encoded := range hashes {
				if err := (Policy{Limits: limits}).Check(encoded); !errors.Is(err, want) {
					t.Errorf("%s: %v; want %v", encoded, err, want)
				}
			}
		})
	}
	check("allowed by default", Limits{}, nil,
		bcrypt(16),
		argon2id("m=1048576,t=4,p=255"), argon2id("m=64,t=11,p=1"), argon2id("m=2048,t=1,p=256"),
		scryptPHC("ln=14,r=32,p=1"), scryptPHC("ln=19,r=8,p=1"), scryptPHC("ln=17,r=8,p=9"),
		pbkdf2(10000000, goodSum), pbkdf2(5000000, twoDigests))
	check("refused by default", Limits{}, ErrCost,
		bcrypt(17),
		argon2id("m=1048577,t=1,p=1"), argon2id("m=1048576,t=5,p=1"),
		argon2id("m=1048576,t=4096,p=1"), // 2^32
		scryptPHC("ln=20,r=8,p=1"),       // 1 GiB and some blocks
		scryptPHC("ln=17,r=8,p=11"), scryptPHC("ln=1,r=1,p=8000000"),
		pbkdf2(10000001, goodSum), pbkdf2(5000001, twoDigests))

	check("more time", Limits{Time: 7 * time.Second}, nil, bcrypt(17), pbkdf2(10000001, goodSum))
	check("more memory", Limits{Memory: 1<<30 + 1024}, nil, argon2id("m=1048577,t=1,p=1"))
	check("more memory, but no more time", Limits{Memory: 1 << 40}, ErrCost, scryptPHC("ln=1,r=8,p=1000000"))
	check("little memory", Limits{Memory: 1 << 10}, nil, scryptPHC("ln=1,r=1,p=1000000")) // as much as for one part

	var largeSlices error
	if strconv.IntSize == 32 {
		largeSlices = ErrCost
	}
	check("no limits", all, nil, argon2id("m=2097151,t=1,p=1"))
	check("no limits but a slice's", all, largeSlices, argon2id("m=4294967295,t=1,p=1"), scryptPHC("ln=31,r=1,p=1"))
	check("more than there is", all, ErrCost, scryptPHC("ln=63,r=1,p=1"), scryptPHC("ln=31,r=536870912,p=1"))

	j, err := Policy{}.verifyJob([]byte("x"), scryptPHC("ln=1,r=1,p=1"))
	if least := int64(2*128 + 3*128); err != nil || j.need.memory < least {
		t.Errorf("scrypt of N = 2, r = 1, p = 1 reserves %d bytes, %v; want %d at least", j.need.memory, err, least)
	}
}
