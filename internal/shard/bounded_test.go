// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

// Bounded integers are exactly uniform: scripted draws, checked by math/big.

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"testing"
)

// A core is the code that makes a bounded integer of draws of some width, for
// the bounds from least to most.
type core struct {
	name        string
	bits        uint
	least, most uint64
	accept      func(x, n uint64) (v uint64, ok bool) // ok: x was the only draw
}

// cores returns Uint64n for each width, on a state whose next bytes are known.
func cores(t *testing.T) []core {
	s := onOneP(t)
	planted := func(width uint64) func(x, n uint64) (uint64, bool) {
		return func(x, n uint64) (uint64, bool) {
			b := binary.NativeEndian.AppendUint64(nil, x) // as a draw reads it
			if width == 4 {
				b = binary.NativeEndian.AppendUint32(nil, uint32(x))
			}
			served := plant(s, append([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), b...))
			v := Uint64n(n)
			return v, served() == width
		}
	}
	return []core{
		{"Uint64n, 32 bits", 32, 1, max32, planted(4)},
		{"Uint64n, 64 bits", 64, max32 + 1, math.MaxUint64, planted(8)},
	}
}

// plant replaces the next bytes of s by b, and returns a count of the bytes served since.
func plant(s *State, b []byte) (served func() uint64) {
	for s.left < uint64(len(b)) || s.generation != generation() {
		Uint64()
	}
	before := s.left
	copy(s.block[keySize+before-uint64(len(b)):], b)
	return func() uint64 { return before - s.left }
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
