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
	"strings"
	"sync"
	"testing"
	"time"
)

// held computes the work and returns how many bytes it held: what was mapped for it,
// and all that it allocated, which is no less than what it had at once. It is the
// least of up to three counts, as the runtime allocates too; of one if that is at
// most enough.
func held(w *work, enough int64) int64 {
	least := int64(-1)
	for range 3 {
		var before, after runtime.MemStats
		w.scratch = new(scratch)
		runtime.ReadMemStats(&before)
		w.sum()
		runtime.ReadMemStats(&after)
		got := int64(after.TotalAlloc - before.TotalAlloc)
		if !scratchOnHeap() {
			got += w.scratch.bytes()
		}
		w.scratch.drop()
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

// small is what a hash may allocate beside the memory that is accounted for: states of
// hashes, salt and sum; for each lane of argon2 the states of its first blocks; and
// bcrypt's tables for all of its lanes, which are kept between hashes but for the
// race detector, where a sync.Pool drops some.
const (
	small    = 16 << 10
	eachLane = 2 << 10
	tables   = 24 << 10
)

// smallLimits bound each algorithm to what a test has time for.
var smallLimits = Limits{
	BcryptCost: 5, Argon2Memory: 4096, Argon2Iterations: 3, Argon2Parallelism: 255, Argon2Work: 8192,
	ScryptMemory: 1024, ScryptBlockSize: 64, ScryptParallelism: 10, ScryptWork: 4096, PBKDF2Iterations: 4000,
}

// TestPlantedHashes tries every combination of numbers at their bounds: what is let
// in holds no more than the limits allow, what the pool reserves for it, and does no
// more work; all else is refused, and nothing panics.
func TestPlantedHashes(t *testing.T) {
	l := smallLimits
	bounds := func(max int) []uint64 {
		return []uint64{0, 1, 2, uint64(max) - 1, uint64(max), uint64(max) + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1}
	}
	var planted []string
	for _, m := range append(bounds(l.Argon2Memory), 8, 16, 2040) {
		for _, n := range bounds(l.Argon2Iterations) {
			for _, p := range append(bounds(l.Argon2Parallelism), 4) {
				planted = append(planted, argon2ID("v=19", fmt.Sprintf("m=%d,t=%d,p=%d", m, n, p)))
			}
		}
	}
	for _, ln := range []uint64{0, 1, 2, 6, 9, 10, 11, 31, 32, 58, 59, 62, 63, 64} {
		for _, r := range append(bounds(l.ScryptBlockSize), 8, 1<<19, 1<<29, 1<<30-1) {
			for _, p := range append(bounds(l.ScryptParallelism), 4) {
				planted = append(planted, scryptPHC(fmt.Sprintf("ln=%d,r=%d,p=%d", ln, r, p)))
			}
		}
	}
	for _, i := range append(bounds(l.PBKDF2Iterations), bounds(l.PBKDF2Iterations/2)...) {
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
		w, err := (Policy{Limits: l}).admit([]byte("x"), encoded)
		if err != nil {
			if !errors.Is(err, ErrCost) && !errors.Is(err, ErrMalformed) {
				t.Errorf("%s: %v", encoded, err)
			}
			continue
		}
		admitted[w.alg]++
		if why := tooMuch(&w, l); why != "" {
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
func tooMuch(w *work, l Limits) string {
	limit := map[Algorithm]int{Argon2id: l.Argon2Memory, Argon2i: l.Argon2Memory, Argon2d: l.Argon2Memory,
		Scrypt: l.ScryptMemory}[w.alg]
	most := int64(limit)<<10 + int64(128*l.ScryptBlockSize*(l.ScryptParallelism+2)) + small
	if w.alg != Scrypt {
		most = int64(limit)<<10 + small
	}
	if w.alg.argon2() {
		most += int64(w.hash.Parallelism) * eachLane
	}
	w.threads = 1
	reserved := w.memory + int64(w.hash.Parallelism)*eachLane + small
	if w.alg == Bcrypt {
		most, reserved = most+tables, reserved+tables
	}
	got := held(w, min(most, reserved))
	switch {
	case got > most:
		return fmt.Sprintf("it held %d bytes; the limits allow %d", got, most)
	case got > reserved:
		return fmt.Sprintf("it held %d bytes; the pool reserves %d", got, w.memory)
	}
	return ""
}

// A package that many use makes argon2id with as many lanes as the machine has CPUs,
// up to 255: its hashes verify elsewhere, in as much memory, and no wider than the
// machine.
func TestManyLanes(t *testing.T) {
	for _, lanes := range []int{16, 17, 32, 96, 255} {
		p := Policy{Algorithm: Argon2id, Memory: 4096, Iterations: 1, Parallelism: lanes}
		encoded, err := Hash(p, []byte("correct horse"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(Policy{}, []byte("correct horse"), encoded); err != nil {
			t.Errorf("%s: %v", encoded, err)
		}
		w, err := Policy{}.admit([]byte("correct horse"), encoded)
		if err != nil {
			t.Fatal(err)
		}
		if w.units != 4096 || w.memory != 4<<20 || w.threads > runtime.GOMAXPROCS(0) {
			t.Errorf("%d lanes: %g units, %d bytes, %d threads", lanes, w.units, w.memory, w.threads)
		}
	}
}

// A negative limit refuses what is as little as can be.
func TestNegativeLimits(t *testing.T) {
	argon2id, scrypt := argon2ID("v=19", "m=8,t=1,p=1"), scryptPHC("ln=1,r=1,p=1")
	for _, test := range []struct {
		limits  Limits
		encoded string
	}{
		{Limits{BcryptCost: -1}, "$2b$04$" + goodBcrypt[7:]},
		{Limits{Argon2Memory: -1}, argon2id},
		{Limits{Argon2Iterations: -1}, argon2id},
		{Limits{Argon2Parallelism: -1}, argon2id},
		{Limits{Argon2Work: -1}, argon2id},
		{Limits{ScryptMemory: -1}, scrypt},
		{Limits{ScryptBlockSize: -1}, scrypt},
		{Limits{ScryptParallelism: -1}, scrypt},
		{Limits{ScryptWork: -1}, scrypt},
		{Limits{PBKDF2Iterations: -1}, "$pbkdf2-sha256$1$" + goodSalt + "$" + goodSum},
	} {
		if err := (Policy{}).Check(test.encoded); err != nil {
			t.Errorf("control: %s: %v", test.encoded, err)
		}
		if err := (Policy{Limits: test.limits}).Check(test.encoded); !errors.Is(err, ErrCost) {
			t.Errorf("%s with %+v: %v; want ErrCost", test.encoded, test.limits, err)
		}
	}
}

// No product of a hash's numbers turns small by an overflow, nor by rounding.
func TestLimitsOfProducts(t *testing.T) {
	raised := Limits{
		Argon2Memory: math.MaxInt, Argon2Iterations: math.MaxInt, Argon2Work: math.MaxInt,
		ScryptMemory: math.MaxInt, ScryptBlockSize: math.MaxInt, ScryptParallelism: math.MaxInt, ScryptWork: math.MaxInt,
	}
	sum48 := good64[:64]
	for _, test := range []struct {
		limits  Limits
		encoded string
		ok      bool
	}{
		{Limits{Argon2Iterations: 4096}, argon2ID("v=19", "m=1048576,t=4,p=1"), true},
		{Limits{Argon2Iterations: 4096}, argon2ID("v=19", "m=1048576,t=4096,p=1"), false}, // 2^32
		{raised, argon2ID("v=19", "m=2097151,t=1,p=1"), true},
		{raised, argon2ID("v=19", "m=4294967295,t=1,p=1"), strconv.IntSize == 64}, // 4 TiB
		{raised, scryptPHC("ln=17,r=8,p=1"), true},
		{raised, scryptPHC("ln=31,r=1,p=1"), strconv.IntSize == 64}, // 256 GiB
		{raised, scryptPHC("ln=32,r=1,p=1"), false},
		{raised, scryptPHC("ln=31,r=536870912,p=1"), false},                    // 2^67 bytes
		{Limits{}, "$pbkdf2-sha256$i=5000000$" + goodSalt + "$" + sum48, true}, // two digests
		{Limits{}, "$pbkdf2-sha256$i=5000001$" + goodSalt + "$" + sum48, false},
	} {
		if err := (Policy{Limits: test.limits}).Check(test.encoded); (err == nil) != test.ok || err != nil && !errors.Is(err, ErrCost) {
			t.Errorf("%s with %+v: %v; want it let in: %t", test.encoded, test.limits, err, test.ok)
		}
	}
	w, err := Policy{}.admit([]byte("x"), scryptPHC("ln=1,r=1,p=1"))
	if least := int64(2*128 + 3*128); err != nil || w.memory < least {
		t.Errorf("scrypt of N = 2, r = 1, p = 1 reserves %d bytes, %v; want %d at least", w.memory, err, least)
	}
}

// The times in the documentation of Limits are those of Info.
func TestTimeIsThatOfLimits(t *testing.T) {
	salt, sum := "MDEyMzQ1Njc4OWFiY2RlZg", strings.Repeat("A", 43)
	for encoded, seconds := range map[string]float64{
		"$2b$10$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a": 0.054,
		"$2b$15$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a": 2,
		"$argon2id$v=19$m=1048576,t=4,p=1$" + salt + "$" + sum:         5,
		"$scrypt$ln=17,r=8,p=4$" + salt + "$" + sum:                    2,
		"$pbkdf2-sha256$10000000$" + salt + "$" + sum:                  5,
	} {
		i, err := Inspect(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if got := i.Time.Seconds(); i.OverLimits || math.Abs(got/seconds-1) > 0.15 {
			t.Errorf("%s takes %v s; Limits says %v", i.Name, got, seconds)
		}
	}
	for _, encoded := range []string{
		"$2b$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a", "$scrypt$ln=63,r=8,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=4294967295,t=4294967295,p=1$" + salt + "$" + sum,
	} {
		if i, err := Inspect(encoded); err != nil || i.Time < 24*time.Hour {
			t.Errorf("%s takes %v, %v", i.Name, i.Time, err)
		}
	}
}
