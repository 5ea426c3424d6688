// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// The five cases of the post "A Tale of Two rands" (2017), under its names, and fount's beside them: what a random
// integer below 7919 costs. They are Methods too; an integer is stored in the first 8 bytes of a nonce.

import (
	cryptorand "crypto/rand"
	"encoding/binary"
	"math/rand"
	randv2 "math/rand/v2"
	"time"

	"fount"
	"fount/seeded"
)

// below is the post's bound, the thousandth prime.
const below = 7919

// An integers is a Method that draws integers. Each case has a loop of its own: a function value would add 1 to 2 ns to
// each draw of 4.
type integers struct {
	name, weakness string
	worker         func() (draw func(dst []Nonce), close func())
}

func (m *integers) Name() string          { return m.name }
func (m *integers) Weakness() string      { return m.weakness }
func (m *integers) Open() (Source, error) { return shareless(m.worker), nil }

func put(dst *Nonce, n int) { binary.NativeEndian.PutUint64(dst[:8], uint64(n)) }

func nothing() {}

// Tale are the post's five cases, in its order, and then fount's and the standard library's answers of today.
func Tale() []Method {
	const notSecret = "not secret"
	return []Method{
		&integers{"Global", notSecret, global},
		&integers{"Native", notSecret, native},
		&integers{"Crypto", "", crypto},
		&integers{"CryptoRead", "", cryptoRead},
		&integers{"Seed", notSecret, seed},

		&integers{"math/rand/v2", notSecret, global2},
		&integers{"fount.IntN", window("core"), fountIntN},
		&integers{"fount.Generator", window("Generator"), generator},
		&integers{"fount.Source", window("core"), source},
		&integers{"seeded.Source", notSecret, seededSource},
		&integers{"seeded.PCG", notSecret, seededPCG},
	}
}

// global calls the top level of math/rand: in 2017 a generator behind a lock that began with seed 1, today ChaCha8 per
// thread, seeded by the system.
func global() (draw func(dst []Nonce), close func()) {
	return func(dst []Nonce) {
		for i := range dst {
			put(&dst[i], rand.Intn(below))
		}
	}, nothing
}

// native draws from a Rand of the goroutine's own, with the time for a seed: two that begin in one instant run in
// parallel.
func native() (draw func(dst []Nonce), close func()) {
	return fromRand(rand.New(rand.NewSource(time.Now().UnixNano()))) //fount:ignore clockseed the post's way, which is measured
}

// crypto has math/rand's convenience over crypto/rand's bytes, as the post does it.
func crypto() (draw func(dst []Nonce), close func()) { return fromRand(rand.New(cryptoSource{})) }

// cryptoRead reads 8 bytes and makes no integer of them: what of crypto's cost is crypto/rand's.
func cryptoRead() (draw func(dst []Nonce), close func()) {
	return func(dst []Nonce) {
		for i := range dst {
			cryptorand.Read(dst[i][:8])
		}
	}, nothing
}

// seed is native with a seed from crypto/rand, of which [rand.NewSource] keeps 31 bits.
func seed() (draw func(dst []Nonce), close func()) {
	return fromRand(rand.New(rand.NewSource(cryptoSource{}.Int63())))
}

// global2 calls the top level of math/rand/v2.
func global2() (draw func(dst []Nonce), close func()) {
	return func(dst []Nonce) {
		for i := range dst {
			put(&dst[i], randv2.IntN(below))
		}
	}, nothing
}

func fountIntN() (draw func(dst []Nonce), close func()) {
	return func(dst []Nonce) {
		for i := range dst {
			put(&dst[i], fount.IntN(below))
		}
	}, nothing
}

func generator() (draw func(dst []Nonce), close func()) {
	g := fount.NewGenerator()
	return func(dst []Nonce) {
		for i := range dst {
			put(&dst[i], g.IntN(below))
		}
	}, g.Close
}

// source is crypto with fount for the bytes.
func source() (draw func(dst []Nonce), close func()) { return fromRand(rand.New(fount.Source{})) }

// seededSource is seed with 128 bits of seed, through the same Rand.
func seededSource() (draw func(dst []Nonce), close func()) {
	return fromRand(rand.New(seeded.Source()))
}

// seededPCG is the same generator through math/rand/v2.
func seededPCG() (draw func(dst []Nonce), close func()) {
	r := randv2.New(seeded.PCG())
	return func(dst []Nonce) {
		for i := range dst {
			put(&dst[i], r.IntN(below))
		}
	}, nothing
}

func fromRand(r *rand.Rand) (draw func(dst []Nonce), close func()) {
	return func(dst []Nonce) {
		for i := range dst {
			put(&dst[i], r.Intn(below))
		}
	}, nothing
}

// A cryptoSource is a source for math/rand whose bytes are crypto/rand's. Like the post's it reads through
// [binary.Read], which allocates.
type cryptoSource struct{}

func (cryptoSource) Uint64() (x uint64) {
	if err := binary.Read(cryptorand.Reader, binary.BigEndian, &x); err != nil { //fount:ignore binaryread the post's way, which is measured
		panic(err) // never: crypto/rand stops the process instead
	}
	return x
}

func (s cryptoSource) Int63() int64 { return int64(s.Uint64() >> 1) }
func (cryptoSource) Seed(int64)     {}
