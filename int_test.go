// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// The functions of math/rand/v2: uniform as far as samples show (package shard shows that they are
// exactly), and the same panics.

import (
	"fmt"
	"math"
	"math/bits"
	mathrand "math/rand"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// RaceEnabled: the race detector is on.
var RaceEnabled = func() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}()

var _ mathrand.Source64 = Source{}

// script is a source of given words. It panics when it has no more.
type script []uint64

func (s *script) Uint64() uint64 {
	w := (*s)[0]
	*s = (*s)[1:]
	return w
}

// limits are scipy.stats.chi2.isf(1e-9, df), SciPy 1.17: a uniform sample exceeds
// them once in 10⁹ runs.
var limits = map[int]float64{
	2:    41.44653167389282,
	15:   73.63000014354664,
	23:   89.11575432198374,
	32:   105.17392334722098,
	64:   156.59720283910076,
	7918: 8696.237737624133,
}

// chi2 returns the chi-square statistic of counts that should all be equal.
func chi2(counts []int) float64 {
	total := 0
	for _, c := range counts {
		total += c
	}
	expected := float64(total) / float64(len(counts))
	var sum float64
	for _, c := range counts {
		d := float64(c) - expected
		sum += d * d / expected
	}
	return sum
}

// draws returns how many results are counted in so many cells.
func draws(cells int) int {
	if RaceEnabled { // a draw costs up to 30 µs there, as its sync.Pool drops states
		return 10*cells + 2000
	}
	return 20*cells + 10000
}

// wide32 and wide64 are bounds that reject a quarter of all draws. If nothing
// were rejected, the remainders by 3 would be in proportion 3:3:2 and 2:1:1.
const (
	wide32 = 3 << 29
	wide64 = 3 << 62
)

func TestUniform(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells int
		draw  func() int
	}{
		{"IntN(3)", 3, func() int { return IntN(3) }},
		{"IntN(7919)", 7919, func() int { return IntN(7919) }},
		{"UintN(3)", 3, func() int { return int(UintN(3)) }},
		{"Int32N(3)", 3, func() int { return int(Int32N(3)) }},
		{"Int64N(3)", 3, func() int { return int(Int64N(3)) }},
		{"Uint32N(3)", 3, func() int { return int(Uint32N(3)) }},
		{"Uint64N(3)", 3, func() int { return int(Uint64N(3)) }},
		{"Uint32N(3<<29)", 3, func() int { return int(Uint32N(wide32) % 3) }},
		{"Uint64N(3<<29)", 3, func() int { return int(Uint64N(wide32) % 3) }},
		{"Uint64N(3<<62)", 3, func() int { return int(Uint64N(wide64) % 3) }},
		{"Uint32N(3<<30)", 3, func() int { return int(Uint32N(3<<30) % 3) }},
		{"Int32N(3<<29)", 3, func() int { return int(Int32N(wide32) % 3) }},
		{"Int64N(3<<61)", 3, func() int { return int(Int64N(3<<61) % 3) }},
		{"Uint64N(1<<36)", 16, func() int { return int(Uint64N(1<<36) >> 32) }},
		{"Float64", 16, func() int { return int(Float64() * 16) }},
		{"Float32", 16, func() int { return int(Float32() * 16) }},
		{"NormFloat64", 16, func() int { return int(8 * math.Erfc(NormFloat64()/math.Sqrt2)) }},
		{"ExpFloat64", 16, func() int { return int(16 * math.Exp(-ExpFloat64())) }},
		{"Perm(4)", 24, func() int { return rank(Perm(4)) }},
		{"math/rand over Source", 3, func() int { return mathrand.New(Source{}).Intn(3) }},
		{"NewRand", 3, func() int { return NewRand().IntN(3) }},
		{"Shuffle(4)", 24, func() int {
			p := []int{0, 1, 2, 3}
			Shuffle(4, func(i, j int) { p[i], p[j] = p[j], p[i] })
			return rank(p)
		}},
	} {
		t.Run(c.name, func(t *testing.T) { uniform(t, c.cells, c.draw) })
	}
}

// uniform fails the test if not all results, from 0 to cells-1, are as frequent.
func uniform(t *testing.T, cells int, draw func() int) {
	t.Helper()
	counts := make([]int, cells)
	for range draws(cells) {
		counts[draw()]++
	}
	if got, limit := chi2(counts), limits[cells-1]; !(got < limit) {
		t.Errorf("chi-square %.1f over %d cells, limit %.1f", got, cells, limit)
	}
}

// rank numbers the permutations of 4 from 0 to 23.
func rank(p []int) int {
	r := 0
	for i := range p {
		smaller := 0
		for _, x := range p[i+1:] {
			if x < p[i] {
				smaller++
			}
		}
		r = r*(len(p)-i) + smaller
	}
	return r
}

func TestBits(t *testing.T) {
	for name, c := range map[string]struct {
		width int
		draw  func() uint64
	}{
		"Uint64":        {width: 64, draw: Uint64},
		"Uint32":        {width: 32, draw: func() uint64 { return uint64(Uint32()) }},
		"Uint":          {width: bits.UintSize, draw: func() uint64 { return uint64(Uint()) }},
		"Int":           {width: bits.UintSize - 1, draw: func() uint64 { return uint64(Int()) }},
		"Int64":         {width: 63, draw: func() uint64 { return uint64(Int64()) }},
		"Int32":         {width: 31, draw: func() uint64 { return uint64(Int32()) }},
		"Source.Uint64": {width: 64, draw: Source{}.Uint64},
		"Source.Int63":  {width: 63, draw: func() uint64 { return uint64(Source{}.Int63()) }},
	} {
		t.Run(name, func(t *testing.T) { balanced(t, c.width, c.draw) })
	}
}

// balanced fails the test if a draw has bits beyond width, or if one of the others is not set in
// half of all draws.
func balanced(t *testing.T, width int, draw func() uint64) {
	t.Helper()
	n := 1 << 16
	if RaceEnabled {
		n = 1 << 12
	}
	ones := make([]int, width)
	for range n {
		x := draw()
		if x>>(width-1)>>1 != 0 {
			t.Fatalf("%#x has more than %d bits", x, width)
		}
		for i := range ones {
			ones[i] += int(x >> i & 1)
		}
	}

	// Each (set - n/2)²/(n/4) is a chi-square of one degree.
	var sum float64
	for _, set := range ones {
		d := float64(set - n/2)
		sum += d * d / float64(n/4)
	}
	limit := limits[(width+1)&^1] // of 63 and 31 bits: that for one more is only wider
	if sum > limit {
		t.Errorf("chi-square of the bits %.1f, limit %.1f", sum, limit)
	}
}

// inBounds checks N for one integer type.
func inBounds[Int integer](t *testing.T, max Int) {
	t.Run(fmt.Sprintf("%T", max), func(t *testing.T) {
		for _, n := range []Int{1, 2, 3, 100, max - 1, max} {
			for range 100 {
				if v := N(n); v < 0 || v >= n {
					t.Fatalf("N(%d) = %d", n, v)
				}
			}
		}
	})
}

func TestN(t *testing.T) {
	inBounds[int](t, math.MaxInt)
	inBounds[int8](t, math.MaxInt8)
	inBounds[int64](t, math.MaxInt64)
	inBounds[uint](t, math.MaxUint)
	inBounds[uint8](t, math.MaxUint8)
	inBounds[uint64](t, math.MaxUint64)
	inBounds[uintptr](t, ^uintptr(0))
	inBounds[time.Duration](t, math.MaxInt64)
	t.Run("uniform", func(t *testing.T) {
		uniform(t, 3, func() int { return int(N(int8(3))) })
	})
}

// The greatest word gives the greatest float below 1, and of all words the conversions are those of
// math/rand/v2.
func TestFloats(t *testing.T) {
	if got, want := float64of(math.MaxUint64), math.Nextafter(1, 0); got != want {
		t.Errorf("float64of(all ones) = %v, want %v", got, want)
	}
	if got, want := float32of(math.MaxUint32), math.Nextafter32(1, 0); got != want {
		t.Errorf("float32of(all ones) = %v, want %v", got, want)
	}
	pcg := rand.NewPCG(1, 2)
	for range 1000 {
		x := pcg.Uint64()
		if got, want := float64of(x), rand.New(&script{x}).Float64(); got != want {
			t.Fatalf("float64of(%#x) = %v, math/rand/v2 has %v", x, got, want)
		}
		r := rand.New(&script{x, x})
		if got, want := float32of(r.Uint32()), r.Float32(); got != want {
			t.Fatalf("float32of(%#x) = %v, math/rand/v2 has %v", x, got, want)
		}
	}
}

func TestPermOfEveryLength(t *testing.T) {
	var ordered []int
	for n := range 100 {
		p := Perm(n)
		slices.Sort(p)
		if !slices.Equal(p, ordered) {
			t.Fatalf("Perm(%d) has, in order, %v", n, p)
		}
		ordered = append(ordered, n)
	}
}

// A draw of 0 makes math/rand/v2 return 0, which has no logarithm; here it is drawn again.
func TestExpFloat64IsNotZero(t *testing.T) {
	zero := func() *rand.Rand { return rand.New(&script{0, 5<<32 | 1<<20}) }
	if x := zero().ExpFloat64(); x != 0 {
		t.Fatalf("control: math/rand/v2 returned %v for a draw of 0", x)
	}
	if x := expFloat64(zero()); x <= 0 {
		t.Errorf("ExpFloat64 returned %v", x)
	}
}

// A wrong argument makes the same panic as in math/rand/v2.
func TestPanics(t *testing.T) {
	recovered := func(f func()) (v any) {
		defer func() { v = recover() }()
		f()
		return nil
	}
	for name, calls := range map[string][2]func(){ // ours, and math/rand/v2's
		"Int32N(0)":            {func() { Int32N(0) }, func() { rand.Int32N(0) }},
		"Int32N(-1)":           {func() { Int32N(-1) }, func() { rand.Int32N(-1) }},
		"Int64N(0)":            {func() { Int64N(0) }, func() { rand.Int64N(0) }},
		"Int64N(-1)":           {func() { Int64N(-1) }, func() { rand.Int64N(-1) }},
		"IntN(0)":              {func() { IntN(0) }, func() { rand.IntN(0) }},
		"IntN(-1)":             {func() { IntN(-1) }, func() { rand.IntN(-1) }},
		"Uint32N(0)":           {func() { Uint32N(0) }, func() { rand.Uint32N(0) }},
		"Uint64N(0)":           {func() { Uint64N(0) }, func() { rand.Uint64N(0) }},
		"UintN(0)":             {func() { UintN(0) }, func() { rand.UintN(0) }},
		"Shuffle(-1)":          {func() { Shuffle(-1, func(i, j int) {}) }, func() { rand.Shuffle(-1, func(i, j int) {}) }},
		"Shuffle(2, nil)":      {func() { Shuffle(2, nil) }, func() { rand.Shuffle(2, nil) }},
		"Perm(-1)":             {func() { Perm(-1) }, func() { rand.Perm(-1) }},
		"N(0)":                 {func() { N(0) }, func() { rand.N(0) }},
		"N(-1)":                {func() { N(-1) }, func() { rand.N(-1) }},
		"N(uint8(0))":          {func() { N(uint8(0)) }, func() { rand.N(uint8(0)) }},
		"N(time.Duration(-1))": {func() { N(time.Duration(-1)) }, func() { rand.N(time.Duration(-1)) }},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := recovered(calls[0]), recovered(calls[1])
			if want == nil || fmt.Sprintf("%T %v", got, got) != fmt.Sprintf("%T %v", want, want) {
				t.Errorf("panics with %T %v, math/rand/v2 with %T %v", got, got, want, want)
			}
		})
	}
}
