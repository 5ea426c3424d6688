// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package nonce measures what a 16-byte nonce costs on this machine. It does not judge whether the
// nonces are random.
//
// [Standard] returns the methods that programs use today, for the table of competitors; package
// doctor measures some of them. [Study] measures those that its function run names, beside the
// methods of a post of 2016.
package nonce

// The methods that programs use today. Those of the post are in study.go.

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	insecure "math/rand/v2"
	"os"

	"fount"
	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
)

// A Nonce is the value that every method makes.
type Nonce = [16]byte

// A worker fills nonces.
type worker = measure.Filler[Nonce]

// CryptoRand asks crypto/rand for each nonce. Programs should do so until figures say otherwise, as
// it keeps nothing that a clone could repeat. In Go 1.26 each call changes a word that all cores
// share.
func CryptoRand() measure.Method {
	return measure.Method{Name: "crypto/rand",
		Open: measure.Stateless(func(dst []Nonce) {
			for i := range dst {
				rand.Read(dst[i][:])
			}
		})}
}

// Getrandom makes the getrandom system call for each nonce. That is what crypto/rand costs on a
// kernel without getrandom in the vDSO, and what most other languages pay. Its weakness is its
// cost.
func Getrandom() measure.Method {
	return own("getrandom(2)", 0, machine.RawGetrandom, nonceSize)
}

// Urandom reads /dev/urandom for each nonce, one open file per goroutine, as programs older than
// getrandom do. It is slow, and not the kernel's in every chroot and container.
func Urandom() measure.Method {
	return measure.Method{Name: "/dev/urandom", Open: func() (measure.Source, error) {
		return measure.Workers(func(int) measure.Worker {
			f, err := os.Open("/dev/urandom")
			if err != nil {
				panic(err)
			}

			read := func(b []byte) error { _, err := io.ReadFull(f, b); return err }
			return &worker{Fill: newCutter(read, nonceSize).draw, End: func() { f.Close() }}
		}), nil
	}}
}

// Buffered has each goroutine read 256 bytes of crypto/rand at a time, and cut nonces from them. It
// won in the post of 2016. A clone of the machine hands out the same nonces, and nonces stay in
// memory after they were handed out.
func Buffered() measure.Method {
	return own("256 B buffer per goroutine", 0, cryptoRead, postBuffer)
}

// MathRand makes a nonce of two values of math/rand/v2.Uint64, a ChaCha8 generator per thread. It
// is not made for secrets, and a clone repeats it. Programs that found crypto/rand too dear use it.
func MathRand() measure.Method {
	return measure.Method{Name: "math/rand/v2",
		Open: measure.Stateless(func(dst []Nonce) {
			for i := range dst {
				binary.NativeEndian.PutUint64(dst[i][:8], insecure.Uint64())
				binary.NativeEndian.PutUint64(dst[i][8:], insecure.Uint64())
			}
		})}
}

// Fount calls fount.Nonce, which has a ChaCha20 state per P and mixes in fresh bytes of the kernel.
// Its weakness is what fount.Status says about clones.
func Fount() measure.Method {
	return measure.Method{Name: "fount",
		Open: measure.Stateless(func(dst []Nonce) {
			for i := range dst {
				dst[i] = fount.Nonce()
			}
		})}
}

// Strict calls fount.Strict, which asks the kernel for each nonce and keeps nothing. Its weakness
// is its cost.
func Strict() measure.Method {
	return measure.Method{Name: "fount.Strict", Open: measure.Stateless(func(dst []Nonce) {
		var s fount.Strict
		for i := range dst {
			dst[i] = s.Nonce()
		}
	})}
}

// Standard returns the methods that programs use, crypto/rand first.
func Standard() []measure.Method {
	return []measure.Method{CryptoRand(), Getrandom(), Urandom(), Buffered(), MathRand(), Fount(), Strict()}
}
