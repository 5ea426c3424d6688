// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// The methods that the doctor compares. Each says its idea and its weakness. The seven of the post are in post.go.

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	insecure "math/rand/v2"

	"fount"
)

// CryptoRand asks crypto/rand for each nonce. It is what a program should do until figures say otherwise: the standard
// library, nothing kept, nothing a clone could repeat. Its weakness is its cost, and that Go 1.26 changes a shared word
// at each call, so that cores disturb each other.
type CryptoRand struct{}

func (CryptoRand) Name() string     { return "crypto/rand" }
func (CryptoRand) Weakness() string { return "" }

func (CryptoRand) Open() (Source, error) {
	return stateless(func(dst []Nonce) {
		for i := range dst {
			rand.Read(dst[i][:])
		}
	}), nil
}

// Getrandom makes the getrandom system call for each nonce: what crypto/rand costs on a kernel without getrandom in the
// vDSO, and what most other languages pay. Its weakness is its cost.
type Getrandom struct{}

func (Getrandom) Name() string     { return "getrandom(2)" }
func (Getrandom) Weakness() string { return "" }

func (Getrandom) Open() (Source, error) { return each(ViaSyscall) }

// AsGo calls getrandom the way Go does: in the vDSO if the kernel has it there, else by system call. It has the cost of
// crypto/rand without crypto/rand, and shows beside Getrandom what the vDSO gains.
type AsGo struct{}

func (AsGo) Name() string     { return "getrandom" }
func (AsGo) Weakness() string { return "" }

func (AsGo) Open() (Source, error) { return each(ViaVDSO) }

// Urandom reads a file for each nonce, one open file per goroutine: the way of programs older than getrandom. Its
// weakness is its cost, and that the file is not the kernel's in every chroot and container.
type Urandom struct {
	Path string // "" is /dev/urandom
}

func (Urandom) Name() string     { return "/dev/urandom" }
func (Urandom) Weakness() string { return "" }

func (m Urandom) Open() (Source, error) {
	path := cmp.Or(m.Path, "/dev/urandom")
	return each(&Via{open: func() (func([]byte) error, func(), error) { return openDevice(path) }})
}

// Buffered reads Size bytes of crypto/rand at a time into a buffer of the goroutine's own and cuts nonces from it: the
// winner of the post "Managing Syscall Overhead with crypto/rand" (2016). Its weakness is the buffer: a clone of the
// machine hands out the same nonces, nothing notices, and what is handed out stays in memory.
type Buffered struct {
	Size int // bytes, a multiple of 16; the post has 256
}

func (m Buffered) Name() string { return fmt.Sprintf("%d B buffer per goroutine", m.Size) }
func (m Buffered) Weakness() string {
	return fmt.Sprintf("a clone repeats up to %d B per goroutine", m.Size)
}

func (m Buffered) Open() (Source, error) { return amortized(ViaGo, m.Size) }

// MathRand takes two Uint64 of math/rand/v2's top-level functions: ChaCha8 per thread. Its weakness is that it is not
// made for secrets: its documentation says so, it is seeded once, and a clone repeats it. It is here because programs
// that found crypto/rand too dear have gone there.
type MathRand struct{}

func (MathRand) Name() string     { return "math/rand/v2" }
func (MathRand) Weakness() string { return "not secret" }

func (MathRand) Open() (Source, error) {
	return stateless(func(dst []Nonce) {
		for i := range dst {
			binary.NativeEndian.PutUint64(dst[i][:8], insecure.Uint64())
			binary.NativeEndian.PutUint64(dst[i][8:], insecure.Uint64())
		}
	}), nil
}

// Fount calls fount.Nonce: a ChaCha20 state per P, refilled with fresh bytes of the kernel. Its weakness is what
// fount.Status says of clones.
type Fount struct{}

func (Fount) Name() string     { return "fount" }
func (Fount) Weakness() string { return window("core") }

// window is what fount's buffers may repeat, each of which belongs to one owner; "" if clones are detected.
func window(owner string) string {
	status := fount.Status()
	if status.Mode != "window" {
		return ""
	}
	return fmt.Sprintf("a clone repeats up to %d B per %s", status.WindowBytes, owner)
}

func (Fount) Open() (Source, error) {
	return stateless(func(dst []Nonce) {
		for i := range dst {
			dst[i] = fount.Nonce()
		}
	}), nil
}

// Generator is fount for a goroutine that keeps a state of its own. Its weakness is fount's, and that the program has to
// carry the Generator to where it draws.
type Generator struct{}

func (Generator) Name() string     { return "fount.Generator" }
func (Generator) Weakness() string { return window("Generator") }

func (Generator) Open() (Source, error) {
	return shareless(func() (func([]Nonce), func()) {
		g := fount.NewGenerator()
		draw := func(dst []Nonce) {
			for i := range dst {
				dst[i] = g.Nonce()
			}
		}
		return draw, g.Close
	}), nil
}

// Strict asks the kernel for each nonce through fount, and keeps nothing. Its weakness is its cost.
type Strict struct{}

func (Strict) Name() string     { return "fount.Strict" }
func (Strict) Weakness() string { return "" }

func (Strict) Open() (Source, error) {
	return stateless(func(dst []Nonce) {
		var s fount.Strict
		for i := range dst {
			dst[i] = s.Nonce()
		}
	}), nil
}

// Standard is what the doctor measures, crypto/rand first.
func Standard() []Method {
	return []Method{CryptoRand{}, Getrandom{}, Urandom{}, Buffered{Size: 256}, MathRand{}, Fount{}, Generator{}, Strict{}}
}

// Empty makes no nonce. Its mean is what the harness and the call cost, and its percentiles are the clock's: what the two
// looks at the clock around a draw show when there is nothing between them.
type Empty struct{}

func (Empty) Name() string     { return "Empty" }
func (Empty) Weakness() string { return "no nonce" }

func (Empty) Open() (Source, error) { return stateless(func([]Nonce) {}), nil }
