// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"testing"
)

// Bounded integers are exactly uniform: draws with known values, checked by math/big. bounded.go
// has the words: w is how many values a draw has, and the threshold is w mod n.

// widthOf returns how many bits Uint64n(n) draws.
func widthOf(n uint64) uint {
	if n > max32 {
		return 64
	}
	return 32
}

// uint64n returns Uint64n(n) of a draw of x, and whether that was accepted: it drew no more.
func uint64n(x, n uint64) (v uint64, accepted bool) {
	s := ofP()
	next := binary.NativeEndian.AppendUint64([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), x)
	if widthOf(n) == 32 {
		next = binary.NativeEndian.AppendUint32(next[:8], uint32(x))
	}

	for s.left < uint64(len(next)) || s.generation != generation() {
		Uint64()
	}
	before := s.left
	copy(s.block[keySize+before-uint64(len(next)):], next)

	v = Uint64n(n)
	return v, before-s.left == uint64(widthOf(n)/8)
}

// oddBounds have an inverse modulo 2³² and 2⁶⁴.
var oddBounds = []uint64{1, 3, 7919, 1<<31 - 1, 1<<31 + 1, 1<<32 - 1, 1<<32 + 1, 1<<63 - 1, 1<<63 + 1, 1<<64 - 1}

// forEachBound runs a test of Uint64n(n) for each n.
func forEachBound(t *testing.T, bounds []uint64, test func(t *testing.T, n uint64, bound, w, threshold *big.Int)) {
	onOneP(t)
	for _, n := range bounds {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			bound := new(big.Int).SetUint64(n)
			w := new(big.Int).Lsh(big.NewInt(1), widthOf(n))
			test(t, n, bound, w, new(big.Int).Mod(w, bound))
		})
	}
}

func plus(x *big.Int, d int64) *big.Int { return new(big.Int).Add(x, big.NewInt(d)) }

// A draw is accepted if the low half of its product is at least the threshold. Tried are the draws
// whose low half is the threshold, its neighbours, and the edges of the short cut.
func TestBoundedThreshold(t *testing.T) {
	forEachBound(t, oddBounds, func(t *testing.T, n uint64, bound, w, threshold *big.Int) {
		inverse := new(big.Int).ModInverse(bound, w)
		lows := []*big.Int{new(big.Int), plus(w, -1)}
		for d := int64(-1); d <= 1; d++ {
			lows = append(lows, plus(threshold, d), plus(bound, d))
		}

		for _, low := range lows {
			if low.Sign() < 0 || low.Cmp(w) >= 0 {
				continue
			}
			x := new(big.Int).Mul(low, inverse)
			x.Mod(x, w)
			high := new(big.Int).Mul(x, bound)
			high.Rsh(high, widthOf(n))

			got, accepted := uint64n(x.Uint64(), n)
			if want := low.Cmp(threshold) >= 0; accepted != want {
				t.Errorf("low half %v, threshold %v: accepted %v, want %v", low, threshold, accepted, want)
			}
			if accepted && got != high.Uint64() {
				t.Errorf("low half %v: got %d, want %v", low, got, high)
			}
		}
	})
}

// The draws accepted for a result are consecutive, and as many for each: (w - threshold) / n.
func TestBoundedExact(t *testing.T) {
	bounds := append([]uint64{2, 6, 1000, 1 << 31, 3 << 29, 3 << 30, 1 << 63, 3 << 62}, oddBounds...)
	forEachBound(t, bounds, func(t *testing.T, n uint64, bound, w, threshold *big.Int) {
		each := new(big.Int).Sub(w, threshold)
		each.Div(each, bound)
		leastWith := func(product *big.Int) *big.Int { // the least draw with this product or more
			x := new(big.Int).Add(product, plus(bound, -1))
			return x.Div(x, bound)
		}

		for _, k := range []uint64{0, 1, 2, n / 3, n / 2, n - 2, n - 1} {
			if k >= n {
				continue
			}

			begin := new(big.Int).SetUint64(k) // of the products whose high half is k
			begin.Mul(begin, w)
			first := leastWith(new(big.Int).Add(begin, threshold))
			next := leastWith(new(big.Int).Add(begin, w))
			if count := new(big.Int).Sub(next, first); count.Cmp(each) != 0 {
				t.Fatalf("result %d has %v draws, want %v", k, count, each)
			}

			for _, x := range []*big.Int{first, plus(next, -1)} {
				if got, accepted := uint64n(x.Uint64(), n); !accepted || got != k {
					t.Errorf("draw %v: got %d, accepted %v; want %d", x, got, accepted, k)
				}
			}
			if before := plus(first, -1); before.Sign() >= 0 {
				if got, accepted := uint64n(before.Uint64(), n); accepted && got == k {
					t.Errorf("draw %v gives %d too", before, k)
				}
			}
		}
	})
}

// The threshold of a power of two is 0: each draw is accepted, and its top bits are the result.
func TestBoundedPowerOfTwo(t *testing.T) {
	var powers []uint64
	for k := range 64 {
		powers = append(powers, 1<<k)
	}
	forEachBound(t, powers, func(t *testing.T, n uint64, bound, w, threshold *big.Int) {
		most := plus(w, -1).Uint64()
		for _, x := range []uint64{0, 1, most, most/2 + 1, most / n} {
			want := new(big.Int).SetUint64(x)
			want.Mul(want, bound).Div(want, w)
			if got, accepted := uint64n(x, n); !accepted || got != want.Uint64() {
				t.Errorf("draw %#x: got %d, accepted %v; want %v", x, got, accepted, want)
			}
		}
	})
}
