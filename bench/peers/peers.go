// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package peers holds fount and its competitors, one adapter a file, as methods of the lab. It does
// not measure them: the benchmarks of fount/bench and the command bench/report do.
package peers

import (
	"crypto/fips140"
	"strings"
)

// A Peer is one way to make random values. It may be used from any goroutine.
type Peer struct {
	Name   string // in tables; Slug is its form in the names of benchmarks
	Module string // what go.mod requires for it; "" if nothing
	Unsafe bool   // its values are not for secrets, by its own documentation
	Needs  string // what not every process has, as in "Go 1.27"; "" if nothing
	FIPS   bool   // it is for a process that was started with GODEBUG=fips140=on

	// Start, if not nil, changes the process so that the peer can work, and returns what changes
	// it back. Nothing else may use the peer's module meanwhile.
	Start func() (stop func())
	// Open makes what one goroutine has to itself, after Start. It is nil if the peer can't be
	// built here.
	Open func() Worker
}

// A Worker is what one goroutine has to itself of a Peer: a function for each thing that the peer
// can make, nil for what it can't. Each fills all of dst, in a loop of its own, as a call through
// a function value for each draw would add 1 to 2 ns to figures of 5.
type Worker struct {
	Read       func(dst []byte, size int) // by reads of size bytes, a divisor of len(dst)
	Nonce      func(dst [][16]byte)       // random bits
	Uint64     func(dst []uint64)         // all values alike
	IntN       func(dst []int)            // in [0, Bound)
	UUID       func(dst [][16]byte)       // version 4
	UUIDv7     func(dst [][16]byte)       // version 7
	UUIDString func(dst []string)         // version 4 as text
	Text       func(dst []string)         // 26 characters of base32
	Close      func()                     // nil if there is nothing to do
}

// Bound is the bound of IntN: a prime, so that no method can take the low bits alone.
const Bound = 7919

// All returns all peers, competitors first. Which of them can be measured in this process is told
// by Missing.
func All() (all []Peer) {
	for _, peer := range constructors {
		all = append(all, peer())
	}
	return all
}

// constructors are called through this list, so that none is inlined: the compiler copies the loops of a
// function it inlines, and in the copies it calls what a program has inlined (2.3 of fount.Nonce's 14.3 ns).
var constructors = []func() Peer{
	cryptoRand, cryptoRandFIPS, mathRand, chaCha8, pcg, fastRand, aesCTR,
	googleUUID, googleUUIDPool, gofrsUUID, standardUUID,
	fountShared, fountStrict,
}

// Label is p's name where what it is not for must be said.
func (p Peer) Label() string {
	if p.Unsafe {
		return p.Name + " (not secret)"
	}
	return p.Name
}

// Slug is p's name in the names of benchmarks, which keep '/' for themselves.
func (p Peer) Slug() string { return strings.NewReplacer("/", "_", " ", "_").Replace(p.Name) }

// Missing says why p can't be measured in this process, or is "" if it can. In FIPS mode only the
// peers that are for it can be, as crypto/rand and all that draw from it cost something else then.
func (p Peer) Missing() string {
	switch {
	case p.Open == nil, p.FIPS && !fips140.Enabled():
		return "needs " + p.Needs
	case !p.FIPS && fips140.Enabled():
		return "needs a process without GODEBUG=fips140=on"
	}
	return ""
}
