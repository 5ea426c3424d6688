// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package nonce measures what a 16-byte nonce costs on this machine, by each of the methods in use
// and by the seven of a post of 2016. It does not judge whether what they make is random.
//
// [Study] measures the seven; [Standard] is what programs use.
package nonce

// The methods that the doctor compares. The seven of the post are in study.go.

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	insecure "math/rand/v2"
	"os"

	"fount"
	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
)

// A Nonce is what every method makes.
type Nonce = [16]byte

// A worker fills nonces.
type worker = measure.Filler[Nonce]

// CryptoRand asks crypto/rand for each nonce, as a program should until figures say otherwise: it
// keeps nothing that a clone could repeat. Go 1.26 changes a word that cores share at each call.
func CryptoRand() measure.Method {
	return measure.Method{Name: "crypto/rand",
		Open: measure.Stateless(func(dst []Nonce) {
			for i := range dst {
				rand.Read(dst[i][:])
			}
		})}
}

// Getrandom makes the getrandom system call for each nonce: what crypto/rand costs on a kernel
// without getrandom in the vDSO, and what most other languages pay. Its weakness is its cost.
func Getrandom() measure.Method {
	return own("getrandom(2)", 0, machine.RawGetrandom, nonceSize)
}

// Urandom reads /dev/urandom for each nonce, one open file per goroutine, as programs older than
// getrandom do. It is slow, and not the kernel's in every chroot and container.
func Urandom() measure.Method {
	return measure.Method{Name: "/dev/urandom", Open: measure.Shareless(func() (func([]Nonce), func()) {
		f, err := os.Open("/dev/urandom")
		if err != nil {
			panic(err)
		}
		read := func(b []byte) error { _, err := io.ReadFull(f, b); return err }
		return newCutter(read, nonceSize).draw, func() { f.Close() }
	})}
}

// Buffered reads size bytes of crypto/rand at a time, a multiple of 16, and cuts nonces from them,
// each goroutine its own: the winner of the post of 2016, with 256. A clone of the machine hands
// out the same nonces, unnoticed, and what is handed out stays in memory.
func Buffered(size int) measure.Method {
	return own(fmt.Sprintf("%d B buffer per goroutine", size), 0, system, size)
}

// MathRand takes two Uint64 of math/rand/v2's top level: ChaCha8 per thread. It is not made for
// secrets, and a clone repeats it. Programs that found crypto/rand too dear have gone there.
func MathRand() measure.Method {
	return measure.Method{Name: "math/rand/v2",
		Open: measure.Stateless(func(dst []Nonce) {
			for i := range dst {
				binary.NativeEndian.PutUint64(dst[i][:8], insecure.Uint64())
				binary.NativeEndian.PutUint64(dst[i][8:], insecure.Uint64())
			}
		})}
}

// Fount calls fount.Nonce: a ChaCha20 state per P, refilled with fresh bytes of the kernel. Its
// weakness is what fount.Status says of clones.
func Fount() measure.Method {
	return measure.Method{Name: "fount",
		Open: measure.Stateless(func(dst []Nonce) {
			for i := range dst {
				dst[i] = fount.Nonce()
			}
		})}
}

// Strict asks the kernel for each nonce through fount, and keeps nothing. Its weakness is its cost.
func Strict() measure.Method {
	return measure.Method{Name: "fount.Strict", Open: measure.Stateless(func(dst []Nonce) {
		var s fount.Strict
		for i := range dst {
			dst[i] = s.Nonce()
		}
	})}
}

// Standard is what programs make nonces with, crypto/rand first.
func Standard() []measure.Method {
	return []measure.Method{CryptoRand(), Getrandom(), Urandom(), Buffered(256), MathRand(), Fount(), Strict()}
}
