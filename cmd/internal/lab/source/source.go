// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package source measures what a random integer below 7919 costs: the five cases of the post "A
// Tale of Two rands" (2017), and fount's and the standard library's answers of today.
package source

import (
	cryptorand "crypto/rand"
	"encoding/binary"
	"math/rand"
	randv2 "math/rand/v2"
	"time"

	"fount"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/measure"
)

// Study is fount bench source.
var Study = lab.Study{Name: "source", About: "five ways to draw integers, from math/rand to crypto/rand (2017)", Time: 15 * time.Second, Run: run}

func run(r *lab.Run) {
	p := r.Plan()
	r.Compare("An integer below 7919, by one goroutine as in 2017", p.By(1), Methods()).Published = "the post, on a laptop of 2017"
	r.Compare("An integer below 7919, by a goroutine a core", p, Methods())

	r.Compare("Crypto: what of it is the read?", p.By(1), []measure.Method{
		method("Crypto", 0, crypto), method("CryptoRead", 0, cryptoRead), method("Crypto without binary.Read", 0, cryptoPlain),
	})

	r.Compare("Global: a lock, or its generator?", p.By(1), []measure.Method{
		method("Global", 0, global), method("ChaCha8 of its own under math/rand", 0, ownChaCha8), method("Native", 0, native),
	})
}

// below is the post's bound, the thousandth prime.
const below = 7919

// Methods are the post's five cases, in its order and with its ns, and then those beside them. Each
// has a loop of its own: a function value would add 1 to 2 ns to each draw of 4.
func Methods() []measure.Method {
	return []measure.Method{
		method("Global", 37.7, global),
		method("Native", 22.7, native),
		method("Crypto", 867, crypto),
		method("CryptoRead", 735, cryptoRead),
		method("Seed", 23.9, seed),

		method("math/rand/v2", 0, global2),
		method("fount.IntN", 0, fountIntN),
		method("fount.Source", 0, source),
		method("rand.NewChaCha8(fount.Key())", 0, seededChaCha8),
	}
}

func method(name string, then float64, start func() (fill func(dst []int))) measure.Method {
	return measure.Method{Name: name, Then: then, Open: measure.Shareless(start)}
}

// global calls the top level of math/rand: in 2017 a generator behind a lock that began with seed
// 1, today ChaCha8 per thread, seeded by the system.
func global() func(dst []int) {
	return func(dst []int) {
		for i := range dst {
			dst[i] = rand.Intn(below)
		}
	}
}

// native draws from a Rand of the goroutine's own, with the time for a seed: two that begin in one
// instant run in parallel.
func native() func(dst []int) {
	return fromRand(rand.New(rand.NewSource(time.Now().UnixNano()))) //fount:ignore clockseed the post's way, which is measured
}

// crypto has math/rand's convenience over crypto/rand's bytes, as the post does it.
func crypto() func(dst []int) { return fromRand(rand.New(cryptoSource{})) }

// cryptoRead reads 8 bytes and makes no integer of them: what of crypto's cost is crypto/rand's.
func cryptoRead() func(dst []int) {
	return func(dst []int) {
		var b [8]byte
		for i := range dst {
			cryptorand.Read(b[:])
			dst[i] = int(binary.NativeEndian.Uint64(b[:]))
		}
	}
}

// cryptoPlain is crypto without binary.Read.
func cryptoPlain() func(dst []int) { return fromRand(rand.New(plainSource{})) }

// ownChaCha8 is native with the generator that global has today.
func ownChaCha8() func(dst []int) {
	return fromRand(rand.New(chacha8{randv2.NewChaCha8(fount.Key())}))
}

// seed is native with a seed from crypto/rand. [rand.NewSource] keeps 31 bits of it.
func seed() func(dst []int) {
	return fromRand(rand.New(rand.NewSource(cryptoSource{}.Int63())))
}

// global2 calls the top level of math/rand/v2.
func global2() func(dst []int) {
	return func(dst []int) {
		for i := range dst {
			dst[i] = randv2.IntN(below)
		}
	}
}

func fountIntN() func(dst []int) {
	return func(dst []int) {
		for i := range dst {
			dst[i] = fount.IntN(below)
		}
	}
}

// source is crypto with fount for the bytes.
func source() func(dst []int) { return fromRand(rand.New(fount.Source{})) }

// seededChaCha8 is a generator of the goroutine's own, with 256 bits of seed.
func seededChaCha8() func(dst []int) {
	r := randv2.New(randv2.NewChaCha8(fount.Key()))
	return func(dst []int) {
		for i := range dst {
			dst[i] = r.IntN(below)
		}
	}
}

func fromRand(r *rand.Rand) func(dst []int) {
	return func(dst []int) {
		for i := range dst {
			dst[i] = r.Intn(below)
		}
	}
}

// A cryptoSource is a source for math/rand that takes its bytes from crypto/rand. Like the post's
// it reads through [binary.Read], which allocates.
type cryptoSource struct{}

func (cryptoSource) Uint64() (x uint64) {
	if err := binary.Read(cryptorand.Reader, binary.BigEndian, &x); err != nil { //fount:ignore binaryread the post's way, which is measured
		panic(err) // never: crypto/rand stops the process instead
	}
	return x
}

func (s cryptoSource) Int63() int64 { return int64(s.Uint64() >> 1) }
func (cryptoSource) Seed(int64)     {}

// A plainSource is a cryptoSource that reads by itself.
type plainSource struct{ cryptoSource }

func (plainSource) Uint64() uint64 {
	var b [8]byte
	cryptorand.Read(b[:])
	return binary.BigEndian.Uint64(b[:])
}

func (s plainSource) Int63() int64 { return int64(s.Uint64() >> 1) }

// A chacha8 is a source for math/rand.
type chacha8 struct{ *randv2.ChaCha8 }

func (s chacha8) Int63() int64 { return int64(s.Uint64() >> 1) }
func (chacha8) Seed(int64)     {}
