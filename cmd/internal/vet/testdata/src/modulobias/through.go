// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package modulobias

import (
	"crypto/rand"
	"encoding/binary"
	mathrand "math/rand"
	randv2 "math/rand/v2"
)

// A value keeps its few random bits in wider variables, on its way.

func variable(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	for i := range b {
		idx := int(b[i])
		b[i] = letters[idx%len(letters)] // want "by 1 in 7; it has 8 random bits"
	}
	return string(b)
}

func parameter(b []byte) byte {
	rand.Read(b)
	return letter(uint64(b[0]))
}

func letter(n uint64) byte { return letters[n%36] } // want "it has 8 random bits"

func result() int { return drawn() % 10 } // want "it has 8 random bits"

func drawn() int {
	var b [1]byte
	rand.Read(b[:])
	return int(b[0])
}

func named() int { return second() % 10 } // want "it has 16 random bits"

func second() (n int) {
	var b [2]byte
	rand.Read(b[:])
	n = int(binary.BigEndian.Uint16(b[:]))
	return
}

type dice struct{ last int }

func (d *dice) roll() int {
	var b [1]byte
	rand.Read(b[:])
	d.last = int(b[0])
	return d.side()
}

func (d *dice) side() int { return d.last%6 + 1 } // want "it has 8 random bits"

type roll byte

func received() int {
	var b [1]byte
	rand.Read(b[:])
	return roll(b[0]).side()
}

func (r roll) side() int { return int(r) % 6 } // want "it has 8 random bits"

func converted() (int, int, uint64) {
	wide := uint64(randv2.Uint32())
	return int(mathrand.Int31()) % 1e9, // want "by 1 in 2; it has 31 random bits"
		int(mathrand.Int31()) % 1000, // want "it has 31 random bits"
		wide % 1000000 // want "it has 32 random bits"
}

func pieces() (int, uint64, uint64, int) {
	var b [2]byte
	rand.Read(b[:])
	joined := int(b[0])<<8 | int(b[1])
	masked := randv2.Uint64() & 0xff
	return joined % 1000, // want "by 1 in 65; it has 16 random bits"
		masked % 10, // want "it has 8 random bits"
		randv2.Uint64() >> 56 % 10, // want "it has 8 random bits"
		(int(b[0]) + 1) % 10 // want "it has 8 random bits"
}

// What follows is right.

func wide(n int) (uint64, int, uint64) {
	var b [8]byte
	rand.Read(b[:])
	var all uint64
	for _, c := range b {
		all = all<<8 | uint64(c)
	}
	var sum int
	for _, c := range b {
		sum = sum*31 + int(c)
	}
	copied := randv2.Uint64()
	same := copied
	return all % 1000, sum % n, same % 1000
}

func hashed(servers []string) string {
	b := make([]byte, 16)
	rand.Read(b)
	h := uint32(2166136261)
	for _, c := range b {
		h ^= uint32(c)
		h *= 16777619
	}
	return servers[h%uint32(len(servers))]
}

// digits takes a remainder without a bias apart.
func digits6() (out [6]byte) {
	n := int(randv2.Uint64() % 1000000)
	for i := range out {
		out[i] = byte('0' + n%10)
		n /= 10
	}
	return out
}

func kept() (byte, int) {
	var b [1]byte
	rand.Read(b[:])
	half := int(b[0] & 15)
	return hex[half%len(hex)], half % 36 // all 16 values are kept
}

func rejectedFirst() byte {
	const last = 256 - 256%len(letters)
	var b [1]byte
	for {
		rand.Read(b[:])
		if int(b[0]) >= last {
			continue
		}
		idx := int(b[0])
		return letters[idx%len(letters)]
	}
}

func rejectedElsewhere() byte { return letters[below252()%36] }

func below252() int {
	var b [1]byte
	for {
		rand.Read(b[:])
		if c := int(b[0]); c < 252 {
			return c
		}
	}
}

func bounded() int { return mathrand.Intn(100) % 10 }
