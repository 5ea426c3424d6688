// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import (
	"runtime"

	"fount/internal/shard"
)

// A Generator is one goroutine's own generator: the package's functions as
// methods, without the cost of finding the P's state. It belongs to one
// goroutine at a time. Used by two at once it stops the process where it
// notices (as a map does, at best effort), and zero or closed it panics: it
// never serves then. It must not be copied; vet says so.
//
// It keeps some bytes that are not served yet, like a P: at most 992, or 224
// where clones of the machine are not noticed. N has no method here, because Go 1.26
// has no generic methods.
type Generator struct {
	_     noCopy
	s     *shard.State // the lease's
	lease *shard.Lease
}

// NewGenerator returns a Generator. Close wipes it; one that becomes
// unreachable is wiped at some time after the next garbage collection, and its
// memory is used again then.
func NewGenerator() *Generator {
	lease := shard.NewLease()
	return &Generator{s: lease.State(), lease: lease}
}

// Close wipes the Generator's memory. Every later use but Close panics, of
// copies too. It may be called again, and by several goroutines at once; during
// a draw it stops the process where it notices.
//
// The memory, 1,152 bytes, is used again when the collector has found the
// Generator unreachable, as only then nobody can hold a copy of it: never where
// GOGC=off and no memory limit keep it from running. There keep Generators.
func (g *Generator) Close() {
	if g.lease != nil {
		g.lease.Close()
	}
}

// Each method ends with KeepAlive, so that the lease is reachable during the
// draw, and the state nobody else's.

// Reseed makes the Generator draw a new key from the kernel before it serves
// again.
func (g *Generator) Reseed() {
	g.s.Expire()
	runtime.KeepAlive(g)
}

// Read fills b with random bytes. It always returns len(b) and a nil error.
func (g *Generator) Read(b []byte) (n int, err error) {
	g.s.Read(b)
	runtime.KeepAlive(g)
	return len(b), nil
}

// Nonce returns 16 random bytes.
func (g *Generator) Nonce() (b [16]byte) {
	g.s.Read16(&b)
	runtime.KeepAlive(g)
	return b
}

// Nonce12 returns 12 random bytes; see the function Nonce12 for its limit.
func (g *Generator) Nonce12() (b [12]byte) {
	g.s.Read12(&b)
	runtime.KeepAlive(g)
	return b
}

// Nonce24 returns 24 random bytes.
func (g *Generator) Nonce24() (b [24]byte) {
	g.s.Read24(&b)
	runtime.KeepAlive(g)
	return b
}

// Key returns 32 random bytes, a 256-bit key.
func (g *Generator) Key() (b [32]byte) {
	g.s.Read32(&b)
	runtime.KeepAlive(g)
	return b
}

// Uint64 returns 64 random bits. With it a *Generator is a source of
// math/rand/v2.
func (g *Generator) Uint64() uint64 {
	v := g.s.Uint64()
	runtime.KeepAlive(g)
	return v
}

// Uint32 returns 32 random bits.
func (g *Generator) Uint32() uint32 {
	v := g.s.Uint32()
	runtime.KeepAlive(g)
	return v
}

// noCopy makes vet's copylocks report a copy of what holds it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}
