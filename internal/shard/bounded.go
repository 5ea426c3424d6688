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
// So the fast path is a draw, a multiplication and a comparison, and retry32 and
// bounded64 do the rest. Up to n = 2³¹ a draw has 32 bits, as its price is by the
// byte. Beyond that it would be rejected, or divided for, so often that 64 bits
// cost less. (With portable keystream and 256-byte refills: 19 ns against 34 for
// 64 bits at small n, 34 against 40 for 32 bits at 3·2³⁰, 33 against 60 at 2³¹+1.)
// A power of two needs no case of its own, as its t is 0: one saved 10 ns at 2³¹
// and 5 ns at 2⁶², where half and a quarter of the draws reach the division, and
// nothing at 1024.
//
// The draw of 32 bits is written out once more here, and not called: a call is
// 1.2 of 9.3 ns.

// most32 is the greatest n that is drawn with 32 bits.
const most32 = 1 << 31

// Uint64n returns a uniform integer in [0, n), n > 0.
func Uint64n(n uint64) uint64 {
	if n > most32 {
		return bounded64(n)
	}
	s, t := acquire()
	if holds[uint32](s) {
		src := claim[uint32](s)
		v := *src
		*src = 0
		if s.epoch == generation() {
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

// retry32 ends the drawing of an integer in [0, n): it returns hi if lo accepts it, and otherwise
// draws until one is accepted.
//
//go:noinline
func retry32(n, hi, lo uint32) uint32 {
	for t := -n % n; lo < t; {
		hi, lo = bits.Mul32(Uint32(), n)
	}
	return hi
}
