// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// The top-level functions of math/rand/v2, with its names, signatures, panics and distributions,
// but with secure draws; and a source for code that takes one. internal/shard/bounded.go says how a
// bounded integer is drawn and why it is uniform.

import (
	"math/bits"
	"math/rand/v2"

	"fount/internal/shard"
)

// Uint64 returns a uniform 64-bit integer.
func Uint64() uint64 { return shard.Uint64() }

// Uint32 returns a uniform 32-bit integer.
func Uint32() uint32 { return shard.Uint32() }

// Uint returns a uniform integer of the width of a uint.
func Uint() uint {
	if bits.UintSize == 32 {
		return uint(Uint32())
	}
	return uint(Uint64())
}

// Int returns a uniform non-negative int.
func Int() int { return int(Uint() >> 1) }

// Int64 returns a uniform integer in [0, 1<<63).
func Int64() int64 { return int64(Uint64() >> 1) }

// Int32 returns a uniform integer in [0, 1<<31).
func Int32() int32 { return int32(Uint32() >> 1) }

// Uint64N returns a uniform integer in [0, n). It panics if n is 0.
func Uint64N(n uint64) uint64 {
	if n == 0 {
		panic("invalid argument to Uint64N")
	}
	return shard.Uint64n(n)
}

// Uint32N returns a uniform integer in [0, n). It panics if n is 0.
func Uint32N(n uint32) uint32 {
	if n == 0 {
		panic("invalid argument to Uint32N")
	}
	return uint32(shard.Uint64n(uint64(n)))
}

// UintN returns a uniform integer in [0, n). It panics if n is 0.
func UintN(n uint) uint {
	if n == 0 {
		panic("invalid argument to UintN")
	}
	return uint(shard.Uint64n(uint64(n)))
}

// Int64N returns a uniform integer in [0, n). It panics if n <= 0.
func Int64N(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int64N")
	}
	return int64(shard.Uint64n(uint64(n)))
}

// Int32N returns a uniform integer in [0, n). It panics if n <= 0.
func Int32N(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int32N")
	}
	return int32(shard.Uint64n(uint64(n)))
}

// IntN returns a uniform integer in [0, n). It panics if n <= 0.
func IntN(n int) int {
	if n <= 0 {
		panic("invalid argument to IntN")
	}
	return int(shard.Uint64n(uint64(n)))
}

// N returns a uniform integer in [0, n) of any integer type, such as
// [time.Duration]. It panics if n <= 0.
func N[Int integer](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(shard.Uint64n(uint64(n)))
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Float64 returns a uniform multiple of 2⁻⁵³ in [0, 1).
func Float64() float64 { return float64of(Uint64()) }

// Float32 returns a uniform multiple of 2⁻²⁴ in [0, 1).
func Float32() float32 { return float32of(Uint32()) }

// float64of uses the low 53 bits of x, as many as a float64's significand has, so that the quotient
// is exact and never rounded up to 1.
func float64of(x uint64) float64 { return float64(x<<11>>11) / (1 << 53) }

// float32of uses the low 24 bits of x, as float64of uses 53.
func float32of(x uint32) float32 { return float32(x<<8>>8) / (1 << 24) }

// Each value below takes several draws. If the machine is cloned between them, the clone has the
// first ones too. So the whole value is drawn again.

// NormFloat64 returns a normally distributed number with mean 0 and standard
// deviation 1. For others use NormFloat64()*deviation + mean.
func NormFloat64() float64 {
	for watch := shard.NewWatch(); ; {
		if x := rand.New(Source{}).NormFloat64(); !watch.Moved() {
			return x
		}
	}
}

// ExpFloat64 returns an exponentially distributed number greater than 0 with
// rate 1 and mean 1. For another rate use ExpFloat64() / rate.
func ExpFloat64() float64 { return expFloat64(rand.New(Source{})) }

// Perm returns a uniform permutation of the integers in [0, n). It panics if n < 0. If n is more
// than 4096 each element is a separate draw, as in [Shuffle].
func Perm(n int) []int {
	for watch := shard.NewWatch(); ; {
		p := make([]int, n)
		for i := 1; i < n; i++ { // the inside-out Fisher-Yates shuffle
			j := shard.Uint64n(uint64(i) + 1)
			p[i] = p[j]
			p[j] = i
		}

		if n > maxOneDraw || !watch.Moved() {
			return p
		}
	}
}

// maxOneDraw is the largest n for which Perm is one draw, which takes 40 µs.
const maxOneDraw = 4096

// expFloat64 draws again if r returns 0, which it does if the first 32 bits that it draws are 0.
func expFloat64(r *rand.Rand) float64 {
	for watch := shard.NewWatch(); ; {
		if x := r.ExpFloat64(); !watch.Moved() && x > 0 {
			return x
		}
	}
}

// Shuffle puts n elements into a uniformly random order. swap swaps the elements with indexes i and
// j. Shuffle panics if n < 0. Each of its n-1 swaps is a separate draw: if the machine is cloned
// during a Shuffle, all clones have the swaps made before.
func Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	// The Fisher-Yates shuffle: the element at i becomes any of the first i+1.
	for i := n - 1; i > 0; i-- {
		swap(i, int(shard.Uint64n(uint64(i)+1)))
	}
}

// Source is a source for [math/rand.New] and [math/rand/v2.New] with the same secure draws as the
// package functions. It has no state: the zero Source is ready to use, by any number of goroutines
// at once.
//
// Goroutines may share a [math/rand/v2.Rand] with this source, because that has no other state.
// They must not share a [math/rand.Rand], whose Read keeps the unused bytes of the last draw: use
// [Read].
type Source struct{}

// Uint64 returns a uniform 64-bit integer.
func (Source) Uint64() uint64 { return shard.Uint64() }

// Int63 returns a uniform integer in [0, 1<<63).
func (Source) Int63() int64 { return int64(shard.Uint64() >> 1) }

// Seed does nothing: this source is always seeded and never repeats. For one that can repeat, use
// rand.NewChaCha8(fount.Key()) of math/rand/v2.
func (Source) Seed(int64) {}

// NewRand returns a [math/rand/v2.Rand] with a [Source]. Unlike other Rands it may be used by any
// number of goroutines at once.
func NewRand() *rand.Rand { return rand.New(Source{}) }
