// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import "math/bits"

// # Bounded integers
//
// The method is that of D. Lemire, Fast Random Integer Generation in an
// Interval, ACM TOMACS 29(1), 2019, https://doi.org/10.1145/3230636.
//
// Let w be 2³² or 2⁶⁴, x a uniform draw from [0, w), 0 < n < w, and write the
// double-width product as x·n = hi·w + lo. As x takes its w values, x·n takes
// the w multiples of n in [0, n·w). That range is n intervals of length w, and
// hi says in which of them the product lies, so hi is in [0, n). But an interval
// of length w may hold ⌊w/n⌋ multiples of n or ⌈w/n⌉: hi alone is biased.
//
// Let t = w mod n, and cut the first t numbers off each interval. What is left
// has length w − t, which n divides, and a run of w − t consecutive integers
// holds exactly (w − t)/n multiples of n, wherever it begins. So among the draws
// with lo ≥ t each value of hi comes from equally many x: hi is uniform. A draw
// with lo < t is rejected, and another one made.
//
// In w-bit arithmetic t is -n % n, since w − n leaves the same remainder as w.
// That is a division, but t < n, so lo ≥ n is enough to accept, and each
// interval holds exactly one multiple of n among its first n numbers: of w draws
// only n reach the division.
//
// So the fast path is a draw, a multiplication and a comparison; retry32 and
// bounded64 do the rest. If n is at most 2³¹, 32 bits are drawn, because each
// byte costs time. Above that, 32 bits would be rejected, or divided, so often
// that 64 bits cost less. Portable keystream, 256-byte refills:
//
//	n           32 bits   64 bits
//	small         19 ns     34 ns
//	2³¹+1         60 ns     33 ns
//	3·2³⁰         40 ns     34 ns
//
// Powers of two have no case of their own, as their t is 0. It would save 10 ns
// at 2³¹ and 5 ns at 2⁶², where half and a quarter of the draws reach the
// division, and nothing at 1024.
//
// Uint64n repeats the body of Uint32: a call would take 1.2 of 9.3 ns.

// max32 is the greatest n for which 32 bits are drawn.
const max32 = 1 << 31

// Uint64n returns a uniform integer in [0, n), n > 0.
func Uint64n(n uint64) uint64 {
	if n > max32 {
		return bounded64(n)
	}

	s, t := acquire()
	if holds[uint32](s) {
		src := claim[uint32](s)
		v := *src
		*src = 0
		if s.generation == generation() {
			release(t)
			hi, lo := bits.Mul32(v, uint32(n))
			if lo < uint32(n) {
				hi = retry32(uint32(n), hi, lo)
			}
			return uint64(hi)
		}
	}
	release(t)
	return bounded32(uint32(n))
}

//go:noinline
func bounded32(n uint32) uint64 {
	hi, lo := bits.Mul32(Uint32(), n)
	return uint64(retry32(n, hi, lo))
}

//go:noinline
func bounded64(n uint64) uint64 {
	for {
		hi, lo := bits.Mul64(Uint64(), n)
		if lo >= n || lo >= -n%n {
			return hi
		}
	}
}

// retry32 returns hi if lo accepts it, and otherwise draws integers in [0, n) until one is
// accepted.
//
//go:noinline
func retry32(n, hi, lo uint32) uint32 {
	for t := -n % n; lo < t; {
		hi, lo = bits.Mul32(Uint32(), n)
	}
	return hi
}
