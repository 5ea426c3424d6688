// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package pool is what package fount adds to the kernel's bytes in its seeds, and a seed file that carries it over a
// restart. It is not a generator: programs draw from package fount, which needs no call of this package.
//
// There is one input pool, into which everything is hashed: bytes of the kernel, of a seed file ([Load]) and of the
// program ([Add]). From it one pool for each NUMA node is fed, each under a domain of its own. A generator on that node
// mixes 32 bytes of it with 32 bytes of the kernel's own at each seed, so it is never weaker than the kernel. What is
// mixed in counts for nothing and can do no harm.
//
// The pools are made at the first seed, and fed once a minute and when the machine was cloned or fount.Reseed called,
// by the next generator that takes a seed. In fount's mode "window" seeds are the kernel's alone, and nothing of the
// pools reaches output; nor does it by fount.Strict.
//
//	pool.go      the process's pools: when they are fed, and Mix
//	input.go     the input pool: hashed in, and re-keyed by each extraction
//	node.go      one node's pool
//	hash.go      the key derivation of all of them
//	seedfile.go  a file that carries every node's state over a restart, and what is in it
//	disk.go      each step on the file, in the only safe order
package pool

import (
	"sync"
	"sync/atomic"
	"time"

	"fount/internal/erase"
	"fount/internal/kernel"
	"fount/internal/numa"
)

// arena holds what is secret, or must be wiped at a fork together with it: it starts all zero, and a fork leaves it so
// in the child, with its locks free. It lies outside the heap where the system allows.
type arena struct {
	feeding    sync.Mutex
	next       atomic.Int64  // when the nodes are fed again, 0 for at once
	generation atomic.Uint64 // the caller's when they were fed last
	input      input
}

// pools is an input pool and its nodes.
type pools struct {
	*arena
	nodes    []node
	topology *numa.Topology
	file     atomic.Pointer[SeedFileReport] // of the last Load or Save
}

func newPools(a *arena, t *numa.Topology) *pools {
	return &pools{arena: a, nodes: erase.New[node](len(t.Nodes)), topology: t}
}

// often is the time after which the nodes are fed again.
const often = int64(time.Minute)

var started = time.Now()

// now is a monotonic time in ns.
func now() int64 { return int64(time.Since(started)) }

// The process's: both nil until the first use.
var (
	ownArena atomic.Pointer[arena]
	ownPools atomic.Pointer[pools]
	making   sync.Mutex
)

func theArena() *arena {
	if a := ownArena.Load(); a != nil {
		return a
	}
	ownArena.CompareAndSwap(nil, &erase.New[arena](1)[0])
	return ownArena.Load()
}

// own returns the process's pools for a caller that can wait while another goroutine makes them. While the process
// lacks descriptors or memory it can't see the nodes, and pools for one node would last for its life: then own returns
// nil, unless it must make them.
func own(must bool) *pools {
	if p := ownPools.Load(); p != nil {
		return p
	}
	making.Lock()
	defer making.Unlock()
	p, _ := provide(must)
	return p
}

// seen is own for a caller that can do without the pools. It never waits: making them reads files, and in a forked
// child a lock that another thread held at the fork is held for good. It returns nil and why there are none.
func seen() (*pools, string) {
	if p := ownPools.Load(); p != nil {
		return p, ""
	}
	if !making.TryLock() {
		return nil, "they are being made"
	}
	defer making.Unlock()
	return provide(false)
}

func provide(must bool) (*pools, string) {
	if p := ownPools.Load(); p != nil {
		return p, ""
	}
	t := numa.Detect()
	if t.Scarce && !must {
		return nil, t.Note
	}
	p := newPools(theArena(), t)
	ownPools.Store(p)
	return p, ""
}

// Mix adds (XOR) 32 bytes of the current node's pool to dst, which has 32 bytes of the kernel. Package fount calls it
// at each seed; programs need not. The node has its next key before Mix returns, and keeps nothing of what it gave.
// Anyone who knows dst or all pools, but not both, knows nothing of the sum.
//
// Generation is a number that moves when the machine is cloned or the caller wants fresh bytes: the nodes are then fed
// first. Mix costs a lock that is held for one block of ChaCha20. The first call makes the pools; calls that come
// meanwhile, or while the process has no descriptor left, leave dst unchanged. No lock that a Mix waits for is held
// over a system call. It may be called from any goroutine.
func Mix(dst *[32]byte, generation uint64) {
	if p, _ := seen(); p != nil {
		p.mix(dst, generation)
	}
}

func (p *pools) mix(dst *[keySize]byte, generation uint64) {
	p.refresh(generation)
	p.drawFrom(p.topology.Current(), dst)
}

// drawFrom draws from node k, which it feeds if it has no key: another goroutine may be feeding all of them right now.
func (p *pools) drawFrom(k int, dst *[keySize]byte) {
	for !p.nodes[k].draw(dst) {
		p.feedFresh(k)
	}
}

// refresh feeds the nodes when that is due. One goroutine does it, and the others meanwhile use what is there.
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

// feedFresh feeds a node with 32 fresh bytes of the kernel's. It may block, so no lock that a draw waits for is held.
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

// Add mixes bytes of the program's own into the input pool: from a hardware generator, a file, anything. They count
// for nothing and can't do harm: what was there stays in the mix. The name tells sources apart that give the same
// bytes. Add hashes b at once (SHA-512) and keeps nothing of it. It may be called from any goroutine.
//
// The bytes reach the nodes' pools within a minute, if anything is drawn then, and a generator's output after its next
// seed. [Feed] and then fount.Reseed put them into every later draw.
func Add(name string, b []byte) { theArena().input.mix(name, b) }

// Feed feeds every node now with what came into the input pool. It is never necessary. It may be called from any
// goroutine.
//
// While a process lacks the descriptors or memory to make its pools, Feed does nothing: Status then lists no node, and
// its TopologyNote says what is lacking. Nothing is lost: the pools are made by the first draw, or Feed, that can, and
// take what Add was given.
func Feed() {
	if p := own(false); p != nil {
		p.feeding.Lock()
		defer p.feeding.Unlock()
		p.feedAll()
	}
}

// A Report describes this process's pools. Fields may be added.
type Report struct {
	// Topology is "sysfs", "synthetic" (the environment variable FOUNT_NUMA_NODES made
	// it) or "one node".
	Topology string `json:"topology"`
	// TopologyNote says what was ignored or could not be read.
	TopologyNote string       `json:"topology_note,omitempty"`
	Nodes        []NodeReport `json:"nodes"`
	// Mixed counts what came into the input pool, and Extractions what was taken from it;
	// each extraction mixes 32 fresh bytes of the kernel.
	Mixed       uint64         `json:"mixed"`
	Extractions uint64         `json:"extractions"`
	SeedFile    SeedFileReport `json:"seed_file"`
}

// A NodeReport is what is known of one node's pool.
type NodeReport struct {
	Node       int    `json:"node"`       // the system's number
	Generation uint64 `json:"generation"` // how often it was fed; 0: it has no key yet
	Draws      uint64 `json:"draws"`      // 32 bytes each
}

// Status reports what is in force. It changes nothing. It may be called from any goroutine, and delays no draw.
func Status() Report {
	p, why := seen()
	if p == nil {
		return Report{Topology: "one node", TopologyNote: "there are no pools yet: " + why, SeedFile: SeedFileReport{State: "none"}}
	}
	return p.status()
}

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
