// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package entropy makes what fount adds to the kernel's bytes in its seeds, and keeps the seed file
// that carries it over a restart.
//
// One input pool takes in everything: bytes of the kernel, of a seed file ([Load]) and of the
// program ([Add]). It feeds a pool for each NUMA node. At each seed a generator mixes 32 bytes of
// its node's pool with 32 fresh bytes of the kernel. So the seed is never weaker than the kernel,
// whatever was added.
//
// The first seed makes the pools. Later seeds feed the nodes' pools once a minute, and after a
// clone of the machine or fount.Reseed. In fount's mode "window" no pool reaches the output, and
// none ever reaches fount.Strict.
//
//	entropy.go   the process's pools, and Mix
//	mix.go       the input pool, a node's pool, and their key derivation
//	seedfile.go  the seed file's contents: new ones for the next process, the use of the old
//	disk.go      the replacement of the file
package entropy

import (
	"sync"
	"sync/atomic"
	"time"

	"fount/internal/erase"
	"fount/internal/kernel"
	"fount/internal/numa"
)

// secrets is outside the heap if the system allows. There a fork wipes it in the child: it is all
// zero as at the start, with its locks free.
type secrets struct {
	feeding    sync.Mutex
	next       atomic.Int64  // when the nodes are fed again; 0 means at once
	generation atomic.Uint64 // the caller's generation when they were fed last
	input      input
}

// pools is an input pool and the nodes' pools.
type pools struct {
	*secrets
	nodes    []node
	topology *numa.Topology
	file     atomic.Pointer[SeedFileReport] // the last Load or Save, or nil
}

func newPools(t *numa.Topology) *pools {
	return &pools{secrets: &erase.New[secrets](1)[0], nodes: erase.New[node](len(t.Nodes)), topology: t}
}

// feedInterval is the time after which the nodes are fed again.
const feedInterval = int64(time.Minute)

var started = time.Now()

// now returns a monotonic time in ns.
func now() int64 { return int64(time.Since(started)) }

// processPools is nil until the first use.
var (
	processPools atomic.Pointer[pools]
	creating     sync.Mutex
)

// get returns the process's pools. The first call makes them: one node's if the process then lacks
// descriptors to read its nodes. Its generators then share that node's lock, once a MiB.
func get() *pools {
	if p := processPools.Load(); p != nil {
		return p
	}
	creating.Lock()
	defer creating.Unlock()
	return getLocked()
}

// getLocked is get for a caller that holds creating.
func getLocked() *pools {
	if processPools.Load() == nil {
		processPools.Store(newPools(numa.Detect()))
	}
	return processPools.Load()
}

// Mix adds (XOR) 32 bytes of the current node's pool to dst, which has 32 bytes of the kernel.
// Package shard calls it at each seed. The node has its next key before Mix returns, and keeps
// nothing of what it gave. Anyone who knows dst or all pools, but not both, knows nothing of the
// sum.
//
// If generation is not that of the last call, Mix feeds the nodes first: the machine was cloned, or
// the caller wants fresh bytes. A Mix holds the node's lock for one block of ChaCha20. The first
// call makes the pools; calls meanwhile leave dst unchanged. So no lock that Mix waits for is held
// over a system call or at a fork. Mix may be called from any goroutine.
func Mix(dst *[32]byte, generation uint64) {
	p := processPools.Load()
	if p == nil && creating.TryLock() {
		p = getLocked()
		creating.Unlock()
	}
	if p != nil {
		p.mix(dst, generation)
	}
}

func (p *pools) mix(dst *[keySize]byte, generation uint64) {
	p.refresh(generation)
	p.drawFrom(p.topology.Current(), dst)
}

// drawFrom draws from node k. It feeds the node if it has no key yet, as another goroutine may be
// feeding all of them right now.
func (p *pools) drawFrom(k int, dst *[keySize]byte) {
	for {
		if p.nodes[k].draw(dst) {
			return
		}
		p.feedFresh(k)
	}
}

// refresh feeds the nodes if that is due. While one goroutine does so, the others go on with the
// old keys.
func (p *pools) refresh(generation uint64) {
	if now() < p.next.Load() && generation == p.generation.Load() || !p.feeding.TryLock() {
		return
	}
	defer p.feeding.Unlock()
	p.generation.Store(generation)
	p.feedAll()
}

// feedAll feeds every node. Its caller holds feeding.
func (p *pools) feedAll() {
	for k := range p.nodes {
		p.feedFresh(k)
	}
	p.next.Store(now() + feedInterval)
}

// feedFresh feeds a node with 32 fresh bytes of the kernel. That may block, so its caller holds no
// lock that a draw waits for.
func (p *pools) feedFresh(k int) {
	var fresh [keySize]byte
	kernel.Read(fresh[:])
	p.feed(k, &fresh)
	erase.Wipe(fresh[:])
}

// feed mixes fresh into the input pool, and 32 bytes of that into a node.
func (p *pools) feed(k int, fresh *[keySize]byte) {
	var out [keySize]byte
	p.input.extract(&out, fresh)
	p.nodes[k].absorb(k, &out)
	erase.Wipe(out[:])
}

// Add implements fount.AddSeed.
func Add(name string, b []byte) { get().input.mix(name, b) }

// A Report describes this process's pools. Its fields are those of fount.StatusReport.
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

// Status returns a Report. It may be called from any goroutine. It holds each pool's lock while it
// copies a few numbers, and a draw that takes a seed may wait for that.
func Status() Report { return get().status() }

func (p *pools) status() Report {
	r := Report{Topology: p.topology.Source, TopologyNote: p.topology.Note, SeedFile: SeedFileReport{State: "none"}}
	if f := p.file.Load(); f != nil {
		r.SeedFile = *f
	}

	for i := range p.nodes {
		n := &p.nodes[i]
		n.mu.Lock()
		r.Nodes = append(r.Nodes, NodeReport{p.topology.Nodes[i], n.feeds, n.draws})
		n.mu.Unlock()
	}

	p.input.mu.Lock()
	defer p.input.mu.Unlock()
	r.Mixed = p.input.mixed
	r.Extractions = p.input.extractions
	return r
}
