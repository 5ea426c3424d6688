// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package seeded

// No two generators share a seed, a seed is as long as promised, and a seed or a
// saved state repeats the run.

import (
	"encoding"
	"math/rand"
	randv2 "math/rand/v2"
	"testing"
)

// A generator is what the three types share.
type generator interface {
	Uint64() uint64
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

var kinds = []struct {
	name     string
	new      func() generator
	seed     int // where in the marshaled state the seed begins
	seedBits int
}{
	{"ChaCha8", func() generator { return ChaCha8() }, 16, 256},
	{"PCG", func() generator { return PCG() }, 4, 128},
	{"Source", func() generator { return Source().(generator) }, 4, 128},
}

func state(t *testing.T, g generator) []byte {
	t.Helper()
	b, err := g.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestDistinct: of 10⁴ generators no two begin with the same two values.
func TestDistinct(t *testing.T) {
	for _, k := range kinds {
		seen := map[[2]uint64]bool{}
		for range 10000 {
			g := k.new()
			first := [2]uint64{g.Uint64(), g.Uint64()}
			if seen[first] {
				t.Fatalf("two %ss begin with %#x", k.name, first)
			}
			seen[first] = true
		}
	}
}

// TestSeedBits: every bit of the seed is set in half of the generators.
func TestSeedBits(t *testing.T) {
	// scipy.stats.chi2.isf(1e-9, df), SciPy 1.17: one good run in 10⁹ exceeds it.
	limits := map[int]float64{128: 248.34109466257024, 256: 415.8089811086581}
	const draws = 4096
	for _, k := range kinds {
		ones := make([]int, k.seedBits)
		for range draws {
			b := state(t, k.new())[k.seed:]
			if 8*len(b) != k.seedBits {
				t.Fatalf("%s: the state has %d bits after the header, want %d", k.name, 8*len(b), k.seedBits)
			}
			for i := range ones {
				ones[i] += int(b[i/8] >> (i % 8) & 1)
			}
		}
		var sum float64 // each (ones - draws/2)²/(draws/4) is a chi-square of one degree
		for _, n := range ones {
			d := float64(n - draws/2)
			sum += d * d / (draws / 4)
		}
		if limit := limits[k.seedBits]; sum > limit {
			t.Errorf("%s: chi-square of the seed's bits %.1f, limit %.1f", k.name, sum, limit)
		}
	}
}

// TestRepeat: a generator that unmarshals another's state goes on like it.
func TestRepeat(t *testing.T) {
	for _, k := range kinds {
		a, b := k.new(), k.new()
		for range 3 { // from the start, and from two places later on
			if err := b.UnmarshalBinary(state(t, a)); err != nil {
				t.Fatal(err)
			}
			for i := range 100 {
				if x, y := a.Uint64(), b.Uint64(); x != y {
					t.Fatalf("%s: value %d is %#x, and %#x from the saved state", k.name, i, x, y)
				}
			}
		}
		if err := b.UnmarshalBinary([]byte("pcg:short")); err == nil {
			t.Errorf("%s: a state of the wrong form is accepted", k.name)
		}
	}
	// A Source's state is a PCG's.
	s, p := Source(), PCG()
	if err := p.UnmarshalBinary(state(t, s.(generator))); err != nil {
		t.Fatal(err)
	}
	if x, y := s.Uint64(), p.Uint64(); x != y {
		t.Errorf("a PCG with the state of a Source gives %#x, the Source %#x", y, x)
	}
}

// firsts returns the first values after Seed(seed).
func firsts(s rand.Source64, seed int64) (v [8]uint64) {
	s.Seed(seed)
	for i := range v {
		v[i] = s.Uint64()
	}
	return v
}

// TestSeed: Seed makes every source the same, and uses all bits of the seed, also
// where math/rand's source does not.
func TestSeed(t *testing.T) {
	const modulus = 1<<31 - 1 // of math/rand, https://go.dev/src/math/rand/rng.go, rngSource.Seed
	for _, a := range []int64{0, 1, 42, -1, 1 << 40} {
		if x, y := firsts(Source(), a), firsts(Source(), a); x != y {
			t.Errorf("after Seed(%d) two sources give %#x and %#x", a, x, y)
		}
		for _, b := range []int64{a + modulus, a - 3*modulus, a + modulus<<31} {
			if x, y := firsts(Source(), a), firsts(Source(), b); x == y {
				t.Errorf("Seed(%d) and Seed(%d) give the same values", a, b)
			}
			// The control: what a source must not do.
			x := firsts(rand.NewSource(1).(rand.Source64), a)
			y := firsts(rand.NewSource(1).(rand.Source64), b)
			if x != y {
				t.Errorf("math/rand.NewSource takes %d and %d as different seeds", a, b)
			}
		}
		for bit := range 64 {
			if b := a ^ 1<<bit; firsts(Source(), a) == firsts(Source(), b) {
				t.Errorf("Seed(%d) and Seed(%d) give the same values", a, b)
			}
		}
	}
}

// TestSeedValues: the values after Seed are part of the API. The two words are the
// first outputs of SplitMix64 from the state 1234567, as published in
// https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64.
func TestSeedValues(t *testing.T) {
	s := Source()
	s.Seed(1234567)
	want := randv2.NewPCG(6457827717110365317, 3203168211198807973)
	for i := range 100 {
		if x, y := s.Uint64(), want.Uint64(); x != y {
			t.Fatalf("after Seed(1234567) value %d is %#x, want %#x", i, x, y)
		}
	}
}

// TestSeedLowerHalf: two seeds differ in the lower half of the state too. The
// control shows why they have to: set by a seed in the upper half, it never does.
func TestSeedLowerHalf(t *testing.T) {
	lower := func(g generator) [8]byte { return [8]byte(state(t, g)[12:]) }
	a, b := Source(), Source()
	a.Seed(1)
	b.Seed(2)
	x, y := randv2.NewPCG(1, 0), randv2.NewPCG(2, 0)
	for range 100 {
		if lower(a.(generator)) == lower(b.(generator)) {
			t.Fatal("after Seed(1) and Seed(2) the lower halves of the states are equal")
		}
		if lower(x) != lower(y) {
			t.Fatal("the upper half of a PCG's state changes its lower half")
		}
		a.Uint64()
		b.Uint64()
		x.Uint64()
		y.Uint64()
	}
}

// TestInt63: Int63 is the upper 63 bits of the value that Uint64 would be.
func TestInt63(t *testing.T) {
	a, b := Source(), Source()
	a.Seed(1)
	b.Seed(1)
	for range 1000 {
		if x, y := a.Int63(), int64(b.Uint64()>>1); x != y {
			t.Fatalf("Int63 is %#x, want %#x", x, y)
		}
	}
}

// BenchmarkUint64 sets each beside the source of math/rand.
func BenchmarkUint64(b *testing.B) {
	bench := func(s interface{ Uint64() uint64 }) func(b *testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				s.Uint64()
			}
		}
	}
	for _, k := range kinds {
		b.Run(k.name, bench(k.new()))
	}
	b.Run("math-rand", bench(rand.NewSource(1).(rand.Source64)))
}

// BenchmarkNew is the cost of an instance.
func BenchmarkNew(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			for b.Loop() {
				k.new()
			}
		})
	}
	b.Run("math-rand", func(b *testing.B) {
		for b.Loop() {
			rand.NewSource(1)
		}
	})
}
