// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package seeded makes deterministic random generators, each seeded once from
// package fount, for simulations and tests. They are not secure: the rest of a
// PCG's output can be computed from some of it, and a ChaCha8's seed is neither
// protected nor renewed. So no key, token, nonce or ID may come from one. For
// those, and wherever a run need not be repeated, use package fount itself: its
// functions are secure, need no instance and may be called from any goroutine.
//
// Two generators with one seed run in parallel: they return the same values. A
// seed taken from the clock, or from the 31 bits that [math/rand.NewSource] keeps,
// lets that happen by accident. Each generator made here starts from at least 128
// bits of its own.
//
// # What a clone repeats
//
// Everything. A generator that exists when a virtual machine is cloned, or a process
// forked or checkpointed, returns the same values in every copy for as long as it
// lives: it is never seeded again, and [fount.Reseed] does not reach it. One made
// afterwards has its own seed, as far as [fount.Status] says that clones are told
// apart. If copies must differ, make the generator where its run begins, not at the
// start of a process that is snapshotted warm.
//
// # Repeating a run
//
// All three are [encoding.BinaryMarshaler] and [encoding.BinaryUnmarshaler]:
// marshal a generator before its first use and log the bytes; a generator that
// unmarshals them repeats the run. For a fixed run from the start, use [math/rand/v2.NewPCG] and [math/rand/v2.NewChaCha8] with a seed of
// your own, or the Seed method of [Source].
package seeded

import (
	"encoding/binary"
	"math/rand"
	randv2 "math/rand/v2"

	"fount"
)

// ChaCha8 returns a [math/rand/v2.ChaCha8] with a seed of 256 bits. One goroutine
// at a time may use it.
func ChaCha8() *randv2.ChaCha8 {
	var seed [32]byte
	fount.Read(seed[:])
	c := randv2.NewChaCha8(seed)
	clear(seed[:]) // c has it now
	return c
}

// PCG returns a [math/rand/v2.PCG] with a seed of 128 bits. One goroutine at a
// time may use it.
//
// All PCGs walk one cycle of 2¹²⁸ states, each from its own place. The probability
// that any two of k generators meet while each draws n values is below k²·n/2¹²⁸: for
// a million generators and 10¹² values each, 3·10⁻¹⁵.
func PCG() *randv2.PCG {
	seed := fount.Nonce() // one draw: of two, a clone of the machine could have the first
	return randv2.NewPCG(binary.LittleEndian.Uint64(seed[:8]), binary.LittleEndian.Uint64(seed[8:]))
}

// Source returns a source for [math/rand.New], a [math/rand/v2.PCG] with a seed of
// 128 bits underneath. One goroutine at a time may use it.
//
// Seed(x) restarts it with a seed derived from all 64 bits of x, so that no two x
// give the same sequence. (A source of math/rand reduces x modulo 2³¹−1.) What it
// returns after Seed(x) stays the same in all versions of this package.
//
// The source is also an [encoding.BinaryAppender], an [encoding.BinaryMarshaler]
// and an [encoding.BinaryUnmarshaler], in the format of a PCG.
func Source() rand.Source64 {
	return &source{*PCG()}
}

// source is a PCG with the methods of math/rand.Source64.
type source struct{ randv2.PCG }

func (s *source) Int63() int64 { return int64(s.Uint64() >> 1) }

// Seed sets both words of the PCG, the second from the first by the same step. In
// a PCG the lower half of the state never depends on the upper: seeded in
// that one only, all sequences would share their lower half.
func (s *source) Seed(seed int64) {
	x := splitMix64(uint64(seed))
	hi := x.next()
	s.PCG.Seed(hi, x.next())
}

// splitMix64 is the generator of G. L. Steele, D. Lea and C. H. Flood, Fast
// Splittable Pseudorandom Number Generators, OOPSLA 2014, with the constants of
// Java's SplittableRandom. Its output is a bijection of its state, so different
// seeds give different words.
type splitMix64 uint64

func (x *splitMix64) next() uint64 {
	*x += 0x9e3779b97f4a7c15
	z := uint64(*x)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
