// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clockseed

import (
	"crypto/rand"
	mathrand "math/rand"
	randv2 "math/rand/v2"
	"time"
)

// Few random bits are soon tried, and a generator's are as good as its own seed.
func few() {
	var b [8]byte
	rand.Read(b[:])
	mathrand.NewSource(time.Now().UnixNano() ^ int64(b[0]))               // want "seed is taken from the clock"
	mathrand.NewSource(time.Now().UnixNano() + int64(mathrand.Intn(100))) // want "seed is taken from the clock"
	mathrand.NewSource(time.Now().UnixNano() ^ global.Int63())            // want "seed is taken from the clock"
}

// What follows is right: the kernel seeds the functions of math/rand.

func enough() {
	randv2.NewPCG(uint64(time.Now().UnixNano()), randv2.Uint64())
	mathrand.NewSource(time.Now().UnixNano() ^ mathrand.Int63())
	mathrand.NewSource(time.Now().UnixNano() + mathrand.Int63n(1<<62))
	salt := mathrand.Uint32()
	mathrand.NewSource(time.Now().UnixNano() + int64(salt))
	mathrand.NewSource(salted(time.Now().UnixNano()))
	var key [32]byte
	rand.Read(key[:])
	key[0] ^= byte(time.Now().UnixNano())
	randv2.NewChaCha8(key)
}

func salted(n int64) int64 { return n ^ randv2.Int64() }
