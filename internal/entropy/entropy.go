// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package entropy makes what fount adds to the kernel's bytes in its seeds, and keeps the seed file
// that carries it over a restart.
//
// Everything is hashed into one input pool: bytes of the kernel, of a seed file ([Load]) and of the
// program ([Add]). It feeds a pool for each NUMA node, each in its own domain. At each seed a
// generator on that node mixes 32 bytes of the node's pool with 32 fresh bytes of the kernel, so it
// is never weaker than the kernel, whatever was added.
//
// The first seed makes the pools. The next generator that takes a seed feeds them once a minute,
// and after a clone of the machine or fount.Reseed. In fount's mode "window" seeds are the kernel's
// alone, and the pools reach no output; nor do they reach fount.Strict.
//
//	entropy.go   the process's pools: when they are fed, and Mix
//	mix.go       the input pool, re-keyed by each extraction; a node's pool; their key derivation
//	seedfile.go  a file that carries every node's state over a restart, and what is in it
//	disk.go      each step on the file, in the only safe order
package entropy

import (
	"sync"
	"sync/atomic"
	"time"

	"fount/internal/erase"
	"fount/internal/kernel"
	"fount/internal/numa"
)

// secrets is what must be wiped at a fork as a whole: it starts all zero, and a fork leaves it so
// in the child, with its locks free. It lies outside the heap where the system allows.
type secrets struct {
	feeding    sync.Mutex
	next       atomic.Int64  // when the nodes are fed again, 0 for at once
	generation atomic.Uint64 // the caller's when they were fed last
	input      input
}

// pools is an input pool and its nodes.
type pools struct {
	*secrets
	nodes    []node
	topology *numa.Topology
	file     atomic.Pointer[SeedFileReport] // of the last Load or Save
}

func newPools(t *numa.Topology) *pools {
	return &pools{secrets: &erase.New[secrets](1)[0], nodes: erase.New[node](len(t.Nodes)), topology: t}
}

// often is the time after which the nodes are fed again.
const often = int64(time.Minute)

var started = time.Now()

// now is a monotonic time in ns.
func now() int64 { return int64(time.Since(started)) }

// own is the process's pools, nil until the first use.
var (
	own    atomic.Pointer[pools]
	making sync.Mutex
)

// get returns the process's pools, which the first call makes. A process that lacks the descriptors
// to see its nodes then keeps to one: its generators share a lock, once a MiB.
func get() *pools {
	if p := own.Load(); p != nil {
		return p
	}
	making.Lock()
	defer making.Unlock()
	return getLocked()
}

// getLocked is get for a caller that holds the lock.
func getLocked() *pools {
	if own.Load() == nil {
		own.Store(newPools(numa.Detect()))
	}
	return own.Load()
}

// Mix adds (XOR) 32 bytes of the current node's pool to dst, which has 32 bytes of the kernel.
// Package shard calls it at each seed. The node has its next key before Mix
// returns, and keeps nothing of what it gave. Anyone who knows dst or all pools, but not both,
// knows nothing of the sum.
//
// Generation is a number that moves when the machine is cloned or the caller wants fresh bytes: the
// nodes are then fed first. Mix costs a lock that is held for one block of ChaCha20. The first call
// makes the pools; calls that come meanwhile leave dst unchanged: no lock that a Mix waits for is
// held over a system call, or at a fork. It may be called from any goroutine.
func Mix(dst *[32]byte, generation uint64) {
	p := own.Load()
	if p == nil && making.TryLock() {
		p = getLocked()
		making.Unlock()
	}
	if p != nil {
		p.mix(dst, generation)
	}
}

func (p *pools) mix(dst *[keySize]byte, generation uint64) {
	p.refresh(generation)
	p.drawFrom(p.topology.Current(), dst)
}

// drawFrom draws from node k, which it feeds if it has no key: another goroutine may be feeding all
// of them right now.
func (p *pools) drawFrom(k int, dst *[keySize]byte) {
	for {
		if p.nodes[k].draw(dst) {
			return
		}
		p.feedFresh(k)
	}
}

// refresh feeds the nodes when that is due. One goroutine does it, and the others meanwhile use
// what is there.
func (p *pools) refresh(generation uint64) {
	if now() < p.next.Load() && generation == p.generation.Load() || !p.feeding.TryLock() {
		return
	}
	defer p.feeding.Unlock()
	p.generation.Store(generation)
	p.feedAll()
}

// feedAll feeds every node. Its caller holds the lock.
func (p *pools) feedAll() {
	for k := range p.nodes {
		p.feedFresh(k)
	}
	p.next.Store(now() + often)
}

// feedFresh feeds a node with 32 fresh bytes of the kernel's. It may block, so no lock that a draw
// waits for is held.
func (p *pools) feedFresh(k int) {
	var fresh [keySize]byte
	kernel.Read(fresh[:])
	p.feed(k, &fresh)
	erase.Wipe(fresh[:])
}

// feed gives a node 32 bytes of the input pool's, which has taken in fresh then.
func (p *pools) feed(k int, fresh *[keySize]byte) {
	var out [keySize]byte
	p.input.extract(&out, fresh)
	p.nodes[k].absorb(k, &out)
	erase.Wipe(out[:])
}

// Add is fount.AddSeed.
func Add(name string, b []byte) { get().input.mix(name, b) }

// A Report describes this process's pools, as the fields of fount.StatusReport do.
type Report struct {
	Topology     string
	TopologyNote string
	Nodes        []NodeReport
	Mixed        uint64
	Extractions  uint64
	SeedFile     SeedFileReport
}

// A NodeReport is fount.NodeReport.
type NodeReport struct {
	Node       int
	Generation uint64
	Draws      uint64
}

// Status reports what is in force. It may be called from any goroutine, and delays no draw.
func Status() Report { return get().status() }

func (p *pools) status() Report {
	r := Report{Topology: p.topology.Source, TopologyNote: p.topology.Note, SeedFile: SeedFileReport{State: "none"}}
	if f := p.file.Load(); f != nil {
		r.SeedFile = *f
	}
	for i := range p.nodes {
		n := &p.nodes[i]
		n.mu.Lock()
		r.Nodes = append(r.Nodes, NodeReport{p.topology.Nodes[i], n.generation, n.draws})
		n.mu.Unlock()
	}
	p.input.mu.Lock()
	defer p.input.mu.Unlock()
	r.Mixed, r.Extractions = p.input.mixed, p.input.extractions
	return r
}
