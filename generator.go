// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import (
	"runtime"

	"fount/internal/shard"
)

// A Generator is one goroutine's own generator: it has the package's functions
// as methods, without the cost of finding the P's state. It belongs to one
// goroutine at a time. If it notices that two use it at once, it stops the
// process (at best effort, as a map does). A zero or closed Generator panics
// and never serves. It must not be copied; vet reports a copy.
//
// Like a P, it buffers bytes that it has not served yet: at most 992, or 224
// where fount would not notice a clone of the machine. N has no method, because
// Go 1.26 has no generic methods.
type Generator struct {
	_     noCopy
	s     *shard.State // the lease's
	lease *shard.Lease
}

// NewGenerator returns a Generator. Close wipes it. One that becomes
// unreachable is wiped, and its memory reused, some time after the next garbage
// collection.
func NewGenerator() *Generator {
	lease := shard.NewLease()
	return &Generator{s: lease.State(), lease: lease}
}

// Close wipes the Generator's memory. Afterwards every use but Close panics,
// also of a copy. Close may be called again, and by several goroutines at once.
// If it notices a draw under way, it stops the process.
//
// The memory, 1,152 bytes, is reused once the collector has found the Generator
// unreachable, because only then no copy of it can be left. With GOGC=off and
// no memory limit that never happens: keep Generators then.
func (g *Generator) Close() {
	if g.lease != nil {
		g.lease.Close()
	}
}

// Each method ends with KeepAlive, so that the lease stays reachable during the
// draw and no other Generator gets the state.

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
