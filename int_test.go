// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// The functions of math/rand/v2: exactly uniform (scripted draws, by math/big),
// uniform as far as samples show, the same panics, no allocations.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"fount/internal/shard"
)

// numbers is what package functions, Generator and math/rand/v2.Rand share.
type numbers interface {
	ExpFloat64() float64
	Float32() float32
	Float64() float64
	Int() int
	Int32() int32
	Int32N(int32) int32
	Int64() int64
	Int64N(int64) int64
	IntN(int) int
	NormFloat64() float64
	Perm(int) []int
	Shuffle(int, func(i, j int))
	Uint() uint
	Uint32() uint32
	Uint32N(uint32) uint32
	Uint64() uint64
	Uint64N(uint64) uint64
	UintN(uint) uint
}

// functions is the package's functions as numbers.
type functions struct{}

func (functions) ExpFloat64() float64                { return ExpFloat64() }
func (functions) Float32() float32                   { return Float32() }
func (functions) Float64() float64                   { return Float64() }
func (functions) Int() int                           { return Int() }
func (functions) Int32() int32                       { return Int32() }
func (functions) Int32N(n int32) int32               { return Int32N(n) }
func (functions) Int64() int64                       { return Int64() }
func (functions) Int64N(n int64) int64               { return Int64N(n) }
func (functions) IntN(n int) int                     { return IntN(n) }
func (functions) NormFloat64() float64               { return NormFloat64() }
func (functions) Perm(n int) []int                   { return Perm(n) }
func (functions) Shuffle(n int, swap func(i, j int)) { Shuffle(n, swap) }
func (functions) Uint() uint                         { return Uint() }
func (functions) Uint32() uint32                     { return Uint32() }
func (functions) Uint32N(n uint32) uint32            { return Uint32N(n) }
func (functions) Uint64() uint64                     { return Uint64() }
func (functions) Uint64N(n uint64) uint64            { return Uint64N(n) }
func (functions) UintN(n uint) uint                  { return UintN(n) }

// forEach runs a test on the package functions, on a Generator, and on
// math/rand/v2, which shows that the test asks nothing that uniform numbers fail.
func forEach(t *testing.T, test func(t *testing.T, r numbers)) {
	t.Run("functions", func(t *testing.T) { test(t, functions{}) })
	t.Run("Generator", func(t *testing.T) {
		g := NewGenerator()
		defer g.Close()
		test(t, g)
	})
	t.Run("math/rand/v2", func(t *testing.T) {
		test(t, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	})
}

// script is a source of given words. It panics when it has no more.
type script []uint64

func (s *script) Uint64() uint64 {
	w := (*s)[0]
	*s = (*s)[1:]
	return w
}

// Uint32 takes the upper half of a word, as math/rand/v2 does.
func (s *script) Uint32() uint32 { return uint32(s.Uint64() >> 32) }

// A core is the code that makes a bounded integer of draws of some width, for
// the bounds from least to most.
type core struct {
	name        string
	bits        uint
	least, most uint64
	accept      func(x, n uint64) (v uint64, ok bool) // ok: x was the only draw
}

// cores returns the rare paths by themselves, and the whole of Uint64N as the
// method of a Generator whose next bytes are known.
func cores(t *testing.T) []core {
	g := NewGenerator()
	t.Cleanup(g.Close)
	planted := func(width uint64) func(x, n uint64) (uint64, bool) {
		return func(x, n uint64) (uint64, bool) {
			b := binary.LittleEndian.AppendUint64(nil, x)[:width]
			left := plant(t, g, append([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), b...))
			v := g.Uint64N(n)
			return v, left() == width
		}
	}
	return []core{
		{"Retry32", 32, 1, math.MaxUint32, func(x, n uint64) (uint64, bool) {
			src := script{math.MaxUint64} // accepted for every n: lo = w-n >= (w-n) mod n
			hi, lo := bits.Mul32(uint32(x), uint32(n))
			v := shard.Retry32(&src, uint32(n), hi, lo)
			return uint64(v), len(src) == 1
		}},
		{"Retry64", 64, 1, math.MaxUint64, func(x, n uint64) (uint64, bool) {
			src := script{math.MaxUint64}
			hi, lo := bits.Mul64(x, n)
			v := shard.Retry64(&src, n, hi, lo)
			return v, len(src) == 1
		}},
		{"Uint64N, 32 bits", 32, 1, shard.Most32, planted(4)},
		{"Uint64N, 64 bits", 64, shard.Most32 + 1, math.MaxUint64, planted(8)},
	}
}

// plant replaces the next bytes that g serves by b, and returns a function that
// tells how many bytes g has served since.
func plant(t *testing.T, g *Generator, b []byte) (served func() uint64) {
	t.Helper()
	state := reflect.ValueOf(g.s).Elem()
	left, block := state.FieldByName("left"), state.FieldByName("block")
	if !left.IsValid() || !block.IsValid() {
		t.Fatal("shard.State has no fields left and block: teach plant the new ones")
	}
	for left.Uint() < uint64(len(b)) {
		g.Uint32()
	}
	before := left.Uint()
	const key = 32 // block is the next key, then the bytes to serve, the last one first
	end := key + before
	size := uint64(block.Len())
	copy(unsafe.Slice((*byte)(block.Addr().UnsafePointer()), size)[end-uint64(len(b)):end], b)
	return func() uint64 { return before - left.Uint() }
}

// bounds are odd, so that they have an inverse modulo 2³² and 2⁶⁴.
var bounds = []uint64{1, 3, 7919, 1<<31 - 1, 1<<31 + 1, 1<<32 - 1, 1<<32 + 1, 1<<63 - 1, 1<<63 + 1, 1<<64 - 1}

func bigOf(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

// TestBoundedThreshold gives the core the draws whose low half is the threshold,
// its neighbours, and the edges of the short cut.
func TestBoundedThreshold(t *testing.T) {
	for _, c := range cores(t) {
		w := new(big.Int).Lsh(big.NewInt(1), c.bits)
		for _, n := range bounds {
			if n < c.least || n > c.most {
				continue
			}
			threshold := new(big.Int).Mod(w, bigOf(n))
			inverse := new(big.Int).ModInverse(bigOf(n), w)
			edges := map[string]*big.Int{"0": big.NewInt(0), "w-1": new(big.Int).Sub(w, big.NewInt(1))}
			for d := int64(-1); d <= 1; d++ {
				edges[fmt.Sprintf("threshold%+d", d)] = new(big.Int).Add(threshold, big.NewInt(d))
				edges[fmt.Sprintf("n%+d", d)] = new(big.Int).Add(bigOf(n), big.NewInt(d))
			}
			for name, lo := range edges {
				if lo.Sign() < 0 || lo.Cmp(w) >= 0 {
					continue
				}
				x := new(big.Int).Mul(lo, inverse)
				x.Mod(x, w)
				product := new(big.Int).Mul(x, bigOf(n))
				want := new(big.Int).Rsh(product, c.bits)
				got, ok := c.accept(x.Uint64(), n)
				if ok != (lo.Cmp(threshold) >= 0) {
					t.Errorf("%s: n %d: low half %s = %v, threshold %v: accepted %v", c.name, n, name, lo, threshold, ok)
				}
				if ok && got != want.Uint64() {
					t.Errorf("%s: n %d: low half %s: got %d, want %v", c.name, n, name, got, want)
				}
			}
		}
	}
}

// TestBoundedExact proves uniformity for some results k: the draws accepted for k
// are the run [first, last], and each run has (w - w mod n)/n members.
func TestBoundedExact(t *testing.T) {
	one := big.NewInt(1)
	// The least x with x*n >= y.
	least := func(y, n *big.Int) *big.Int {
		return y.Div(y.Add(y, n).Sub(y, one), n)
	}
	for _, c := range cores(t) {
		w := new(big.Int).Lsh(one, c.bits)
		for _, n := range append([]uint64{2, 6, 1000, 1 << 31, 3 << 29, 3 << 30, 1 << 63, 3 << 62}, bounds...) {
			if n < c.least || n > c.most {
				continue
			}
			bigN := bigOf(n)
			threshold := new(big.Int).Mod(w, bigN)
			size := new(big.Int).Sub(w, threshold)
			size.Div(size, bigN)
			for _, k := range []uint64{0, 1, 2, n / 3, n / 2, n - 2, n - 1} {
				if k >= n {
					continue
				}
				begin := new(big.Int).Mul(bigOf(k), w)
				first := least(new(big.Int).Add(begin, threshold), bigN)
				next := least(new(big.Int).Add(begin, w), bigN)
				last := new(big.Int).Sub(next, one)
				if d := new(big.Int).Sub(next, first); d.Cmp(size) != 0 {
					t.Fatalf("%s: n %d: result %d has %v draws, want %v", c.name, n, k, d, size)
				}
				for _, x := range []*big.Int{first, last} {
					if got, ok := c.accept(x.Uint64(), n); !ok || got != k {
						t.Errorf("%s: n %d: draw %v: got %d, accepted %v; want %d", c.name, n, x, got, ok, k)
					}
				}
				// The draws before the run are rejected, as far as they are k's.
				if before := new(big.Int).Sub(first, one); before.Sign() >= 0 {
					if got, ok := c.accept(before.Uint64(), n); ok && got == k {
						t.Errorf("%s: n %d: draw %v gives %d too", c.name, n, before, k)
					}
				}
			}
		}
	}
}

// TestBoundedPowerOfTwo: the threshold of a power of two is 0.
func TestBoundedPowerOfTwo(t *testing.T) {
	for _, c := range cores(t) {
		for k := range c.bits {
			n := uint64(1) << k
			if n < c.least || n > c.most {
				continue
			}
			for _, x := range []uint64{0, 1, 1<<c.bits - 1, 1 << (c.bits - 1), (1<<c.bits - 1) >> k} {
				got, ok := c.accept(x, n)
				if want := x >> (c.bits - k); !ok || got != want {
					t.Errorf("%s: n 1<<%d: draw %#x: got %d, accepted %v; want %d", c.name, k, x, got, ok, want)
				}
			}
		}
	}
}

// TestBoundedRetry: a rejected draw is replaced until one is accepted, and that
// one alone makes the result.
func TestBoundedRetry(t *testing.T) {
	const n = 3 // threshold 1: the draw 0 is rejected
	src := script{0, 0, 1 << 63, 0}
	if got := shard.Retry64(&src, n, 0, 0); got != 1 || len(src) != 1 {
		t.Errorf("64 bits: got %d with %d words left, want 1 with 1", got, len(src))
	}
	src = script{0, 1<<32 - 1, 1 << 63, 0}
	if got := shard.Retry32(&src, n, 0, 0); got != 1 || len(src) != 1 {
		t.Errorf("32 bits: got %d with %d words left, want 1 with 1", got, len(src))
	}
}

// TestExtremes: the least and the greatest draw give the ends of each range, for
// Uint64 and the greatest bound too.
func TestExtremes(t *testing.T) {
	g := NewGenerator()
	defer g.Close()
	ones := bytes.Repeat([]byte{0xff}, 8)
	one := []byte{1, 0, 0, 0, 0, 0, 0, 0} // 0 would be rejected where n is odd
	for _, c := range []struct {
		name   string
		draw   func() uint64
		lo, hi uint64
	}{
		{"Uint64", g.Uint64, 1, math.MaxUint64},
		{"Uint32", func() uint64 { return uint64(g.Uint32()) }, 1, math.MaxUint32},
		{"Uint", func() uint64 { return uint64(g.Uint()) }, 1, math.MaxUint},
		{"Int64", func() uint64 { return uint64(g.Int64()) }, 0, math.MaxInt64},
		{"Int32", func() uint64 { return uint64(g.Int32()) }, 0, math.MaxInt32},
		{"Int", func() uint64 { return uint64(g.Int()) }, 0, math.MaxInt},
		{"Uint64N", func() uint64 { return g.Uint64N(math.MaxUint64) }, 0, math.MaxUint64 - 1},
		{"Uint32N", func() uint64 { return uint64(g.Uint32N(math.MaxUint32)) }, 0, math.MaxUint32 - 1},
		{"UintN", func() uint64 { return uint64(g.UintN(math.MaxUint)) }, 0, math.MaxUint - 1},
		{"Int64N", func() uint64 { return uint64(g.Int64N(math.MaxInt64)) }, 0, math.MaxInt64 - 1},
		{"Int32N", func() uint64 { return uint64(g.Int32N(math.MaxInt32)) }, 0, math.MaxInt32 - 1},
		{"IntN", func() uint64 { return uint64(g.IntN(math.MaxInt)) }, 0, math.MaxInt - 1},
		{"Float64", func() uint64 { return math.Float64bits(g.Float64()) }, math.Float64bits(0x1p-53), math.Float64bits(1) - 1},
		{"Float32", func() uint64 { return uint64(math.Float32bits(g.Float32())) }, uint64(math.Float32bits(0x1p-24)), uint64(math.Float32bits(1)) - 1},
	} {
		served := plant(t, g, ones)
		if got := c.draw(); got != c.hi {
			t.Errorf("%s of the greatest draw is %#x, want %#x", c.name, got, c.hi)
		}
		plant(t, g, one[:served()])
		if got := c.draw(); got != c.lo {
			t.Errorf("%s of the draw 1 is %#x, want %#x", c.name, got, c.lo)
		}
	}
}

// TestBoundedAgainstV2: on the same words the 64-bit core and math/rand/v2, which
// has the same method, give the same results, rejections included. (math/rand/v2
// takes the low bits for a power of two: none here.)
func TestBoundedAgainstV2(t *testing.T) {
	pcg := rand.NewPCG(1, 2)
	for _, n := range []uint64{1<<32 + 1, 1<<62 + 1, 3 << 62, 1<<63 + 1, 1<<64 - 1} {
		for range 1000 {
			words := make(script, 64)
			for i := range words {
				words[i] = pcg.Uint64()
			}
			mine, theirs := words, words
			hi, lo := bits.Mul64(mine.Uint64(), n)
			got, want := shard.Retry64(&mine, n, hi, lo), rand.New(&theirs).Uint64N(n)
			if got != want || len(mine) != len(theirs) {
				t.Fatalf("n %d: got %d after %d words; math/rand/v2 %d after %d", n, got, 64-len(mine), want, 64-len(theirs))
			}
		}
	}
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

// draws is how many results are tested for so many cells.
func draws(cells int) int {
	if raceEnabled { // a draw costs up to 30 µs there, as its sync.Pool drops states
		return 10*cells + 2000
	}
	return 20*cells + 10000
}

// spread counts the cells of n results and returns their chi-square statistic.
func spread(cells, n int, draw func() int) float64 {
	counts := make([]int, cells)
	for range n {
		counts[draw()]++
	}
	return chi2(counts)
}

// wide32 and wide64 are bounds that reject a quarter of all draws. If nothing
// were rejected, the remainders by 3 would be in proportion 3:3:2 and 2:1:1.
const (
	wide32 = 3 << 29
	wide64 = 3 << 62
)

func TestUniform(t *testing.T) {
	forEach(t, func(t *testing.T, r numbers) {
		for _, c := range []struct {
			name  string
			cells int
			draw  func() int
		}{
			{"IntN(3)", 3, func() int { return r.IntN(3) }},
			{"IntN(7919)", 7919, func() int { return r.IntN(7919) }},
			{"UintN(3)", 3, func() int { return int(r.UintN(3)) }},
			{"Int32N(3)", 3, func() int { return int(r.Int32N(3)) }},
			{"Int64N(3)", 3, func() int { return int(r.Int64N(3)) }},
			{"Uint32N(3)", 3, func() int { return int(r.Uint32N(3)) }},
			{"Uint64N(3)", 3, func() int { return int(r.Uint64N(3)) }},
			{"Uint32N(3<<29)", 3, func() int { return int(r.Uint32N(wide32) % 3) }},
			{"Uint64N(3<<29)", 3, func() int { return int(r.Uint64N(wide32) % 3) }},
			{"Uint64N(3<<62)", 3, func() int { return int(r.Uint64N(wide64) % 3) }},
			{"Uint32N(3<<30)", 3, func() int { return int(r.Uint32N(3<<30) % 3) }},
			{"Int32N(3<<29)", 3, func() int { return int(r.Int32N(wide32) % 3) }},
			{"Int64N(3<<61)", 3, func() int { return int(r.Int64N(3<<61) % 3) }},
			{"Uint64N(1<<36)", 16, func() int { return int(r.Uint64N(1<<36) >> 32) }},
			{"Float64", 16, func() int { return int(r.Float64() * 16) }},
			{"Float32", 16, func() int { return int(r.Float32() * 16) }},
			{"NormFloat64", 16, func() int { return int(8 * math.Erfc(r.NormFloat64()/math.Sqrt2)) }},
			{"ExpFloat64", 16, func() int { return int(16 * math.Exp(-r.ExpFloat64())) }},
			{"Perm(4)", 24, func() int { return rank(r.Perm(4)) }},
			{"Shuffle(4)", 24, func() int {
				p := []int{0, 1, 2, 3}
				r.Shuffle(4, func(i, j int) { p[i], p[j] = p[j], p[i] })
				return rank(p)
			}},
		} {
			got := spread(c.cells, draws(c.cells), c.draw)
			if limit := limits[c.cells-1]; !(got < limit) {
				t.Errorf("%s: chi-square %.1f over %d cells, limit %.1f", c.name, got, c.cells, limit)
			}
		}
	})
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

// TestUniformControl: the statistics of TestUniform see what they are there for.
func TestUniformControl(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells int
		draw  func() int
	}{
		{"32 bits, nothing rejected", 3, func() int { hi, _ := bits.Mul32(rand.Uint32(), wide32); return int(hi % 3) }},
		{"64 bits, nothing rejected", 3, func() int { hi, _ := bits.Mul64(rand.Uint64(), wide64); return int(hi % 3) }},
		{"remainder of 15 bits", 7919, func() int { return int(rand.Uint32()>>17) % 7919 }},
		{"shuffle by swaps with any place", 24, func() int {
			p := []int{0, 1, 2, 3}
			for i := range p {
				j := rand.IntN(4)
				p[i], p[j] = p[j], p[i]
			}
			return rank(p)
		}},
	} {
		// So many that the least biased, 15 bits, is expected at 11,300 (sd 160), limit 8,696.
		got := spread(c.cells, 60*c.cells+10000, c.draw)
		if limit := limits[c.cells-1]; got < limit {
			t.Errorf("%s: chi-square %.1f over %d cells is below the limit %.1f", c.name, got, c.cells, limit)
		}
	}
}

// balanced fails if x has bits beyond width, or one that is not set in half of x.
func balanced(t *testing.T, name string, width int, draw func() uint64) {
	t.Helper()
	n := 1 << 16
	if raceEnabled {
		n = 1 << 12
	}
	ones := make([]int, width)
	for range n {
		x := draw()
		if x>>(width-1)>>1 != 0 {
			t.Fatalf("%s: %#x has more than %d bits", name, x, width)
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
		t.Errorf("%s: chi-square of the bits %.1f, limit %.1f", name, sum, limit)
	}
}

func TestBits(t *testing.T) {
	forEach(t, func(t *testing.T, r numbers) {
		balanced(t, "Uint64", 64, r.Uint64)
		balanced(t, "Uint32", 32, func() uint64 { return uint64(r.Uint32()) })
		balanced(t, "Uint", bits.UintSize, func() uint64 { return uint64(r.Uint()) })
		balanced(t, "Int", bits.UintSize-1, func() uint64 { return uint64(r.Int()) })
		balanced(t, "Int64", 63, func() uint64 { return uint64(r.Int64()) })
		balanced(t, "Int32", 31, func() uint64 { return uint64(r.Int32()) })
	})
}

// TestBounds: results stay in [0, n) for the least n, the greatest, and powers of
// two with their neighbours, and n = 1 gives 0.
func TestBounds(t *testing.T) {
	forEach(t, func(t *testing.T, r numbers) {
		check := func(name string, got, n uint64) {
			t.Helper()
			if got >= n {
				t.Fatalf("%s(%d) = %d", name, n, got)
			}
		}
		for k := range 64 {
			for _, n := range []uint64{1<<k - 1, 1 << k, 1<<k + 1, math.MaxUint64} {
				for range 100 {
					if n == 0 {
						continue
					}
					check("Uint64N", r.Uint64N(n), n)
					if m := uint32(n); m != 0 {
						check("Uint32N", uint64(r.Uint32N(m)), uint64(m))
					}
					if m := uint(n); m != 0 {
						check("UintN", uint64(r.UintN(m)), uint64(m))
					}
					if m := int64(n); m > 0 {
						check("Int64N", uint64(r.Int64N(m)), n)
					}
					if m := int32(n); m > 0 {
						check("Int32N", uint64(r.Int32N(m)), uint64(m))
					}
					if m := int(n); m > 0 {
						check("IntN", uint64(r.IntN(m)), uint64(m))
					}
				}
			}
		}
	})
}

// boundsOf checks N for one integer type.
func boundsOf[Int integer](t *testing.T, most Int) {
	for _, n := range []Int{1, 2, 3, 100, most - 1, most} {
		for range 100 {
			if v := N(n); v < 0 || v >= n {
				t.Fatalf("N[%T](%d) = %d", n, n, v)
			}
		}
	}
}

func TestN(t *testing.T) {
	boundsOf[int](t, math.MaxInt)
	boundsOf[int8](t, math.MaxInt8)
	boundsOf[int16](t, math.MaxInt16)
	boundsOf[int32](t, math.MaxInt32)
	boundsOf[int64](t, math.MaxInt64)
	boundsOf[uint](t, math.MaxUint)
	boundsOf[uint8](t, math.MaxUint8)
	boundsOf[uint16](t, math.MaxUint16)
	boundsOf[uint32](t, math.MaxUint32)
	boundsOf[uint64](t, math.MaxUint64)
	boundsOf[uintptr](t, ^uintptr(0))
	boundsOf[time.Duration](t, math.MaxInt64)
	if got := spread(3, draws(3), func() int { return int(N(int8(3))) }); got > limits[2] {
		t.Errorf("N[int8](3): chi-square %.1f, limit %.1f", got, limits[2])
	}
}

// TestFloats: the greatest word gives the greatest float below 1, and on all
// words the conversions are those of math/rand/v2.
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

// TestPerm: every length gives a permutation, and Shuffle swaps inside the range.
func TestPerm(t *testing.T) {
	forEach(t, func(t *testing.T, r numbers) {
		for n := range 100 {
			p := r.Perm(n)
			seen := make([]bool, n)
			for _, x := range p {
				seen[x] = true
			}
			for x, ok := range seen {
				if !ok {
					t.Fatalf("Perm(%d) lacks %d: %v", n, x, p)
				}
			}
			swaps := 0
			r.Shuffle(n, func(i, j int) {
				swaps++
				if i < 0 || j < 0 || i >= n || j >= n {
					t.Fatalf("Shuffle(%d) swaps %d and %d", n, i, j)
				}
			})
			if swaps != max(n-1, 0) {
				t.Fatalf("Shuffle(%d) swaps %d times", n, swaps)
			}
		}
	})
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

// TestPanics: for the same bad argument the same panic as math/rand/v2.
func TestPanics(t *testing.T) {
	recovered := func(f func()) (v any) {
		defer func() { v = recover() }()
		f()
		return nil
	}
	reference := rand.New(rand.NewPCG(1, 2))
	forEach(t, func(t *testing.T, r numbers) {
		for name, call := range map[string]func(r numbers){
			"Int32N(0)":       func(r numbers) { r.Int32N(0) },
			"Int32N(-1)":      func(r numbers) { r.Int32N(-1) },
			"Int64N(0)":       func(r numbers) { r.Int64N(0) },
			"Int64N(-1)":      func(r numbers) { r.Int64N(-1) },
			"IntN(0)":         func(r numbers) { r.IntN(0) },
			"IntN(-1)":        func(r numbers) { r.IntN(-1) },
			"Uint32N(0)":      func(r numbers) { r.Uint32N(0) },
			"Uint64N(0)":      func(r numbers) { r.Uint64N(0) },
			"UintN(0)":        func(r numbers) { r.UintN(0) },
			"Shuffle(-1)":     func(r numbers) { r.Shuffle(-1, func(i, j int) {}) },
			"Shuffle(2, nil)": func(r numbers) { r.Shuffle(2, nil) },
			"Perm(-1)":        func(r numbers) { r.Perm(-1) },
		} {
			got, want := recovered(func() { call(r) }), recovered(func() { call(reference) })
			if want == nil {
				t.Fatalf("%s: math/rand/v2 does not panic", name)
			}
			if fmt.Sprintf("%T %v", got, got) != fmt.Sprintf("%T %v", want, want) {
				t.Errorf("%s panics with %T %v, math/rand/v2 with %T %v", name, got, got, want, want)
			}
		}
	})
	for name, calls := range map[string][2]func(){
		"N(0)":                 {func() { N(0) }, func() { rand.N(0) }},
		"N(-1)":                {func() { N(-1) }, func() { rand.N(-1) }},
		"N(uint8(0))":          {func() { N(uint8(0)) }, func() { rand.N(uint8(0)) }},
		"N(time.Duration(-1))": {func() { N(time.Duration(-1)) }, func() { rand.N(time.Duration(-1)) }},
	} {
		got, want := recovered(calls[0]), recovered(calls[1])
		if want == nil || got != want {
			t.Errorf("%s panics with %v, math/rand/v2 with %v", name, got, want)
		}
	}
}

// TestAllocationsNumbers: numbers cost none, Perm its result.
func TestAllocationsNumbers(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector changes what escapes and what sync.Pool keeps")
	}
	forEach(t, func(t *testing.T, r numbers) {
		for name, c := range map[string]struct {
			call func()
			want float64
		}{
			"Uint64":      {func() { r.Uint64() }, 0},
			"Uint32":      {func() { r.Uint32() }, 0},
			"Uint":        {func() { r.Uint() }, 0},
			"Int":         {func() { r.Int() }, 0},
			"Int64":       {func() { r.Int64() }, 0},
			"Int32":       {func() { r.Int32() }, 0},
			"Uint64N":     {func() { r.Uint64N(wide64) }, 0}, // with rejections
			"Uint32N":     {func() { r.Uint32N(wide32) }, 0},
			"UintN":       {func() { r.UintN(7919) }, 0},
			"Int64N":      {func() { r.Int64N(7919) }, 0},
			"Int32N":      {func() { r.Int32N(7919) }, 0},
			"IntN":        {func() { r.IntN(7919) }, 0},
			"Float64":     {func() { r.Float64() }, 0},
			"Float32":     {func() { r.Float32() }, 0},
			"NormFloat64": {func() { r.NormFloat64() }, 0},
			"ExpFloat64":  {func() { r.ExpFloat64() }, 0},
			"Shuffle":     {func() { r.Shuffle(52, func(i, j int) {}) }, 0},
			"Perm":        {func() { r.Perm(52) }, 1},
		} {
			if got := testing.AllocsPerRun(1000, c.call); got != c.want {
				t.Errorf("%s: %v allocations, want %v", name, got, c.want)
			}
		}
	})
	if got := testing.AllocsPerRun(1000, func() { N(time.Second) }); got != 0 {
		t.Errorf("N: %v allocations, want 0", got)
	}
}

// Each benchmark has its loops written out: a call through a table or an
// interface would cost more than the difference it is to show.

func BenchmarkUint64(b *testing.B) {
	b.Run("fount", func(b *testing.B) {
		for b.Loop() {
			Uint64()
		}
	})
	b.Run("Generator", func(b *testing.B) {
		g := NewGenerator()
		defer g.Close()
		for b.Loop() {
			g.Uint64()
		}
	})
	b.Run("math-rand-v2", func(b *testing.B) {
		for b.Loop() {
			rand.Uint64()
		}
	})
}

func BenchmarkUint32(b *testing.B) {
	b.Run("fount", func(b *testing.B) {
		for b.Loop() {
			Uint32()
		}
	})
	b.Run("Generator", func(b *testing.B) {
		g := NewGenerator()
		defer g.Close()
		for b.Loop() {
			g.Uint32()
		}
	})
	b.Run("math-rand-v2", func(b *testing.B) {
		for b.Loop() {
			rand.Uint32()
		}
	})
}

// BenchmarkIntN: 7919 is the usual case, wide32 rejects a quarter of its draws,
// and 1<<40 takes draws of 64 bits.
func BenchmarkIntN(b *testing.B) {
	for _, n := range []int64{7919, wide32, 1 << 40} {
		b.Run(fmt.Sprintf("n=%d/fount", n), func(b *testing.B) {
			for b.Loop() {
				Int64N(n)
			}
		})
		b.Run(fmt.Sprintf("n=%d/Generator", n), func(b *testing.B) {
			g := NewGenerator()
			defer g.Close()
			for b.Loop() {
				g.Int64N(n)
			}
		})
		b.Run(fmt.Sprintf("n=%d/math-rand-v2", n), func(b *testing.B) {
			for b.Loop() {
				rand.Int64N(n)
			}
		})
	}
}

func BenchmarkFloat64(b *testing.B) {
	b.Run("fount", func(b *testing.B) {
		for b.Loop() {
			Float64()
		}
	})
	b.Run("Generator", func(b *testing.B) {
		g := NewGenerator()
		defer g.Close()
		for b.Loop() {
			g.Float64()
		}
	})
	b.Run("math-rand-v2", func(b *testing.B) {
		for b.Loop() {
			rand.Float64()
		}
	})
}

func BenchmarkNormFloat64(b *testing.B) {
	b.Run("fount", func(b *testing.B) {
		for b.Loop() {
			NormFloat64()
		}
	})
	b.Run("Generator", func(b *testing.B) {
		g := NewGenerator()
		defer g.Close()
		for b.Loop() {
			g.NormFloat64()
		}
	})
	b.Run("math-rand-v2", func(b *testing.B) {
		for b.Loop() {
			rand.NormFloat64()
		}
	})
}

func BenchmarkPerm52(b *testing.B) {
	b.Run("fount", func(b *testing.B) {
		for b.Loop() {
			Perm(52)
		}
	})
	b.Run("Generator", func(b *testing.B) {
		g := NewGenerator()
		defer g.Close()
		for b.Loop() {
			g.Perm(52)
		}
	})
	b.Run("math-rand-v2", func(b *testing.B) {
		for b.Loop() {
			rand.Perm(52)
		}
	})
}

func BenchmarkShuffle52(b *testing.B) {
	var deck [52]int
	swap := func(i, j int) { deck[i], deck[j] = deck[j], deck[i] }
	b.Run("fount", func(b *testing.B) {
		for b.Loop() {
			Shuffle(len(deck), swap)
		}
	})
	b.Run("Generator", func(b *testing.B) {
		g := NewGenerator()
		defer g.Close()
		for b.Loop() {
			g.Shuffle(len(deck), swap)
		}
	})
	b.Run("math-rand-v2", func(b *testing.B) {
		for b.Loop() {
			rand.Shuffle(len(deck), swap)
		}
	})
}
