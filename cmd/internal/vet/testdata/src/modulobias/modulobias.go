// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package modulobias

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fount"
	"hash/fnv"
	"io"
	mathrand "math/rand"
	randv2 "math/rand/v2"
)

const (
	letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	hex     = "0123456789abcdef"
)

func password(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	for i := range b {
		b[i] = letters[b[i]%byte(len(letters))] // want `biased: some results come more often than others, by 1 in 7;.*\(modulobias\)`
	}
	return string(b)
}

func ranged(n int, alphabet string) string {
	b := make([]byte, n)
	if _, err := io.ReadFull(rand.Reader, b); err != nil {
		panic(err)
	}
	for i, c := range b {
		b[i] = alphabet[int(c)%len(alphabet)] // want "some results come more often than others"
	}
	return string(b)
}

func digits() int {
	var b [4]byte
	fount.Read(b[:])
	n := binary.BigEndian.Uint32(b[:]) % 1000000 // want "biased: some results come more often than others, by 1 in 4294;"
	b[0] %= 10                                   // want "biased: some results come more often than others, by 1 in 25;"
	return int(n)
}

func words(n uint32) (uint32, int32, uint32, uint32) {
	return randv2.Uint32() % n, // want "biased"
		mathrand.Int31() % 1000, // want "biased"
		fount.Uint32() % (n + 1), // want "biased"
		mathrand.Uint32() % n // want "biased"
}

// What follows is right.

func right(servers []string, limit uint64) {
	var b [8]byte
	rand.Read(b[:])
	_ = hex[b[0]%16]                                    // 16 divides 256
	_ = hex[b[0]%byte(len(hex))]                        // so does its length
	_ = binary.LittleEndian.Uint64(b[:]) % 1000         // too little bias to see
	_ = binary.LittleEndian.Uint64(b[:]) % limit        // as long as the limit is not huge
	_ = servers[mathrand.Uint32()%uint32(len(servers))] // lengths are small
	_ = mathrand.Int() % 100                            // 63 bits
	_ = int(b[0]) % 1000                                // all 256 values are kept
	h := fnv.New32()
	h.Write([]byte("key"))
	_ = servers[h.Sum32()%uint32(len(servers))] // a hash, not a draw
	for i := range servers {
		_ = hex[i%3]
	}
	_ = bytes.Compare(b[:], nil) % 7
}

// rejecting discards what is in the incomplete round.
func rejecting(n int) string {
	const last = 256 - 256%len(letters)
	out := make([]byte, 0, n)
	b := make([]byte, n)
	for len(out) < n {
		rand.Read(b)
		for _, c := range b {
			if int(c) >= last {
				continue
			}
			out = append(out, letters[int(c)%len(letters)])
		}
	}
	return string(out[:n])
}

func lemire(n uint32) uint32 {
	for {
		v := fount.Uint32()
		if v >= -n%n {
			return v % n
		}
	}
}

func silenced() byte {
	var b [1]byte
	rand.Read(b[:])
	return b[0] % 10 //fount:ignore modulobias picks the colour of a spinner
}

func tabbed() byte {
	var b [1]byte
	rand.Read(b[:])
	//fount:ignore modulobias	picks a colour
	return b[0] % 10
}

func stacked() byte {
	var b [1]byte
	rand.Read(b[:])
	//fount:ignore modulobias picks a colour
	//fount:ignore clockseed another analyzer
	return b[0] % 10
}

// A comment behind code is about that line alone.
func behind() (x, y byte) {
	var b [1]byte
	rand.Read(b[:])
	x = b[0] % 10 //fount:ignore modulobias picks a colour
	y = b[0] % 10 // want "biased"
	return x, y
}
