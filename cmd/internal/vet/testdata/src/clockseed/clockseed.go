// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clockseed

import (
	"crypto/rand"
	"encoding/binary"
	"flag"
	"fount"
	"hash/maphash"
	"io"
	"math/big"
	mathrand "math/rand"
	randv2 "math/rand/v2"
	"os"
	"time"
)

var global = mathrand.New(mathrand.NewSource(time.Now().UnixNano())) // want `seed is taken from the clock.*\(clockseed\)`

var flagged = flag.Int64("seed", time.Now().UnixNano(), "of the run")

func init() {
	mathrand.Seed(*flagged)                    // want "seed is taken from the clock"
	mathrand.Seed(time.Now().UTC().UnixNano()) // want "seed is taken from the clock"
}

func seeds() {
	seed := time.Now().UnixNano()
	mathrand.NewSource(seed)                        // want "seed is taken from the clock"
	mathrand.NewSource(int64(os.Getpid()))          // want "seed is taken from the clock"
	randv2.NewPCG(uint64(time.Now().UnixNano()), 0) // want "seed is taken from the clock"
	randv2.NewPCG(1, uint64(now().Unix()))          // want "seed is taken from the clock"
	global.Seed(time.Now().UnixNano())              // want "seed is taken from the clock"
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], uint64(time.Now().UnixNano()))
	randv2.NewChaCha8(key) // want "seed is taken from the clock"
}

func now() time.Time { return time.Now() }

func defaultSeed(seed int64) *mathrand.Rand {
	if seed == 0 {
		seed = time.Now().UnixNano()
	}
	return mathrand.New(mathrand.NewSource(seed)) // want "seed is taken from the clock"
}

type config struct {
	name string
	seed int64
}

type ring[T any] struct{ seed T }

func literals() {
	c, p := config{seed: time.Now().Unix()}, &config{"x", time.Now().Unix()}
	mathrand.NewSource(c.seed + p.seed) // want "seed is taken from the clock"
	started := ring[int64]{time.Now().Unix()}
	mathrand.NewSource(started.seed) // want "seed is taken from the clock"
	seeds := map[string][]int64{"x": {time.Now().Unix()}}
	mathrand.NewSource(seeds["x"][0]) // want "seed is taken from the clock"
	given(1, time.Now().Unix())
}

func given(_ int, seeds ...int64) { mathrand.NewSource(seeds[0]) } // want "seed is taken from the clock"

// What follows is right.

func mixed() {
	var b [8]byte
	rand.Read(b[:])
	random := int64(binary.LittleEndian.Uint64(b[:]))
	mathrand.NewSource(time.Now().UnixNano() ^ random)
	mix := time.Now().UnixNano() ^ random
	mathrand.NewSource(mix)
	later := time.Now().UnixNano()
	later += random
	mathrand.NewSource(later)
	n, _ := rand.Int(rand.Reader, big.NewInt(1<<62))
	mathrand.NewSource(time.Now().Unix() + n.Int64())
	io.ReadFull(rand.Reader, b[:])
	randv2.NewPCG(uint64(time.Now().UnixNano()), binary.LittleEndian.Uint64(b[:]))
	key := fount.Key()
	binary.LittleEndian.PutUint64(key[:], uint64(time.Now().UnixNano()))
	randv2.NewChaCha8(key)
	better := struct{ seed int64 }{time.Now().UnixNano() ^ random}
	mathrand.NewSource(better.seed)
}

func fixed(seed int64) *mathrand.Rand { return mathrand.New(mathrand.NewSource(seed)) }

func fromKernel() {
	var b [8]byte
	rand.Read(b[:])
	started := time.Now()
	mathrand.NewSource(int64(binary.LittleEndian.Uint64(b[:])))
	mathrand.NewSource(time.Now().UnixNano() ^ int64(new(maphash.Hash).Sum64()))
	randv2.NewPCG(randv2.Uint64(), randv2.Uint64())
	mathrand.NewSource(42)
	_ = time.Since(started)
	time.Sleep(time.Duration(mathrand.Int63n(int64(time.Since(started)))))
}

func silenced() {
	mathrand.NewSource(time.Now().UnixNano()) //fount:ignore clockseed a game of dice, alone on the machine
	//fount:ignore clockseed the same, from the line above
	mathrand.NewSource(time.Now().UnixNano())
	//fount:ignore clockseed
	mathrand.NewSource(time.Now().UnixNano()) // want "seed is taken from the clock"
	//fount:ignore modulobias of another analyzer
	mathrand.NewSource(time.Now().UnixNano()) // want "seed is taken from the clock"
}
